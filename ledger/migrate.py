"""Migrations, run by themselves when the service starts: once, even if several processes start together.

The whole upgrade is one transaction under one lock. On SQLite that is ``BEGIN IMMEDIATE``, with
foreign keys off meanwhile (rebuilding a table would cascade deletes) and checked at the end; on
PostgreSQL an advisory lock. The second process waits, then finds nothing left to do.
"""

import sqlite3
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Connection, inspect, text
from sqlalchemy.exc import ArgumentError, DBAPIError, InvalidRequestError, OperationalError

from ledger.config import Settings
from ledger.db import Database
from ledger.paths import MIGRATIONS
from ledger.problems import counted

if TYPE_CHECKING:
    from alembic.config import Config

_LOCK = 0x50105010  # any number, as long as every process asks for the same one
_WAL_TRIES = 100


class BrokenReferences(RuntimeError):
    """After a migration there were rows that point at nothing; it was rolled back."""


def newest() -> str:
    """Return the revision that this program's models have; files are named by theirs, in order."""
    return max(file.name.split("_")[0] for file in (MIGRATIONS / "versions").glob("0*.py"))


class CannotOpen(RuntimeError):
    """The ledger can't be reached or read; the message says which, why and where to name others."""


def open_books(settings: Settings, *, new: bool = True) -> Database:
    """Return the database, migrated; a ``new`` one where there is none yet. Raises ``CannotOpen``."""
    try:
        database = Database(settings.database_url)
        if not new and not is_there(database):
            raise _cannot_open(settings, "there is none")
        upgrade(database)
    except BrokenReferences as error:
        raise _cannot_open(settings, str(error)) from error
    except DBAPIError as error:
        raise _cannot_open(settings, str(error.orig)) from error
    except _refusals() as error:
        # No such driver, or it is not installed; or a later version of this program wrote there.
        raise _cannot_open(settings, str(error)) from error
    return database


def _cannot_open(settings: Settings, why: str) -> CannotOpen:
    reason = " ".join(why.split()).removesuffix(".")
    return CannotOpen(
        f"Can't open the ledger in {settings.database_place}: {reason}. Is that the right place? "
        "Set LEDGER_DATABASE_URL or LEDGER_DATA_DIR to use another."
    )


def _refusals() -> tuple[type[Exception], ...]:
    """What says why books cannot be brought up to date; looked up only where something did."""
    from alembic.util import CommandError

    return (ArgumentError, ImportError, InvalidRequestError, CommandError)


def upgrade(database: Database, revision: str = "head") -> None:
    """Bring the database up to ``revision``; one that is there already has nothing to wait for."""
    if revision == "head" and is_there(database, at=newest()):
        if database.is_sqlite:
            _use_wal(database)
        return
    from alembic import command  # takes longer to import than all else before a page is served

    _run(database, lambda config: command.upgrade(config, revision))


def is_there(database: Database, at: str | None = None) -> bool:
    """Whether there are books, at one revision or at any: looked at without making any."""
    if database.is_sqlite and not Path(database.url.database or "").exists():
        return False
    with database.engine.connect() as connection:
        revision = _revision(connection)
        return revision is not None and at in (None, revision)


def downgrade(database: Database, revision: str) -> None:
    """Downgrade the database to ``revision``."""
    from alembic import command

    _run(database, lambda config: command.downgrade(config, revision))


def _run(database: Database, act: "Callable[[Config], None]") -> None:
    from alembic.config import Config

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
    if not inspect(connection).has_table("alembic_version"):
        return None
    revision: str | None = connection.scalar(text("SELECT version_num FROM alembic_version"))
    return revision


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
