"""Taking back what is no hand's: every account, seat and sum is as it was before."""

from collections.abc import Callable

import pytest
from sqlmodel import select

from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.database.models import Account, Player, Seat
from ledger.services.audit import verify
from ledger.services.chips import adjust, bank, count
from ledger.services.club import clubs
from ledger.services.hands.preview import Preview
from ledger.services.money import convert
from ledger.services.session.load import load
from ledger.services.session.view import Rate, SessionView
from ledger.services.table import lifecycle, seating, start
from ledger.services.undo import entry
from ledger.services.undo import last as undo_last
from ledger.services.undo import payment as undo_payment
from ledger.services.undo.reverse import AlreadyUndone, CannotUndo
from ledger.words.problems import SessionClosed, Unchanged
from tests.ledger import cash, table
from tests.ledger.table import ask, dry


@pytest.fixture
def here(any_database: Database) -> Access:
    """A club on either database."""
    return clubs.found(any_database, name="Kitchen Table", passcode="four aces", author="Sue")[0]


def tonight(db: Database, access: Access) -> int:
    """Play one hand among four, with stacks, at ten chips to a cent; Bob borrowed 40."""
    played = table.start(
        db, access, table.FOUR, starting_stack=150, rate=cash.TEN_FOR_ONE, first_dealer="Cyd"
    )
    cash.lend(db, access, played, "Bob", 40)
    table.record(db, access, played, cash.ANN_WINS)
    return played


WRITES: dict[str, Callable[[Database, Access, int], object]] = {
    "loan": lambda db, access, played: cash.lend(db, access, played, "Cyd", 25),
    "repayment": lambda db, access, played: bank.take_repayment(
        table.write(db, access), played, player="Bob", chips=30
    ),
    "adjustment": lambda db, access, played: adjust.adjust(
        table.write(db, access), played, player="Bob", chips=-5, reason="lost"
    ),
    "adjustment by a count": lambda db, access, played: count.record(
        table.write(db, access), played, {"Bob": {20: 4}, "Ann": {30: 11}}, post=True
    ),
    "cash-out": lambda db, access, played: cash.leave(db, access, played, "Bob"),
    "conversion": lambda db, access, played: cash.convert(db, access, played),
    "stack of who joins": lambda db, access, played: cash.join(db, access, played, "Eve"),
    "sitting-out": lambda db, access, played: seating.sit_out(
        table.write(db, access), played, player="Dee"
    ),
    "seats-changed": lambda db, access, played: seating.change_seats(
        table.write(db, access), played, order=["Cyd", "Ann", "Dee", "Bob"]
    ),
    "rules-changed": lambda db, access, played: start.change_rules(
        table.write(db, access),
        played,
        game="progressive",
        variant=None,
        options={"pots": {"stake": 5}},
    ),
    "rate-set": lambda db, access, played: convert.set_rate(
        table.write(db, access), played, rate=Rate(7, 3)
    ),
    "conversion at another rate": lambda db, access, played: cash.convert(
        db, access, played, Rate(7, 3)
    ),
    "pause": lambda db, access, played: lifecycle.pause(table.write(db, access), played),
}


def stands(view: SessionView) -> object:
    """Return all a session's seats and state but its revision; who was not here before is not in it."""
    known = tuple(seat for seat in view.seats if seat.name in table.FOUR)
    played = view.game, view.variant, view.options
    return known, view.state, view.first_dealer, view.rate, played


def shown(look: Preview) -> dict[tuple[str, str], tuple[int, int, str]]:
    """Return what a preview says of each account: by how much it moves, to what, of what."""
    return {(move.kind, move.name): (move.amount, move.balance, move.unit) for move in look.moves}


def accounts(db: Database, access: Access) -> dict[tuple[str, str], tuple[int, str]]:
    """Return what every account holds, by its kind and whose it is."""
    with db.read(access) as session:
        players = {player.id: player.name for player in session.exec(select(Player))}
        seats = {seat.id: players[seat.player_id] for seat in session.exec(select(Seat))}
        return {
            (
                row.kind,
                seats.get(row.seat_id or 0)
                or players.get(row.player_id or 0)
                or row.name
                or row.kind,
            ): (row.balance, row.unit)
            for row in session.exec(select(Account))
        }


