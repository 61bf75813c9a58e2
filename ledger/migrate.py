"""Migrations, run by themselves when the service starts: once, even if several processes start together.

The whole upgrade is one transaction under one lock. On SQLite that is ``BEGIN IMMEDIATE``, with
foreign keys off meanwhile (rebuilding a table would cascade deletes) and checked at the end; on
PostgreSQL an advisory lock. The second process waits, then finds nothing left to do.
"""

import sqlite3
import time
from collections.abc import Callable
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from sqlalchemy import Connection, text
from sqlalchemy.exc import OperationalError

from ledger.db import Database
from ledger.paths import MIGRATIONS
from ledger.problems import counted

_LOCK = 0x50105010  # any number, as long as every process asks for the same one
_WAL_TRIES = 100


class BrokenReferences(RuntimeError):
    """After a migration there were rows that point at nothing; it was rolled back."""


def upgrade(database: Database, revision: str = "head") -> None:
    """Bring the database up to ``revision``."""
    _run(database, lambda config: command.upgrade(config, revision))


def is_there(database: Database) -> bool:
    """Whether there are books: looked at without making any."""
    if database.is_sqlite and not Path(database.url.database or "").exists():
        return False
    with database.engine.connect() as connection:
        return _revision(connection) is not None


def downgrade(database: Database, revision: str) -> None:
    """Downgrade the database to ``revision``."""
    _run(database, lambda config: command.downgrade(config, revision))


def _run(database: Database, act: Callable[[Config], None]) -> None:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    if not database.is_sqlite:
        with database.engine.begin() as connection:
            # Another process may be at it, which takes as long as it takes.
            connection.execute(text("SET LOCAL lock_timeout = 0"))
            connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
            config.attributes["connection"] = connection
            act(config)
        return
    _use_wal(database)
    with database.engine.connect() as connection:
        raw = connection.connection.driver_connection
        assert raw is not None
        raw.execute("PRAGMA foreign_keys = OFF")
        try:
            with connection.execution_options(ledger_begin="BEGIN IMMEDIATE").begin():
                config.attributes["connection"] = connection
                before = _revision(connection)
                act(config)
                if _revision(connection) != before:
                    _check_references(connection)
        finally:
            raw.execute("PRAGMA foreign_keys = ON")


def _revision(connection: Connection) -> str | None:
    return MigrationContext.configure(connection).get_current_revision()


def _check_references(connection: Connection) -> None:
    broken = connection.exec_driver_sql("PRAGMA foreign_key_check").fetchall()
    if broken:
        table, row, other, _ = broken[0]
        raise BrokenReferences(
            f"{counted(len(broken), 'row')} would refer to nothing after the migration, which "
            f"was rolled back: the first is {row} in {table}, whose {other} is missing"
        )


def _use_wal(database: Database) -> None:
    # Changing the journal mode does not wait for other connections as other statements do.
    for attempt in range(_WAL_TRIES):
        try:
            with database.engine.connect() as connection:
                raw = connection.connection.driver_connection
                assert raw is not None
                raw.execute("PRAGMA journal_mode = WAL")
            return
        except (sqlite3.OperationalError, OperationalError) as error:
            if "locked" not in str(error) or attempt == _WAL_TRIES - 1:
                raise
        time.sleep(0.05)
