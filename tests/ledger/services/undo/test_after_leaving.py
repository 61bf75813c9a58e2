"""What is undone after a player left: corrections, entries that hands follow, and the leaving itself."""

import pytest
from sqlmodel import select

from ledger.books.balances import AccountClosed
from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.database.models import JournalEntry
from ledger.services.chips import adjust
from ledger.services.club import clubs
from ledger.services.session import activity
from ledger.services.session.load import load
from ledger.services.undo import entry as undo_entry
from ledger.services.undo import last as undo_last
from ledger.services.undo import leaving as undo_leaving
from ledger.services.undo.reverse import CannotUndo
from tests.ledger import cash, table
from tests.ledger.departed import (
    ANN_LOSES,
    adjusted,
    evening,
    frog,
    must_balance,
    since,
    stay,
    undo,
)
from tests.ledger.table import ask, dry


@pytest.fixture
def here(any_database: Database) -> Access:
    """A club on either database."""
    return clubs.found(any_database, name="Kitchen Table", passcode="four aces", author="Sue")[0]


def test_undo_takes_a_correction_back_with_what_was_settled_for_it(
    any_database: Database, here: Access
) -> None:
    """In one step, as if it had never been; and it is one action for who comes back."""
    played = evening(any_database, here)
    revision = ask(any_database, here, load, played).revision
    cash.lend(any_database, here, played, "Cyd", 10)
    before = cash.held(any_database, here)
    table.correct(any_database, here, played, 1, ANN_LOSES)
    seen = ask(any_database, here, load, played)
    done = ask(any_database, here, activity.since, seen, revision)
    assert [(each.what, each.hand) for each in done] == [("loan", None), ("corrected", 1)]
    answer = undo(any_database, here, played)
    assert (answer["undone"], answer["hand"]) == ("corrected", 1)
    assert cash.held(any_database, here) == before
    assert since(any_database, here, played) == ()
    must_balance(any_database, here, played)


def test_what_was_settled_is_not_undone_without_its_hand(
    any_database: Database, here: Access
) -> None:
    """The books would no longer say the same of the seat and of the hand."""
    played = evening(any_database, here)
    table.correct(any_database, here, played, 1, ANN_LOSES)
    with any_database.read(here) as session:
        entry = session.exec(
            select(JournalEntry.id).where(JournalEntry.kind == "after-leaving")
        ).one()
    with pytest.raises(CannotUndo, match="correct or void that hand instead"):
        undo_entry.take_back(table.write(any_database, here), played, entry, reason="why")


def test_a_leaving_undone_after_a_correction_gives_back_what_would_have_been_there(
    any_database: Database, here: Access
) -> None:
    """Chips and money are as if Bob had stayed; he leaves again with what he then has."""
    played = evening(any_database, here)
    table.correct(any_database, here, played, 1, ANN_LOSES)
    seen = ask(any_database, here, dry(undo_leaving.take_back), played, player="Bob")
    revision = ask(any_database, here, load, played).revision
    stay(any_database, here, played)
    assert {move.name: move.amount for move in seen.moves if move.kind != "seat"} == {
        "bank": -200,
        "Bob": -5,
        "till": 5,
    }
    bob = cash.seat(any_database, here, played, "Bob")
    assert (bob.state, bob.balance, bob.unpaid) == ("playing", 200, 50)
    assert cash.owed(any_database, here) == {}
    done = ask(any_database, here, activity.since, ask(any_database, here, load, played), revision)
    assert [(each.what, each.player) for each in done] == [("reversal", "Bob")]
    must_balance(any_database, here, played)
    cash.leave(any_database, here, played, "Bob")
    assert cash.owed(any_database, here) == {"Bob": 5}
    assert since(any_database, here, played) == ()
    table.void(any_database, here, played, 1)
    assert cash.owed(any_database, here) == {}
    must_balance(any_database, here, played)