@pytest.mark.parametrize("write", WRITES)
def test_what_is_undone_leaves_everything_as_it_was(
    any_database: Database, here: Access, write: str
) -> None:
    """Balances, what the bank advanced, what was converted, who sits where; and the books verify."""
    played = tonight(any_database, here)
    before = cash.held(any_database, here), stands(ask(any_database, here, load, played))
    WRITES[write](any_database, here, played)
    written = cash.held(any_database, here), stands(ask(any_database, here, load, played))
    assert written != before
    held = accounts(any_database, here)
    look = ask(any_database, here, dry(undo_last.undo), played)
    assert look.last == ask(any_database, here, undo_last.look, played).last
    answer = undo_last.undo(table.write(any_database, here), played)
    assert answer["undone"] == look.last.what == write.split()[0]
    then = accounts(any_database, here)
    assert shown(look.preview) == {
        key: (balance - held.get(key, (0, ""))[0], balance, unit)
        for key, (balance, unit) in then.items()
        if balance != held.get(key, (0, ""))[0]
    }
    after = cash.held(any_database, here)
    assert {key: after[key] for key in before[0]} == before[0]
    assert not any(after[key] for key in after.keys() - before[0].keys())
    assert stands(ask(any_database, here, load, played)) == before[1]
    assert list(verify(any_database)) == []


@pytest.mark.parametrize("turn", ["joining", "coming-back", "resumption"])
def test_what_was_done_after_the_hand_is_undone_and_the_hand_stands(
    database: Database, club: Access, turn: str
) -> None:
    """Without a stack no chip moves; the next undo goes one step further back, and redo returns."""
    played = table.start(database, club, table.FOUR)
    if turn == "coming-back":
        seating.sit_out(table.write(database, club), played, player="Dee")
    table.record(database, club, played, cash.ANN_WINS)
    if turn == "resumption":
        lifecycle.pause(table.write(database, club), played)
    before = stands(ask(database, club, load, played))
    if turn == "joining":
        cash.join(database, club, played, "Eve", position=0)
    elif turn == "coming-back":
        seating.come_back(table.write(database, club), played, player="Dee")
    else:
        lifecycle.resume(table.write(database, club), played)
    found = ask(database, club, undo_last.look, played).last
    assert found is not None
    who = {"joining": "Eve", "coming-back": "Dee"}.get(turn)
    assert (found.what, found.player) == (turn, who)
    held = cash.held(database, club)
    assert undo_last.undo(table.write(database, club), played)["undone"] == turn
    assert stands(ask(database, club, load, played)) == before
    assert cash.held(database, club) == held
    earlier = "pause" if turn == "resumption" else "recorded"
    assert undo_last.undo(table.write(database, club), played)["undone"] == earlier
    redone = [undo_last.redo(table.write(database, club), played)["redone"] for _ in range(2)]
    assert redone == [earlier, turn]
    assert cash.held(database, club) == held
    assert list(verify(database)) == []


def test_what_changes_nothing_is_no_entry(database: Database, club: Access) -> None:
    """The same seats, rules and rate again are refused, so the last entry is still the next to undo."""
    played = tonight(database, club)
    kinds = cash.kinds(database, club)
    write = table.write(database, club)
    with pytest.raises(Unchanged):
        seating.change_seats(write, played, order=table.FOUR)
    with pytest.raises(Unchanged):
        convert.set_rate(write, played, rate=cash.TEN_FOR_ONE)
    with pytest.raises(Unchanged):
        start.change_rules(write, played, game="crazy-solo", variant=None, options={})
    assert cash.kinds(database, club) == kinds


@pytest.mark.parametrize("state", ["paused", "closed"])
def test_an_undo_of_a_hand_and_its_preview_wait_for_the_session(
    database: Database, club: Access, state: str
) -> None:
    """A break is undone itself; what is closed takes no undo at all."""
    played = tonight(database, club)
    turn = lifecycle.pause if state == "paused" else lifecycle.close
    turn(table.write(database, club), played)
    if state == "paused":
        assert ask(database, club, dry(undo_last.undo), played).last.what == "pause"
        return
    before = table.row_counts(database)
    for attempt in (
        lambda: ask(database, club, dry(undo_last.undo), played),
        lambda: undo_last.undo(table.write(database, club), played),
    ):
        with pytest.raises(SessionClosed):
            attempt()
    assert table.row_counts(database) == before


