"""A ledger on PostgreSQL is backed up and restored by PostgreSQL's own tools."""

import os
from pathlib import Path

import pytest
from sqlalchemy import inspect, make_url, text

from ledger.books.transactions import Database
from ledger.keeping import postgres
from ledger.keeping.backup import Backups, NoBackup
from ledger.keeping.restore import NotRestored, restore
from ledger.runtime.config import Settings
from ledger.services.audit import verify
from tests.conftest import DatabaseUrl
from tests.ledger import table

pytestmark = pytest.mark.postgres


def backups_of(database: Database, folder: Path) -> Backups:
    """The backups of a database, in a folder."""
    url = database.url.render_as_string(hide_password=False)
    return Backups.of(Settings(url, folder, "a secret for tests only"))


def test_a_dump_is_restored_verified_into_an_empty_database(
    on_postgres: Database, postgres_url: DatabaseUrl, tmp_path: Path
) -> None:
    """Every row comes back, and the database with its name has its content."""
    backup = backups_of(on_postgres, tmp_path).make()
    assert backup.intact
    assert backup.file.suffix == ".dump"
    empty = postgres_url()
    restore(backup.file, make_url(empty))
    restored = Database(empty)
    assert table.row_counts(restored) == table.row_counts(on_postgres)
    assert list(verify(restored)) == []
    restored.close()


def test_a_database_with_tables_is_refused(on_postgres: Database, tmp_path: Path) -> None:
    """The living books stay as they are."""
    before = table.row_counts(on_postgres)
    backup = backups_of(on_postgres, tmp_path).make()
    with pytest.raises(NotRestored, match="name an empty database"):
        restore(backup.file, on_postgres.url)
    assert table.row_counts(on_postgres) == before


def test_what_does_not_verify_leaves_the_database_empty(
    on_postgres: Database, postgres_url: DatabaseUrl, tmp_path: Path
) -> None:
    """No table, no function: a sound backup can still go there."""
    sound = backups_of(on_postgres, tmp_path / "sound").make()
    with on_postgres.engine.begin() as connection:
        connection.execute(text("UPDATE account SET balance = balance + 1 WHERE seat_id = 1"))
    spoiled = backups_of(on_postgres, tmp_path / "spoiled").make()
    empty = postgres_url()
    with pytest.raises(NotRestored, match="not in order"):
        restore(spoiled.file, make_url(empty))
    restored = Database(empty)
    assert inspect(restored.engine).get_table_names() == []
    restored.close()
    restore(sound.file, make_url(empty))


def test_a_damaged_dump_is_found(
    on_postgres: Database, postgres_url: DatabaseUrl, tmp_path: Path
) -> None:
    """By its name's digest where it has one, else as it is read: nothing is put into the database."""
    backup = backups_of(on_postgres, tmp_path).make()
    complete = backup.file.read_bytes()
    backup.file.write_bytes(complete[:-2000])
    renamed = backup.file.rename(backup.file.with_name("renamed.dump"))
    empty = postgres_url()
    with pytest.raises(NotRestored, match="pg_restore failed"):
        restore(renamed, make_url(empty))
    renamed.rename(backup.file)
    with pytest.raises(NotRestored, match="does not hold what was saved"):
        restore(backup.file, make_url(empty))
    restored = Database(empty)
    assert inspect(restored.engine).get_table_names() == []
    restored.close()


def test_a_missing_tool_is_said_with_what_to_install(
    on_postgres: Database, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """None on the path, none where Debian puts them, or only one that is too old."""
    monkeypatch.setattr(postgres, "_DEBIAN", tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(NoBackup, match=r"pg_dump of version \d+ or newer is needed\. Install"):
        backups_of(on_postgres, tmp_path).make()
    (tmp_path / "pg_dump").write_text("#!/bin/sh\necho 'pg_dump (PostgreSQL) 9.6'\n")
    (tmp_path / "pg_dump").chmod(0o700)
    with pytest.raises(NoBackup, match="found is pg_dump of version 9"):
        backups_of(on_postgres, tmp_path).make()
    assert backups_of(on_postgres, tmp_path).list_all() == []
    assert not [name for name in os.listdir(tmp_path / "backups") if "partial" in name]


def test_a_tool_that_does_not_end_is_not_waited_for_without_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A server that hangs in the night holds no later backup up."""
    monkeypatch.setattr(postgres, "LONGEST_RUN", 0.05)
    monkeypatch.setattr(postgres, "_find", lambda *_: "sleep")
    with pytest.raises(postgres.CopyFailed, match="pg_dump did not end within 0 seconds"):
        postgres._run("pg_dump", 0, None, "30")
