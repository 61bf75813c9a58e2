"""Tills that are not empty: who left for money is owed by nobody until the others' chips are money."""

import pytest

from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.services.club import clubs
from ledger.services.money import payments
from ledger.services.money.till import Owed, TillNotEmpty, Unfinished
from ledger.services.session.load import load
from ledger.services.table import lifecycle
from ledger.services.undo import leaving as undo_leaving
from tests.ledger import cash, table
from tests.ledger.table import ask


@pytest.fixture
def here(any_database: Database) -> Access:
    """A club on either database."""
    return clubs.found(any_database, name="Kitchen Table", passcode="four aces", author="Sue")[0]


def left_for_money(db: Database, access: Access, player: str, title: str) -> int:
    """Ann wins 300 of six others at ten chips to a cent; then ``player`` leaves."""
    evening = table.start(db, access, rate=cash.TEN_FOR_ONE, title=title)
    table.record(db, access, evening, cash.ANN_WINS)
    cash.leave(db, access, evening, player)
    return evening


def close(db: Database, access: Access, session_id: int) -> None:
    """Close a session."""
    lifecycle.close(table.write(db, access), session_id)


def test_a_session_is_not_closed_before_the_others_chips_are_money(
    any_database: Database, here: Access
) -> None:
    """Refused with what to do; once converted it closes."""
    evening = left_for_money(any_database, here, "Ann", "Friday")
    before = table.row_counts(any_database)
    with pytest.raises(TillNotEmpty, match=r"left “Friday” for money.*Cash in the chips"):
        close(any_database, here, evening)
    assert table.row_counts(any_database) == before
    assert ask(any_database, here, load, evening).state == "open"
    cash.convert(any_database, here, evening)
    close(any_database, here, evening)
    assert ask(any_database, here, load, evening).state == "closed"


def test_a_session_closes_when_the_leaving_is_taken_back(database: Database, club: Access) -> None:
    """And one that was left without a rate closes as it is: no money was booked."""
    evening = left_for_money(database, club, "Ann", "Friday")
    undo_leaving.take_back(table.write(database, club), evening, player="Ann", reason="stays")
    close(database, club, evening)
    for_chips = table.start(database, club)
    table.record(database, club, for_chips, cash.ANN_WINS)
    cash.leave(database, club, for_chips, "Ann")
    close(database, club, for_chips)


def test_two_tills_that_cancel_leave_nobody_even(any_database: Database, here: Access) -> None:
    """Bob owes 5 on Friday; on Monday somebody is owed 5: both are named, and no payment is proposed."""
    friday = left_for_money(any_database, here, "Bob", "Friday")
    monday = table.start(any_database, here, rate=cash.TEN_FOR_ONE, title="Monday")
    table.record(any_database, here, monday, {**cash.ANN_WINS, "points": 35})
    cash.leave(any_database, here, monday, "Cyd")
    held = cash.held(any_database, here)
    assert held[f"session/{friday}/till"] == -held[f"session/{monday}/till"] == 5
    due = ask(any_database, here, payments.settle_up)
    assert due.payments == ()
    assert due.unfinished == (
        Unfinished(friday, "Friday", "open", (Owed("Bob", -5),)),
        Unfinished(monday, "Monday", "open", (Owed("Cyd", 5),)),
    )
    cash.convert(any_database, here, friday)
    assert [each.title for each in ask(any_database, here, payments.settle_up).unfinished] == [
        "Monday"
    ]
    cash.convert(any_database, here, monday)
    due = ask(any_database, here, payments.settle_up)
    assert (due.unfinished, due.balances, due.payments) == ((), (), ())


def test_only_this_clubs_sessions_are_named(
    database: Database, ours: Access, theirs: Access
) -> None:
    """Another club's till is its own affair."""
    left_for_money(database, theirs, "Ann", "Theirs")
    assert ask(database, ours, payments.settle_up).unfinished == ()
