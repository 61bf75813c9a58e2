"""Books from before corrections after a leaving, and the way back while there are none."""

import pytest

from ledger.books.transactions import Database
from ledger.database.revisions import NotMigrated
from ledger.keeping import migrate
from ledger.services.audit import verify
from ledger.services.club import clubs
from tests.ledger import cash, table

BEFORE = "0021"
"""A revision without the kind of entry."""


def test_books_take_corrections_after_a_leaving_once_they_are_upgraded(database_url: str) -> None:
    """Down and up again while there are none; with one, down is refused and nothing is lost."""
    database = Database(database_url)
    migrate.upgrade(database)
    access, _ = clubs.create(database, name="Kitchen Table", passcode="four aces", author="Sue")
    tonight = table.start(database, access, starting_stack=150, rate=cash.TEN_FOR_ONE)
    table.record(database, access, tonight, cash.ANN_WINS)
    cash.leave(database, access, tonight, "Bob")
    migrate.downgrade(database, BEFORE)
    migrate.upgrade(database)
    assert list(verify(database)) == []
    table.void(database, access, tonight, 1)
    assert list(verify(database)) == []
    assert cash.owed(database, access) == {}
    with pytest.raises(NotMigrated, match="corrected after a player had left"):
        migrate.downgrade(database, BEFORE)
    assert list(verify(database)) == []
    database.close()
