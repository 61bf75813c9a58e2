"""Books of which something kept is no JSON any more: every migration runs, and verifying names it.

On SQLite alone, which keeps JSON as text; a JSON column of PostgreSQL can't hold anything else.
"""

import sqlite3
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.keeping import migrate
from ledger.runtime.config import Settings
from ledger.services.audit import verify
from ledger.services.table import start
from tests.ledger import cash, table

CUT = '{"game": "six'
"""What is left of a record that was cut short."""

RECORD = "UPDATE hand_version SET record = ? WHERE hand_id = 2"
DETAILS = "UPDATE journal_entry SET details = ? WHERE kind = 'cash-out'"


BEFORE = "0018"
"""The last revision in which chips and scores shared a sum."""


@pytest.fixture
def path(settings: Settings) -> Path:
    """Where the books are."""
    return Path(settings.database_url.removeprefix("sqlite:///"))


@pytest.fixture
def books(database: Database, club: Access) -> Database:
    """A hand for chips, two of German Solo, and Dee, who left."""
    german: dict[str, Any] = {"game": "german-solo", "variant": None, "options": {}}
    evening = table.start(database, club, table.SEVEN[:5])
    table.record(database, club, evening, {"contract": {"bid": "pass"}})
    cash.leave(database, club, evening, "Dee")
    start.change_rules(table.write(database, club), evening, **german)
    for bidder in ("Ann", "Bob"):
        table.record(database, club, evening, table.german_solo(bidder))
    assert list(verify(database)) == []
    return database


def spoil(path: Path, done: str) -> None:
    """Cut something short that no trigger lets anybody change."""
    with sqlite3.connect(path) as connection:
        guards = connection.execute(
            "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'"
        ).fetchall()
        for name, _ in guards:
            connection.execute(f"DROP TRIGGER {name}")
        assert connection.execute(done, (CUT,)).rowcount == 1
        for _, made in guards:
            connection.execute(made)
    connection.close()


def told(database: Database) -> str:
    """Return the findings of verifying."""
    return "\n".join(map(str, verify(database)))


def units(database: Database) -> list[tuple[int, str]]:
    """Return the unit of each hand's results, by hand."""
    query = "SELECT DISTINCT hand_id, unit FROM result ORDER BY hand_id"
    with database.engine.begin() as connection:
        return [(row.hand_id, row.unit) for row in connection.execute(text(query))]


def test_scores_are_told_apart_where_a_record_is_cut_short(books: Database, path: Path) -> None:
    """Its game is unknown, so it is left with chips; the others keep theirs."""
    spoil(path, RECORD)
    migrate.downgrade(books, BEFORE)
    migrate.upgrade(books)
    assert units(books) == [(1, "chips"), (2, "chips"), (3, "score")]
    assert "hand 2" in told(books)
    assert "it can't be read" in told(books)
    migrate.downgrade(books, BEFORE)


@pytest.mark.parametrize(("done", "hands"), [(RECORD, [1, 3]), (DETAILS, [1, 2, 3])])
def test_books_with_something_cut_short_come_up_from_the_first_revisions(
    books: Database, path: Path, done: str, hands: list[int]
) -> None:
    """A hand that can't be read adds nothing, and an unreadable entry names no left neighbour."""
    migrate.downgrade(books, "0002a")
    spoil(path, done)
    migrate.upgrade(books)
    assert [hand for hand, _ in units(books)] == hands
    assert told(books)
