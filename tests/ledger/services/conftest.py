"""Clubs for the tests of the services."""

import pytest

from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.services.club import clubs
from tests.ledger.evenings import CardClub


@pytest.fixture
def sqlite_club(database: Database, club: Access) -> CardClub:
    """A club in SQLite."""
    return CardClub(database, club)


@pytest.fixture
def any_club(any_database: Database) -> CardClub:
    """A club in SQLite, then in PostgreSQL."""
    access, _ = clubs.create(any_database, name="Kitchen Table", passcode="four aces", author="Sue")
    return CardClub(any_database, access)


@pytest.fixture
def our_club(database: Database, ours: Access) -> CardClub:
    """The first of two clubs with something in every table."""
    return CardClub(database, ours)


@pytest.fixture
def their_club(database: Database, theirs: Access) -> CardClub:
    """The second of two clubs with something in every table."""
    return CardClub(database, theirs)
