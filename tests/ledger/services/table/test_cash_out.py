"""Leaving early: chips to the bank, money by the rate, a closed account, and the way back."""

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DatabaseError

from ledger.books.balances import AccountClosed
from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.runtime.clock import now
from ledger.services.audit import verify
from ledger.services.chips import adjust
from ledger.services.chips.bank import ScoresNotChips
from ledger.services.club import clubs
from ledger.services.common import writing
from ledger.services.common.idempotency import WriteResponse
from ledger.services.common.writing import Write
from ledger.services.money import convert
from ledger.services.reads import accounts
from ledger.services.session.load import load
from ledger.services.table import cash_out, lifecycle, start
from ledger.services.undo import entry as undo_entry
from ledger.services.undo import last
from ledger.services.undo import leaving as undo_leaving
from ledger.services.undo.reverse import CannotUndo
from ledger.words.problems import Invalid, KeyReused, SessionClosed
from tests.ledger import cash, table
from tests.ledger.table import ask, dry


@pytest.fixture
def here(any_database: Database) -> Access:
    """A club on either database."""
    return clubs.found(any_database, name="Kitchen Table", passcode="four aces", author="Sue")[0]


def take_back(db: Database, access: Access, session_id: int, player: str) -> WriteResponse:
    """Take a leaving back: it was too early to go."""
    return undo_leaving.take_back(
        table.write(db, access), session_id, player=player, reason="stays on"
    )


def test_who_leaves_gives_all_chips_to_the_bank_and_takes_the_money(
    any_database: Database, here: Access
) -> None:
    """Ann won 300 on a stack of 150; at ten chips to a cent that is 30 cents, owed by the till."""
    evening = table.start(any_database, here, starting_stack=150, rate=cash.TEN_FOR_ONE)
    table.record(any_database, here, evening, cash.ANN_WINS)
    ann = cash.seat(any_database, here, evening, "Ann")
    answer = cash.leave(any_database, here, evening, "ann")
    made, moved = cash.entry(any_database, here, answer)
    assert moved == {
        f"seat/{ann.id}": -450,
        f"session/{evening}/bank": 450,
        f"player/{ann.player_id}/EUR": 30,
        f"session/{evening}/till": -30,
    }
    assert made.kind == "cash-out"
    assert made.details["rate"] == {"chips": 10, "money": 1}
    left = cash.seat(any_database, here, evening, "Ann")
    assert (left.state, left.balance, left.net) == ("left", 0, 300)
    assert "Ann" not in answer["balances"]
    assert ask(any_database, here, load, evening).names == table.SEVEN[1:]


def test_who_leaves_behind_owes(any_database: Database, here: Access) -> None:
    """Bob lost 50 of his 150: 100 go back, and 5 cents are his debt."""
    evening = table.start(any_database, here, starting_stack=150, rate=cash.TEN_FOR_ONE)
    table.record(any_database, here, evening, cash.ANN_WINS)
    cash.leave(any_database, here, evening, "Bob")
    assert cash.owed(any_database, here) == {"Bob": -5}


def test_without_a_rate_only_chips_go_back(any_database: Database, here: Access) -> None:
    """What was won is remembered, to be converted when a rate is agreed on."""
    evening = table.start(any_database, here)
    table.record(any_database, here, evening, cash.ANN_WINS)
    answer = cash.leave(any_database, here, evening, "Ann")
    _, moved = cash.entry(any_database, here, answer)
    assert sorted(moved.values()) == [-300, 300]
    assert cash.nets(any_database, here, evening)["Ann"] == 300
    cash.convert(any_database, here, evening, cash.TEN_FOR_ONE)
    assert cash.owed(any_database, here) == {"Ann": 30} | dict.fromkeys(table.SEVEN[1:], -5)


def test_a_closed_account_takes_no_posting(any_database: Database, here: Access) -> None:
    """An adjustment of theirs is not undone: refused in the table's words, nothing half done."""
    evening = table.start(any_database, here)
    write = table.write(any_database, here)
    agreed = adjust.adjust(write, evening, player="Bob", chips=20, reason="agreed")["entry"]
    cash.leave(any_database, here, evening, "Bob")
    before = table.row_counts(any_database)
    with pytest.raises(AccountClosed, match=r"Bob has cashed out.*undo the leaving first"):
        undo_entry.take_back(table.write(any_database, here), evening, agreed, reason="no")
    assert table.row_counts(any_database) == before
    take_back(any_database, here, evening, "Bob")
    undo_entry.take_back(table.write(any_database, here), evening, agreed, reason="no")
    assert set(table.balances(any_database, here, evening).values()) == {0}


