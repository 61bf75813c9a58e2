"""Taking back what is no hand's: every account, seat and sum is as it was before."""

from collections.abc import Callable

import pytest

from ledger.access import Access
from ledger.db import Database
from ledger.services import (
    adjusting,
    bank,
    clubs,
    counting,
    evening,
    payments,
    sessions,
    taking_back,
    undo,
)
from ledger.services.session_view import SessionView, find_row
from ledger.services.taking_back import CannotTakeBack, TakenBackAlready
from ledger.services.verify import verify
from tests.ledger import cash, table


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
        db, access, table.new_key(), played, player="Bob", chips=30
    ),
    "adjustment": lambda db, access, played: adjusting.adjust(
        db, access, table.new_key(), played, player="Bob", chips=-5, reason="lost"
    ),
    "adjustment by a count": lambda db, access, played: counting.write(
        db, access, table.new_key(), played, {"Bob": {20: 4}, "Ann": {30: 11}}, post=True
    ),
    "cash-out": lambda db, access, played: cash.leave(db, access, played, "Bob"),
    "conversion": lambda db, access, played: cash.convert(db, access, played),
}


def stands(view: SessionView) -> object:
    """Return all a session's seats and state but its revision."""
    return view.seats, view.state, view.first_dealer, view.rate


@pytest.mark.parametrize("write", WRITES)
def test_what_is_undone_leaves_everything_as_it_was(
    any_database: Database, here: Access, write: str
) -> None:
    """Balances, what the bank advanced, what was converted, who sits where; and the books verify."""
    played = tonight(any_database, here)
    before = cash.held(any_database, here), stands(sessions.show(any_database, here, played))
    WRITES[write](any_database, here, played)
    assert cash.held(any_database, here) != before[0]
    answer = undo.undo(any_database, here, table.new_key(), played)
    assert answer["undone"] == write.split()[0]
    after = cash.held(any_database, here)
    assert {key: after[key] for key in before[0]} == before[0]
    assert not any(after[key] for key in after.keys() - before[0].keys())
    assert stands(sessions.show(any_database, here, played)) == before[1]
    assert list(verify(any_database)) == []


def test_a_joining_undone_takes_the_seat_away(any_database: Database, here: Access) -> None:
    """With its stack; joining again takes a new seat."""
    played = tonight(any_database, here)
    cash.join(any_database, here, played, "Eve", position=1)
    assert sessions.show(any_database, here, played).names == ("Ann", "Eve", "Bob", "Cyd", "Dee")
    undo.undo(any_database, here, table.new_key(), played)
    view = sessions.show(any_database, here, played)
    assert view.names == table.FOUR
    assert view.opening_dealer.name == "Cyd"
    cash.join(any_database, here, played, "Eve")
    assert cash.seat(any_database, here, played, "Eve").balance == 150


def test_a_joining_is_not_undone_over_chips_that_were_won(database: Database, club: Access) -> None:
    """Once Eve has more from the bank than the stack, or has won or lost, she leaves instead."""
    played = tonight(database, club)
    joined = cash.join(database, club, played, "Eve")
    cash.lend(database, club, played, "Eve", 5)
    entry, _ = cash.entry(database, club, joined)
    before = table.row_counts(database)
    with (
        pytest.raises(CannotTakeBack, match="Eve has played since; Eve can leave instead"),
        database.write(club) as session,
    ):
        taking_back.take_back(session, club, find_row(session, played), entry, "why")
    assert table.row_counts(database) == before


def test_starting_stacks_can_be_undone(database: Database, club: Access) -> None:
    """The seats stay, with nothing."""
    played = table.start(database, club, table.FOUR, starting_stack=150)
    undo.undo(database, club, table.new_key(), played)
    seats = sessions.show(database, club, played).seats
    assert [(seat.balance, seat.advanced) for seat in seats] == [(0, 0)] * 4


@pytest.mark.parametrize(
    ("last", "said"),
    [
        ("reopening", "Reopening a session is not undone; close the session"),
        ("reversal", "took something back already"),
    ],
)
def test_what_has_its_own_way_back_says_so(
    database: Database, club: Access, last: str, said: str
) -> None:
    """Nothing is written."""
    played = tonight(database, club)
    if last == "reopening":
        sessions.close(database, club, table.new_key(), played)
        sessions.reopen(database, club, table.new_key(), played)
    else:
        cash.lend(database, club, played, "Cyd", 25)
        undo.undo(database, club, table.new_key(), played)
    before = table.row_counts(database)
    with pytest.raises(CannotTakeBack, match=said):
        undo.undo(database, club, table.new_key(), played)
    assert table.row_counts(database) == before


def test_an_evening_with_everything_in_it_verifies(any_database: Database, here: Access) -> None:
    """Whatever comes and goes, chips and money add up, and the chain is whole."""
    played = tonight(any_database, here)
    cash.join(any_database, here, played, "Eve", position=2)
    evening.sit_out(any_database, here, table.new_key(), played, player="Dee")
    table.record(any_database, here, played, cash.ANN_WINS)
    cash.leave(any_database, here, played, "Bob")
    counting.write(any_database, here, table.new_key(), played, {"Ann": {30: 10}}, post=True)
    adjusting.share_differences(any_database, here, table.new_key(), played)
    cash.convert(any_database, here, played)
    cash.pay(any_database, here, "Cyd", "Ann", 3)
    sessions.close(any_database, here, table.new_key(), played)
    assert list(verify(any_database)) == []
    assert sum(cash.owed(any_database, here).values()) == 0
    held = cash.held(any_database, here)
    assert sum(held[key] for key in held if not key.startswith("player")) == 0


def test_an_entry_is_taken_back_once(database: Database, club: Access) -> None:
    """A conflict in words, before the database has to refuse it."""
    played = tonight(database, club)
    cash.convert(database, club, played)
    paid = cash.pay(database, club, "Bob", "Ann", 1)["entry"]
    payments.take_back(database, club, table.new_key(), paid, reason="why")
    with pytest.raises(TakenBackAlready):
        payments.take_back(database, club, table.new_key(), paid, reason="why")
