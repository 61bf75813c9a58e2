"""Deleting a session in which nothing was written: gone from every list, and the books are in order."""

from collections.abc import Callable

import pytest

from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.services.audit import verify
from ledger.services.chips import count
from ledger.services.money import convert, currency
from ledger.services.reads import sessions
from ledger.services.session.load import find_row, load
from ledger.services.table import lifecycle, seating, start
from ledger.services.table.lifecycle import SomethingWritten
from ledger.services.undo import last
from ledger.words.problems import NotFound, Stale
from tests.ledger import cash, table
from tests.ledger.table import ask


def delete(database: Database, access: Access, session_id: int) -> None:
    """Delete a session as it stands."""
    lifecycle.delete(table.write(database, access), session_id)


def _moved_about(database: Database, access: Access, session_id: int) -> None:
    cash.join(database, access, session_id, "Eve")
    seating.sit_out(table.write(database, access), session_id, player="Bob")
    convert.set_rate(table.write(database, access), session_id, rate=cash.TEN_FOR_ONE)
    last.undo(table.write(database, access), session_id)
    convert.set_rate(table.write(database, access), session_id, rate=cash.TEN_FOR_ONE)
    lifecycle.pause(table.write(database, access), session_id)


def _closed(database: Database, access: Access, session_id: int) -> None:
    lifecycle.close(table.write(database, access), session_id)


@pytest.mark.parametrize("before", [lambda *_: None, _moved_about, _closed])
@pytest.mark.parametrize("stack", [0, 200])
def test_a_session_in_which_nothing_was_written_is_in_no_list_any_more(
    database: Database, club: Access, stack: int, before: Callable[..., None]
) -> None:
    """Whoever sat there, at whatever rate; all chips are back at the bank, and the journal says so."""
    kept = table.start(database, club, table.FOUR)
    mistake = table.start(database, club, table.FOUR, starting_stack=stack)
    before(database, club, mistake)
    delete(database, club, mistake)
    for read in (load, find_row):
        with pytest.raises(NotFound):
            ask(database, club, read, mistake)
    assert [row.id for row in ask(database, club, start.every)] == [kept]
    assert ask(database, club, start.count) == 1
    assert [each.session_id for each in ask(database, club, sessions.of_club)] == [kept]
    assert [each.session_id for each in ask(database, club, sessions.of_player, 1)[0]] == [kept]
    assert set(cash.held(database, club).values()) == {0}
    assert list(verify(database)) == []
    currency.change(table.write(database, club), currency="JPY")  # its rate is in nobody's way
    with pytest.raises(NotFound):
        delete(database, club, mistake)


@pytest.mark.parametrize(
    "write",
    [
        lambda db, who, s: table.record(db, who, s, cash.ANN_WINS),
        lambda db, who, s: cash.lend(db, who, s, "Ann", 20),
        lambda db, who, s: cash.leave(db, who, s, "Ann"),
        lambda db, who, s: count.record(table.write(db, who), s, {"Ann": {5: 1}}),
    ],
)
def test_a_session_in_which_something_was_written_is_kept(
    database: Database, club: Access, write: Callable[..., object]
) -> None:
    """A hand, a loan, a leaving, a count; and it stays kept when that is undone."""
    played = table.start(database, club, table.FOUR)
    assert ask(database, club, lifecycle.may_be_deleted, played)
    write(database, club, played)
    for undo in (True, False):
        assert not ask(database, club, lifecycle.may_be_deleted, played)
        with pytest.raises(SomethingWritten, match="can't be deleted"):
            delete(database, club, played)
        if undo:
            last.undo(table.write(database, club), played)
    assert ask(database, club, load, played).is_open


def test_who_deletes_has_seen_the_session_as_it_is(database: Database, club: Access) -> None:
    """Somebody may have sat down meanwhile."""
    mistake = table.start(database, club, table.FOUR)
    cash.join(database, club, mistake, "Eve")
    with pytest.raises(Stale):
        lifecycle.delete(table.write(database, club, 1), mistake)


def test_the_number_of_a_deleted_evening_is_not_given_again(
    database: Database, club: Access
) -> None:
    """No two evenings are called the same because nobody named them."""
    mistake = table.start(database, club, table.FOUR)
    table.start(database, club, table.FOUR)
    delete(database, club, mistake)
    table.start(database, club, table.FOUR)
    titles = [row.title for row in ask(database, club, start.every)]
    assert titles == ["Evening 3", "Evening 2"]
