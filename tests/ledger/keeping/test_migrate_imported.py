"""Migration 0036: entries that import balances from other programs."""

import pytest

from ledger.books.transactions import Database
from ledger.database.revisions import NotMigrated
from ledger.keeping import migrate
from ledger.services.audit import verify
from ledger.services.club import clubs
from ledger.services.money import payments
from ledger.services.money.import_book import import_book
from tests.ledger import table
from tests.ledger.evenings import CardClub
from tests.ledger.services.audit.books import FOREIGN, an_evening

BEFORE = "0035"


@pytest.fixture
def club(own_database: Database) -> CardClub:
    """A club with an evening, on SQLite, then on PostgreSQL."""
    access, _ = clubs.create(own_database, name="Kitchen", passcode="four aces", author="Sue")
    an_evening(own_database, access)
    return CardClub(own_database, access)


def test_books_with_imported_balances_can_not_go_back(club: CardClub) -> None:
    """Older versions don't know the kind of the entries; nothing is changed."""
    club.do(import_book, book=FOREIGN, players_by_member={})
    with pytest.raises(NotMigrated, match="imported from another program"):
        migrate.downgrade(club.db, BEFORE)
    assert list(verify(club.db)) == []


def test_other_books_go_back_and_take_imports_afterwards(club: CardClub) -> None:
    """All triggers, indexes and rows stay."""
    before = table.row_counts(club.db)
    migrate.downgrade(club.db, BEFORE)
    migrate.upgrade(club.db)
    assert table.row_counts(club.db) == before
    assert list(verify(club.db)) == []
    club.do(import_book, book=FOREIGN, players_by_member={})
    assert club.read(payments.settle_up).balances
    assert list(verify(club.db)) == []