def test_a_player_who_came_back_is_settled_with_for_the_seat_they_left(
    any_database: Database, here: Access
) -> None:
    """The hand was played on the old seat: the chips in front of Bob now do not move."""
    played = evening(any_database, here)
    cash.join(any_database, here, played, "Bob")
    table.correct(any_database, here, played, 1, ANN_LOSES)
    seats = [seat for seat in ask(any_database, here, load, played).seats if seat.name == "Bob"]
    assert [(seat.has_left, seat.balance, seat.net) for seat in seats] == [
        (False, 150, 0),
        (True, 0, 50),
    ]
    assert cash.owed(any_database, here) == {"Bob": 5}
    must_balance(any_database, here, played)
    cash.leave(any_database, here, played, "Bob")
    table.void(any_database, here, played, 1)
    assert cash.owed(any_database, here) == {}
    must_balance(any_database, here, played)


def test_two_who_left_are_settled_with_each_for_themself(
    any_database: Database, here: Access
) -> None:
    """One leaving undone leaves the other's as it is."""
    played = evening(any_database, here)
    cash.leave(any_database, here, played, "Ann")
    table.correct(any_database, here, played, 1, ANN_LOSES)
    assert cash.owed(any_database, here) == {"Ann": -30, "Bob": 5}
    stay(any_database, here, played)
    assert cash.owed(any_database, here) == {"Ann": -30}
    must_balance(any_database, here, played)


def test_hands_that_follow_an_undone_entry_are_settled_with_players_who_left(
    any_database: Database, here: Access
) -> None:
    """A pot that Ann was given chips of was won by Bob, who left: undone, he won more."""
    played = table.start(
        any_database,
        here,
        table.FOUR,
        "progressive",
        options={"pots": {"stake": 5}},
        rate=cash.TEN_FOR_ONE,
    )
    table.record(any_database, here, played, {"dealer": "Dee", **table.ALL_PASS})
    given = adjust.adjust(
        table.write(any_database, here), played, player="Ann", chips=12, pot="frog", reason="hers"
    )
    table.record(any_database, here, played, frog("Bob"))
    cash.leave(any_database, here, played, "Bob")
    looked = ask(any_database, here, dry(undo_entry.take_back), played, given["entry"])
    before = cash.held(any_database, here)
    answer = undo_entry.take_back(
        table.write(any_database, here), played, given["entry"], reason="not hers"
    )
    after = cash.held(any_database, here)
    moved = [amount - before.get(key, 0) for key, amount in after.items()]
    assert sorted(filter(None, moved)) == sorted(move.amount for move in looked.moves)
    assert answer["after_leaving"] == [
        {"player": "Bob", "chips": 12, "money": 1, "currency": "EUR"}
    ]
    must_balance(any_database, here, played)


def test_only_hands_move_the_chips_of_a_player_who_left(
    any_database: Database, here: Access
) -> None:
    """An adjustment they were part of is not undone: that still says to undo the leaving first."""
    played = table.start(any_database, here, rate=cash.TEN_FOR_ONE)
    made = adjusted(any_database, here, played, 20)
    cash.leave(any_database, here, played, "Bob")
    before = table.row_counts(any_database)
    with pytest.raises(AccountClosed, match=r"Bob has cashed out.*undo the leaving first"):
        undo_entry.take_back(table.write(any_database, here), played, made["entry"], reason="why")
    assert table.row_counts(any_database) == before


def test_changes_and_the_leaving_are_undone_and_redone_one_by_one(
    any_database: Database, here: Access
) -> None:
    """Each step back and forth is to the cent what it was, and the books are in order at each."""
    played = evening(any_database, here)
    stayed = table.balances(any_database, here, played) | {"Bob": 100}
    states = [cash.held(any_database, here)]
    table.correct(any_database, here, played, 1, ANN_LOSES)
    states.append(cash.held(any_database, here))
    table.void(any_database, here, played, 1)
    states.append(cash.held(any_database, here))
    for state in (states[1], states[0]):
        undo(any_database, here, played)
        assert cash.held(any_database, here) == state
        must_balance(any_database, here, played)
    undo(any_database, here, played)
    assert table.balances(any_database, here, played) == stayed
    must_balance(any_database, here, played)
    for state in states:
        undo_last.redo(table.write(any_database, here), played)
        assert cash.held(any_database, here) == state
        must_balance(any_database, here, played)
