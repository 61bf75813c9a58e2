"""Opening a ledger: a backup before it is migrated, files of its owner alone, and refusals."""

import os
import sqlite3
import stat
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.pool import QueuePool

from ledger.books.transactions import Database
from ledger.database import revisions
from ledger.database.access import Access
from ledger.keeping import migrate
from ledger.keeping.backup import Backups
from ledger.keeping.migrate import CannotOpen, open_books
from ledger.runtime.config import Settings
from ledger.services.audit import verify
from ledger.services.club import clubs
from tests.ledger import table

BEFORE = "0012"
"""A revision before the newest."""


@pytest.fixture
def older(database: Database, club: Access, settings: Settings) -> Settings:
    """The settings of a ledger with a hand in it, as an earlier version left it."""
    table.record(database, club, table.start(database, club), table.HEARTS_74)
    migrate.downgrade(database, BEFORE)
    database.close()
    return settings


def revision(file: Path) -> str:
    """Read a file's revision."""
    with closing(sqlite3.connect(file)) as books:
        return str(books.execute("SELECT version_num FROM alembic_version").fetchone()[0])


def test_a_backup_is_made_before_a_migration_and_not_again(older: Settings) -> None:
    """It holds the ledger as it was; opening the migrated one makes none."""
    for _ in range(2):
        opened = open_books(older)
        assert revisions.at(opened) == revisions.NEWEST
        assert list(verify(opened)) == []
        opened.close()
    (backup,) = Backups.of(older).list_all()
    assert revision(backup.file) == BEFORE


@pytest.mark.parametrize("at", [None, BEFORE])
def test_of_an_empty_ledger_no_backup_is_made(tmp_path: Path, at: str | None) -> None:
    """A new one, and one of an earlier version without a club."""
    settings = Settings(f"sqlite:///{tmp_path / 'ledger.sqlite'}", tmp_path, "secret")
    if at:
        database = Database(settings.database_url)
        migrate.upgrade(database, at)
        database.close()
    open_books(settings).close()
    assert Backups.of(settings).list_all() == []


def test_without_a_backup_nothing_is_migrated(older: Settings, tmp_path: Path) -> None:
    """The folder can't be made: the sentence names it, and the way to go on without."""
    (tmp_path / "taken").touch()
    told = replace(older, backup_dir=tmp_path / "taken")
    with pytest.raises(CannotOpen, match=r"a backup comes first.*taken.*LEDGER_BACKUPS_KEPT=0"):
        open_books(told)
    assert revision(tmp_path / "ledger.sqlite") == BEFORE
    open_books(replace(told, backups_kept=0)).close()
    assert revision(tmp_path / "ledger.sqlite") == revisions.NEWEST


def test_the_files_of_a_new_ledger_are_its_owners_alone(tmp_path: Path) -> None:
    """The file, its log and its index: with any umask of the process."""
    before = os.umask(0)
    try:
        database = open_books(Settings(f"sqlite:///{tmp_path / 'new.sqlite'}", tmp_path, "secret"))
        clubs.create(database, name="Kitchen Table", passcode="four aces")
    finally:
        os.umask(before)
    modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in tmp_path.glob("new.sqlite*")}
    assert modes == dict.fromkeys(("new.sqlite", "new.sqlite-wal", "new.sqlite-shm"), 0o600)
    database.close()


def test_a_ledger_of_a_newer_version_is_refused_in_a_sentence(
    database: Database, settings: Settings
) -> None:
    """Its schema, this version's, and the remedy; it is left as it is."""
    with database.engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(CannotOpen) as refused:
        open_books(settings)
    assert "a newer version of Solo Ledger wrote it (schema 9999" in str(refused.value)
    assert "install that version" in str(refused.value)
    assert Backups.of(settings).list_all() == []


def test_a_file_in_another_encoding_is_refused_in_a_sentence(tmp_path: Path) -> None:
    """SQLite's text in UTF-16."""
    file = tmp_path / "ledger.sqlite"
    with closing(sqlite3.connect(file)) as books:
        books.execute("PRAGMA encoding = 'UTF-16le'")
        books.execute("CREATE TABLE club (id INTEGER)")
    with pytest.raises(CannotOpen, match=r"text is in UTF-16le.*UTF-8 only"):
        open_books(Settings(f"sqlite:///{file}", tmp_path, "secret"))


@pytest.mark.postgres
def test_a_database_in_another_encoding_is_refused_in_a_sentence(
    postgres_books: Database, tmp_path: Path
) -> None:
    """PostgreSQL's in LATIN1."""
    name = f"latin_{os.getpid()}"
    with postgres_books.engine.connect().execution_options(
        isolation_level="AUTOCOMMIT"
    ) as connection:
        connection.execute(
            text(
                f"CREATE DATABASE {name} TEMPLATE template0 ENCODING 'LATIN1' "
                "LC_COLLATE 'C' LC_CTYPE 'C'"
            )
        )
        url = postgres_books.url.set(database=name).render_as_string(hide_password=False)
        try:
            with pytest.raises(CannotOpen, match="text is in LATIN1"):
                open_books(Settings(url, tmp_path, "secret"))
        finally:
            connection.execute(text(f"DROP DATABASE {name} WITH (FORCE)"))


@pytest.mark.parametrize(("threads", "most"), [(1, 32), (12, 32), (64, 136)])
def test_no_thread_of_the_server_waits_for_a_connection(
    settings: Settings, threads: int, most: int
) -> None:
    """There is one for each reader and each writer, and some for the checks."""
    opened = open_books(replace(settings, threads=threads))
    pool = opened.engine.pool
    assert isinstance(pool, QueuePool)
    assert pool.size() == most
    opened.close()