def test_the_database_itself_refuses_a_posting_to_a_closed_account(
    any_database: Database, here: Access
) -> None:
    """Whoever sends it, past the journal."""
    evening = table.start(any_database, here)
    table.record(any_database, here, evening, cash.ANN_WINS)
    bob = cash.seat(any_database, here, evening, "Bob")
    cash.leave(any_database, here, evening, "Bob")
    insert = (
        "INSERT INTO posting (club_id, entry_id, account_id, amount, balance) "
        f"SELECT club_id, max(id), {bob.account_id}, 5, 5 FROM journal_entry GROUP BY club_id"
    )
    before = table.row_counts(any_database)
    with (
        pytest.raises(DatabaseError, match="a closed account takes no posting"),
        any_database.write() as session,
    ):
        session.execute(text(insert))
    assert table.row_counts(any_database) == before


def test_a_leaving_taken_back_gives_seat_chips_and_money_back(
    any_database: Database, here: Access
) -> None:
    """Bob sits out where he sat, with what he had, and owes nothing for it."""
    evening = table.start(any_database, here, starting_stack=150, rate=cash.TEN_FOR_ONE)
    table.record(any_database, here, evening, cash.ANN_WINS)
    before = cash.held(any_database, here)
    bob = cash.seat(any_database, here, evening, "Bob")
    left = cash.leave(any_database, here, evening, "Bob")
    answer = take_back(any_database, here, evening, "bob")
    made, _ = cash.entry(any_database, here, answer)
    assert (made.kind, made.reverses_id, made.reason) == ("reversal", left["entry"], "stays on")
    assert cash.seat(any_database, here, evening, "Bob") == bob
    assert ask(any_database, here, load, evening).names == table.SEVEN
    after = cash.held(any_database, here)
    assert {key: after[key] for key in before} == before
    assert cash.owed(any_database, here) == {}
    cash.leave(any_database, here, evening, "Bob")
    take_back(any_database, here, evening, "Bob")
    assert cash.seat(any_database, here, evening, "Bob") == bob


def test_only_who_left_can_take_the_leaving_back(database: Database, club: Access) -> None:
    """At the field, with those who could."""
    evening = table.start(database, club)
    cash.leave(database, club, evening, "Cyd")
    for player in ("Bob", "Zed"):
        with pytest.raises(Invalid, match=f"{player} has not left") as caught:
            take_back(database, club, evening, player)
        (fault,) = caught.value.faults
        assert (fault.field, fault.legal) == ("player", ("Cyd",))


def test_who_comes_back_after_leaving_takes_a_new_seat(database: Database, club: Access) -> None:
    """What was won before stays with the old seat, which can't be taken back meanwhile."""
    evening = table.start(database, club)
    table.record(database, club, evening, cash.ANN_WINS)
    cash.leave(database, club, evening, "Bob")
    cash.join(database, club, evening, "Bob", position=1)
    table.record(database, club, evening, cash.ANN_WINS)
    bobs = [seat for seat in ask(database, club, load, evening).seats if seat.name == "Bob"]
    assert [(seat.state, seat.net) for seat in bobs] == [("playing", -50), ("left", -50)]
    assert ask(database, club, accounts.settlement, evening).even
    with pytest.raises(CannotUndo, match="Bob has come back to another seat"):
        take_back(database, club, evening, "Bob")
    cash.leave(database, club, evening, "Bob")
    take_back(database, club, evening, "Bob")
    assert cash.seat(database, club, evening, "Bob").id == bobs[0].id


def test_the_departure_undone_by_name_is_the_last_one_that_stands(
    database: Database, club: Access
) -> None:
    """Bob left his first seat again after he had left a second one: he gets the first one back."""
    evening = table.start(database, club, table.FOUR, starting_stack=150)
    first = cash.leave(database, club, evening, "Bob")["entry"]
    cash.join(database, club, evening, "Bob")
    second = cash.leave(database, club, evening, "Bob")["entry"]
    undo_entry.take_back(table.write(database, club), evening, first, reason="he stayed")
    last = cash.leave(database, club, evening, "Bob")["entry"]
    assert take_back(database, club, evening, "Bob")["takes_back"] == last
    cash.leave(database, club, evening, "Bob")
    undo_entry.take_back(table.write(database, club), evening, second, reason="he stayed")
    assert [seat.name for seat in ask(database, club, load, evening).present].count("Bob") == 1


def test_a_retried_leaving_cashes_out_once(database: Database, club: Access) -> None:
    """The key of one leaving is good for no other."""
    evening = table.start(database, club, rate=cash.TEN_FOR_ONE)
    table.record(database, club, evening, cash.ANN_WINS)
    key = table.new_key()
    first = cash_out.leave(Write(database, club, key), evening, player="Ann")
    assert cash_out.leave(Write(database, club, key), evening, player="Ann") == first
    with pytest.raises(KeyReused):
        cash_out.leave(Write(database, club, key), evening, player="Bob")
    assert cash.owed(database, club) == {"Ann": 30}
    with pytest.raises(Invalid, match="Ann has no seat"):
        cash.leave(database, club, evening, "Ann")


