"""Staging an archive takes little memory, and does not wait for the disk."""

import gzip
import sqlite3
import tracemalloc
from typing import Any

import pytest

from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.keeping.archive.staging import ArchiveRefused
from tests.ledger import table
from tests.ledger.keeping.archive.archives import exported, imported, parsed, written

SESSIONS, VALUES = 20, 100_000


def test_large_lines_take_little_memory(club: Access, database: Database) -> None:
    """Each has 300 kB of options, which take 7 MB as objects; together they would take 140 MB."""
    table.start(database, club)
    header, *rows = parsed(exported(database, 1))
    (session,) = (row for row in rows if row["line"] == "play_session")
    options: Any = [{}] * VALUES
    many = [{**session, "id": number, "options": options} for number in range(1, SESSIONS + 1)]
    players = [row for row in rows if row["line"] == "player"]
    content = written([header, *players, *many])
    content = gzip.compress(gzip.decompress(content), 0)  # it would expand too many times
    tracemalloc.start()
    try:
        with pytest.raises(ArchiveRefused, match="ends too early"):
            imported(database, content)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 60_000_000


def test_the_tables_are_created_without_waiting_for_the_disk(
    club: Access, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each definition is a transaction of its own, so the settings come before the first."""
    statements: list[str] = []
    connect = sqlite3.connect

    def traced(*arguments: Any, **options: Any) -> sqlite3.Connection:
        connection: sqlite3.Connection = connect(*arguments, **options)
        connection.set_trace_callback(statements.append)
        return connection

    table.start(database, club)
    content = exported(database, club.club_id)
    monkeypatch.setattr(sqlite3, "connect", traced)
    imported(database, content)
    created = [number for number, text in enumerate(statements) if text.startswith("CREATE")]
    settings = [number for number, text in enumerate(statements) if "synchronous = OFF" in text]
    assert min(settings) < min(created)
