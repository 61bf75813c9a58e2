"""Staging ledgers that are copied, as running all migrations takes longer than most of these tests."""

import shutil
from pathlib import Path

import pytest

from ledger.books.transactions import Database
from ledger.database.connecting import sqlite_file
from ledger.keeping import migrate
from ledger.keeping.archive import staging


@pytest.fixture(autouse=True)
def _migrated_already(empty_books: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Begin each staging ledger with a copy of a migrated one."""

    def upgrade(database: Database, *to: str) -> None:
        if not (place := sqlite_file(database.url)).exists():
            shutil.copy(empty_books, place)
        migrate.upgrade(database, *to)

    monkeypatch.setattr(staging, "upgrade", upgrade)
