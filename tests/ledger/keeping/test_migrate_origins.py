"""Migration 0029: the origins of imported clubs, and the address of a club that has left."""

import pytest
from sqlmodel import select

from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.database.models import Club, ClubOrigin
from ledger.database.revisions import NotMigrated
from ledger.database.scope import insert
from ledger.keeping import migrate
from ledger.runtime.clock import now
from ledger.services.audit import verify
from ledger.services.club import clubs
from tests.ledger import table

BEFORE = "0028"


@pytest.fixture
def owner(own_database: Database) -> Access:
    """The owner of a club with an evening, on SQLite, then on PostgreSQL."""
    access, _ = clubs.create(own_database, name="Kitchen", passcode="four aces", author="Sue")
    table.record(own_database, access, table.start(own_database, access), table.HEARTS_74)
    return access


def test_books_with_an_imported_club_can_not_go_back(own_database: Database, owner: Access) -> None:
    """Older versions would take its signatures for forged ones; nothing is changed."""
    row = {"number": 3, "last_entry_id": 1, "arrived_at": now()}
    with own_database.write(owner) as session:
        insert(session, ClubOrigin, row)
    with pytest.raises(NotMigrated, match="whose signatures older versions can't check"):
        migrate.downgrade(own_database, BEFORE)
    assert list(verify(own_database)) == []


def test_a_club_that_has_left_is_back_after_a_downgrade(
    own_database: Database, owner: Access
) -> None:
    """An entry says so, which the next upgrade and everything after it verify."""
    with own_database.write(owner) as session:
        session.exec(select(Club)).one().moved_to = "https://cards.example.org"
    migrate.downgrade(own_database, BEFORE)
    migrate.upgrade(own_database)
    with own_database.read(owner) as session:
        assert session.exec(select(Club.moved_to)).one() is None
    assert list(verify(own_database)) == []
    table.start(own_database, owner)
    assert list(verify(own_database)) == []