GERMAN = table.german_solo("Ann")
"""Ann scores; nobody pays."""


def change_game(db: Database, access: Access, session_id: int, game: str) -> None:
    """Play another game from now on."""
    start.change_rules(table.write(db, access), session_id, game=game, variant=None, options={})


def test_a_game_of_scores_leaves_the_chips_of_an_evening_alone(
    any_database: Database, here: Access
) -> None:
    """Eve left for money before German Solo, Dee leaves after it: both are paid for chips, at one rate."""
    evening = table.start(any_database, here, table.SEVEN[:5], rate=cash.TEN_FOR_ONE)
    table.record(any_database, here, evening, cash.ANN_WINS)
    chips = table.balances(any_database, here, evening)
    cash.leave(any_database, here, evening, "Eve")
    change_game(any_database, here, evening, "german-solo")
    table.record(any_database, here, evening, table.german_solo("Dee"))
    assert table.balances(any_database, here, evening)["Dee"] == chips["Dee"]
    quote = ask(any_database, here, dry(cash_out.leave), evening, player="Dee")
    assert (quote.won, quote.money) == (chips["Dee"], chips["Dee"] // 10)
    cash.leave(any_database, here, evening, "Dee")
    left = cash.seat(any_database, here, evening, "Dee")
    assert (left.balance, left.net, left.unpaid + left.converted, left.scored) == (
        *(0, chips["Dee"], chips["Dee"]),
        6,
    )
    assert list(verify(any_database)) == []


def test_who_leaves_a_game_of_scores_takes_the_score_along(
    database: Database, club: Access
) -> None:
    """No chips lie on the table: nothing goes to the bank, no money is booked, and the score stays theirs."""
    evening = table.start(database, club, table.FOUR, "german-solo")
    table.record(database, club, evening, GERMAN)
    with pytest.raises(ScoresNotChips, match=r"German Solo is played for scores.*no rate"):
        convert.set_rate(table.write(database, club), evening, rate=cash.TEN_FOR_ONE)
    assert ask(database, club, dry(cash_out.leave), evening, player="Ann").money is None
    cash.leave(database, club, evening, "Ann")
    held = {
        each.kind: each.balance for each in ask(database, club, accounts.books, evening).accounts
    }
    assert held.get("bank", 0) == 0
    assert cash.seat(database, club, evening, "Ann").scored == 6
    change_game(database, club, evening, "six-bid")
    left = cash.seat(database, club, evening, "Ann")
    assert (left.balance, left.net, left.scored) == (0, 0, 6)
    take_back(database, club, evening, "Ann")
    assert cash.seat(database, club, evening, "Ann").net == 0
    assert list(verify(database)) == []


def test_who_was_to_deal_first_is_again_when_the_leaving_is_taken_back(
    any_database: Database, here: Access
) -> None:
    """Bob was the next one clockwise while Cyd was gone; by undo as by name. Another's leaving gives none."""
    evening = table.start(any_database, here, table.FOUR, first_dealer="Cyd")
    cash.leave(any_database, here, evening, "Cyd")
    assert table.turn(any_database, here, evening)[0] == "Dee"
    last.undo(table.write(any_database, here), evening)
    assert table.turn(any_database, here, evening)[0] == "Cyd"
    cash.leave(any_database, here, evening, "Cyd")
    cash.leave(any_database, here, evening, "Ann")
    take_back(any_database, here, evening, "Ann")
    take_back(any_database, here, evening, "Cyd")
    assert table.turn(any_database, here, evening) == ("Cyd", "Dee")
    assert ask(any_database, here, load, evening).names == table.FOUR


def test_the_leaving_that_stands_is_taken_back_whatever_the_clock_said(
    any_database: Database, here: Access, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Cyd left, stayed, and left again in one instant; whose joining was taken back never left at all."""
    at = now()
    monkeypatch.setattr(writing, "now", lambda: at)
    evening = table.start(any_database, here, table.FOUR)
    cash.leave(any_database, here, evening, "Cyd")
    take_back(any_database, here, evening, "Cyd")
    again = cash.leave(any_database, here, evening, "Cyd")
    taken_back = take_back(any_database, here, evening, "Cyd")
    assert cash.entry(any_database, here, taken_back)[0].reverses_id == again["entry"]
    cash.join(any_database, here, evening, "Eve")
    last.undo(table.write(any_database, here), evening)
    with pytest.raises(Invalid, match="Eve has not left"):
        take_back(any_database, here, evening, "Eve")


def test_no_leaving_is_quoted_of_a_closed_session(database: Database, club: Access) -> None:
    """Refused as the deed is."""
    evening = table.start(database, club, table.FOUR, rate=cash.TEN_FOR_ONE)
    lifecycle.close(table.write(database, club), evening)
    with pytest.raises(SessionClosed):
        ask(database, club, dry(cash_out.leave), evening, player="Ann")