def test_a_joining_undone_takes_the_seat_away(any_database: Database, here: Access) -> None:
    """With its stack; joining again takes a new seat."""
    played = tonight(any_database, here)
    cash.join(any_database, here, played, "Eve", position=1)
    assert ask(any_database, here, load, played).names == ("Ann", "Eve", "Bob", "Cyd", "Dee")
    undo_last.undo(table.write(any_database, here), played)
    view = ask(any_database, here, load, played)
    assert view.names == table.FOUR
    assert table.turn(any_database, here, played) == ("Dee", "Ann")
    cash.join(any_database, here, played, "Eve")
    assert cash.seat(any_database, here, played, "Eve").balance == 150


def test_a_joining_is_taken_back_only_while_it_is_what_was_done_last(
    database: Database, club: Access
) -> None:
    """Once Eve has borrowed, undo takes the loan back first, and then the joining with its stack."""
    played = tonight(database, club)
    joined = cash.join(database, club, played, "Eve")["entry"]
    cash.lend(database, club, played, "Eve", 5)
    before = table.row_counts(database)
    for look in (
        lambda: ask(database, club, dry(entry.take_back), played, joined),
        lambda: entry.take_back(table.write(database, club), played, joined, reason="a slip"),
    ):
        with pytest.raises(CannotUndo, match="undone only while it is the last thing done"):
            look()
    assert table.row_counts(database) == before
    undone = [undo_last.undo(table.write(database, club), played)["undone"] for _ in range(2)]
    assert undone == ["loan", "stack"]
    assert [seat.name for seat in ask(database, club, load, played).present] == [*table.FOUR]


def test_the_chips_that_everybody_began_with_are_not_undone(
    database: Database, club: Access
) -> None:
    """Nothing would give them to everybody again; it says what else can be done."""
    played = table.start(database, club, table.FOUR, starting_stack=150)
    look = ask(database, club, undo_last.look, played)
    assert look.last is None
    assert look.refusal is not None
    with pytest.raises(CannotUndo, match="the bank can lend or take back chips, or you") as refused:
        undo_last.undo(table.write(database, club), played)
    assert refused.value.message == look.refusal.message
    assert {seat.balance for seat in ask(database, club, load, played).seats} == {150}
    cash.join(database, club, played, "Eve")
    undo_last.undo(table.write(database, club), played)
    assert [seat.name for seat in ask(database, club, load, played).present] == [*table.FOUR]


def test_a_reopening_says_that_the_session_is_closed_again_instead(
    database: Database, club: Access
) -> None:
    """Nothing is written."""
    played = tonight(database, club)
    lifecycle.close(table.write(database, club), played)
    lifecycle.reopen(table.write(database, club), played)
    before = table.row_counts(database)
    with pytest.raises(CannotUndo, match="Reopening a session can't be undone; close the session"):
        undo_last.undo(table.write(database, club), played)
    assert table.row_counts(database) == before


def test_a_second_undo_goes_back_beyond_what_the_first_took_back(
    database: Database, club: Access
) -> None:
    """The reversal of the loan is not undone."""
    played = tonight(database, club)
    look = ask(database, club, undo_last.look, played).last
    assert look is not None
    cash.lend(database, club, played, "Cyd", 25)
    undone = [undo_last.undo(table.write(database, club), played)["undone"] for _ in range(2)]
    assert undone == ["loan", look.what]


def test_an_evening_with_everything_in_it_verifies(any_database: Database, here: Access) -> None:
    """Whatever comes and goes, chips and money add up, and the chain is whole."""
    played = tonight(any_database, here)
    cash.join(any_database, here, played, "Eve", position=2)
    seating.sit_out(table.write(any_database, here), played, player="Dee")
    table.record(any_database, here, played, cash.ANN_WINS)
    cash.leave(any_database, here, played, "Bob")
    count.record(table.write(any_database, here), played, {"Ann": {30: 10}}, post=True)
    adjust.share_differences(table.write(any_database, here), played)
    cash.convert(any_database, here, played)
    cash.pay(any_database, here, "Cyd", "Ann", 3)
    lifecycle.close(table.write(any_database, here), played)
    assert list(verify(any_database)) == []
    assert sum(cash.owed(any_database, here).values()) == 0
    held = cash.held(any_database, here)
    assert sum(held[key] for key in held if not key.startswith("player")) == 0


def test_an_entry_is_taken_back_once(database: Database, club: Access) -> None:
    """A conflict in words, before the database has to refuse it."""
    played = tonight(database, club)
    cash.convert(database, club, played)
    paid = cash.pay(database, club, "Bob", "Ann", 1)["entry"]
    undo_payment.take_back(table.write(database, club), paid, reason="why")
    with pytest.raises(AlreadyUndone):
        undo_payment.take_back(table.write(database, club), paid, reason="why")
