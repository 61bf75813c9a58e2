"""Migrations, run by themselves when the service starts: once, even if several processes start together.

The whole upgrade is one transaction under one lock. On SQLite that is ``BEGIN IMMEDIATE``, with
foreign keys off meanwhile (rebuilding a table would cascade deletes) and checked at the end; on
PostgreSQL an advisory lock. The second process waits, then finds nothing left to do.
Books that are as new as this program are opened without alembic, whose import everybody would wait for.
Of others that hold anything a backup is made first.
"""

import sqlite3
import time
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from sqlalchemy import Connection, text
from sqlalchemy.exc import ArgumentError, DBAPIError, InvalidRequestError, OperationalError

from ledger.books.transactions import Database
from ledger.database import revisions
from ledger.database.connecting import MOST_OPEN, sqlite_file
from ledger.database.revisions import NEWEST, NotMigrated
from ledger.keeping.backup import Backups, NoBackup
from ledger.runtime.clock import now
from ledger.runtime.config import Settings
from ledger.runtime.files import private
from ledger.runtime.paths import MIGRATIONS
from ledger.runtime.signing import SigningKey
from ledger.words.problems import counted

if TYPE_CHECKING:
    from alembic.config import Config

_WAL_TRIES = 100
_BESIDE_THREADS = 8
"""Connections for what asks beside the server's threads: news for followers, when a key was last used."""


class BrokenReferences(NotMigrated):
    """After a migration there were rows that point at nothing; it was rolled back."""


class CannotOpen(RuntimeError):
    """The ledger can't be reached or read; the message says which, why and where to name others."""


def open_books(settings: Settings, *, new: bool = True) -> Database:
    """Return the database, migrated; a ``new`` one where there is none yet. Raises ``CannotOpen``."""
    try:
        wanted = _BESIDE_THREADS + 2 * settings.threads  # those that read, and those that write
        database = Database(settings.database_url, max(wanted, MOST_OPEN))
        database.signer = (
            SigningKey.from_text(settings.signing_key) if settings.signing_key else None
        )
        at, since = revisions.at(database), now()
        if not new and at is None:
            raise _cannot_open(settings, "there is none")
        if at not in (None, NEWEST) and settings.backups_kept and not _is_empty(database):
            Backups.of(settings).make(unless_since=since)
        upgrade(database)
    except (
        DBAPIError,
        sqlite3.Error,
    ) as error:  # the latter of the file itself, as one that is read-only
        raise _cannot_open(settings, str(getattr(error, "orig", error))) from error
    except NoBackup as error:
        raise _cannot_open(
            settings,
            f"it is to be migrated, and a backup comes first. {error} Who makes backups by other means "
            "sets LEDGER_BACKUPS_KEPT=0",
        ) from error
    except (ArgumentError, ImportError, InvalidRequestError, NotMigrated) as error:
        # No such driver, or it is not installed; or what was there is not to be migrated.
        raise _cannot_open(settings, str(error)) from error
    return database


def _cannot_open(settings: Settings, why: str) -> CannotOpen:
    reason = " ".join(why.split()).removesuffix(".")
    return CannotOpen(
        f"Can't open the ledger in {settings.database_place}: {reason}. Is that the right place? "
        "Set LEDGER_DATABASE_URL or LEDGER_DATA_DIR to use another."
    )


def upgrade(database: Database, to: str = NEWEST) -> None:
    """Bring the database up to ``to``."""
    at = revisions.at(database)
    if database.is_sqlite:
        _use_wal(database)
    if at != to:
        from alembic import command

        _run(database, lambda config: command.upgrade(config, to))


def downgrade(database: Database, to: str) -> None:
    """Downgrade the database to ``to``."""
    from alembic import command

    _run(database, lambda config: command.downgrade(config, to))


def _is_empty(database: Database) -> bool:
    with database.engine.connect() as connection:
        return connection.execute(text("SELECT id FROM club LIMIT 1")).first() is None


def _run(database: Database, act: "Callable[[Config], None]") -> None:
    from alembic.config import Config
    from alembic.util import CommandError

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    try:
        (_run_on_sqlite if database.is_sqlite else _run_on_postgres)(database, config, act)
    except CommandError as error:
        raise NotMigrated(str(error)) from error


def _run_on_postgres(database: Database, config: "Config", act: "Callable[[Config], None]") -> None:
    engine = database.engine.execution_options(ledger_sign=_signer(database))
    with engine.begin() as connection:
        # Another process may be at it, which takes as long as it takes.
        connection.execute(text("SET LOCAL lock_timeout = 0"))
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": revisions.LOCK})
        config.attributes["connection"] = connection
        act(config)


def _run_on_sqlite(database: Database, config: "Config", act: "Callable[[Config], None]") -> None:
    with database.engine.connect() as connection:
        raw = connection.connection.driver_connection
        assert raw is not None
        raw.execute("PRAGMA foreign_keys = OFF")
        try:
            options = {"ledger_begin": "BEGIN IMMEDIATE", "ledger_sign": _signer(database)}
            with connection.execution_options(**options).begin():
                config.attributes["connection"] = connection
                before = revisions.of(connection)
                act(config)
                if revisions.of(connection) != before:
                    _check_references(connection)
        finally:
            raw.execute("PRAGMA foreign_keys = ON")


def _signer(database: Database) -> Callable[[int, str], bytes] | None:
    """Return what signs the entries that a migration makes."""
    return database.signer.sign if database.signer else None


def _check_references(connection: Connection) -> None:
    broken = connection.exec_driver_sql("PRAGMA foreign_key_check").fetchall()
    if broken:
        table, row, other, _ = broken[0]
        raise BrokenReferences(
            f"{counted(len(broken), 'row')} would refer to nothing after the migration, which "
            f"was rolled back: the first is {row} in {table}, whose {other} is missing"
        )


def _use_wal(database: Database) -> None:
    with suppress(OSError):  # it is there; or else SQLite says what is wrong with the place
        private(sqlite_file(database.url))
    # Changing the journal mode does not wait for other connections as other statements do.
    for attempt in range(_WAL_TRIES):
        try:
            with database.engine.connect() as connection:
                raw = connection.connection.driver_connection
                assert raw is not None
                raw.execute("PRAGMA auto_vacuum = INCREMENTAL")  # of a file that is empty so far
                raw.execute("PRAGMA journal_mode = WAL")
            return
        except (sqlite3.OperationalError, OperationalError) as error:
            if "locked" not in str(error) or attempt == _WAL_TRIES - 1:
                raise
        time.sleep(0.05)
