"""Opening a ledger, with automatic migration: once, even if several processes start together.

The whole upgrade is one transaction under one lock. On SQLite that is ``BEGIN IMMEDIATE``, with foreign keys
off during it (rebuilding a table would cascade deletes) and checked at the end; on PostgreSQL an advisory
lock. The second process waits, then has nothing to do. A current database is opened without importing
alembic, which takes long. Before an upgrade of a database that is not empty, a backup is made.
"""

import logging
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from sqlalchemy import Connection, func, select, text
from sqlalchemy.exc import ArgumentError, DBAPIError, InvalidRequestError, OperationalError

from ledger.books.transactions import Database
from ledger.database import revisions
from ledger.database.connecting import MOST_OPEN, sqlite_file
from ledger.database.models import metadata
from ledger.database.revisions import NEWEST, NotMigrated
from ledger.keeping import known_keys
from ledger.keeping.backup import Backups, NoBackup
from ledger.keeping.planning import remove_statistics, write_statistics
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
"""Connections besides those of the server's threads: for followers' news and the last use of keys."""

_log = logging.getLogger("ledger")


class BrokenReferences(NotMigrated):
    """A migration left rows with missing references; it was rolled back."""


class CannotOpen(RuntimeError):
    """The ledger can't be reached or read; the message names it, the reason and the settings."""


def open_books(settings: Settings, *, new: bool = True) -> Database:
    """Return the migrated database, created if missing and ``new``. Raises ``CannotOpen``.

    Before a migration of a ledger with clubs it makes a backup, unless the settings keep none. It logs a
    warning if the signing key was replaced.
    """
    try:
        needed = _BESIDE_THREADS + 2 * settings.threads  # threads that read, and those that write
        database = Database(settings.database_url, max(needed, MOST_OPEN))
        database.signer = (
            SigningKey.from_text(settings.signing_key) if settings.signing_key else None
        )
        at, since = revisions.at(database), now()
        if not new and at is None:
            raise _cannot_open(settings, "there is none")
        if (
            at is not None
            and not revisions.is_ours(at)
            and settings.backups_kept
            and not _is_empty(database)
        ):
            Backups.of(settings).make(unless_since=since)
        upgrade(database)
        if notice := _replaced_key(settings, database):
            _log.warning("%s", notice)
    except (DBAPIError, sqlite3.Error) as error:  # the latter for a read-only file, for example
        raise _cannot_open(settings, str(getattr(error, "orig", error))) from error
    except NoBackup as error:
        raise _cannot_open(
            settings,
            f"it is to be migrated, and a backup comes first. {error} Who makes backups by other means "
            "sets LEDGER_BACKUPS_KEPT=0",
        ) from error
    except (ArgumentError, ImportError, InvalidRequestError, NotMigrated) as error:
        # An unknown or missing driver, or a database that can't be migrated.
        raise _cannot_open(settings, str(error)) from error
    return database


def _replaced_key(settings: Settings, database: Database) -> str:
    """Return a warning if the first club's first signed entry is older than the key and by no known one.

    Otherwise return an empty text. Imported clubs are left out, as their first entries are signed elsewhere.
    A lost key is replaced by a new one at start; without the warning only ``verify`` would notice.
    """
    keys = known_keys.from_settings(settings)
    since = keys[0].since if settings.signing_key else None
    if since is None:
        return ""
    entries, clubs, origins = (
        metadata.tables[name].c for name in ("journal_entry", "club", "club_origin")
    )
    first_club = select(func.min(clubs.id)).where(clubs.id.not_in(select(origins.club_id)))
    query = select(entries.club_id, entries.digest, entries.signature, entries.entered_at)
    with database.engine.connect() as connection:
        signed = query.where(
            entries.club_id == first_club.scalar_subquery(), entries.signature.is_not(None)
        )
        row = connection.execute(signed.order_by(entries.id).limit(1)).first()
    if row is None or row.entered_at >= since:
        return ""
    if any(key.verifies(row.signature, row.club_id, row.digest) for key in keys):
        return ""
    return (
        f"The signing key was made on {since:%Y-%m-%d at %H:%M} UTC, and earlier entries are signed by "
        f"another one, so solo-ledger verify will fail: {known_keys.remedy(settings)}."
    )


def _cannot_open(settings: Settings, fault: str) -> CannotOpen:
    reason = " ".join(fault.split()).removesuffix(".")
    return CannotOpen(
        f"Can't open the ledger in {settings.database_place}: {reason}. Is that the right place? "
        "Set LEDGER_DATABASE_URL or LEDGER_DATA_DIR to use another."
    )


def upgrade(database: Database, to: str = NEWEST) -> None:
    """Upgrade the database to revision ``to``, or roll back and raise ``NotMigrated`` or its error.

    One that a newer version's rolling migrations have upgraded further stays as it is. A missing SQLite file
    is created, and any SQLite file is set to WAL mode, even at that revision.
    """
    at = revisions.at(database)
    if database.is_sqlite:
        _use_wal(database)
    if at != to and not (to == NEWEST and revisions.is_ours(at)):
        from alembic import command

        _run(database, lambda config: command.upgrade(config, to))


def downgrade(database: Database, to: str) -> None:
    """Downgrade the database to revision ``to``; fails as ``upgrade`` does."""
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
        # Another process may be migrating, for any length of time.
        connection.execute(text("SET LOCAL lock_timeout = 0"))
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": revisions.LOCK})
        config.attributes["connection"] = connection
        act(config)


def _run_on_sqlite(database: Database, config: "Config", act: "Callable[[Config], None]") -> None:
    with database.engine.connect() as connection, references_unchecked(connection):
        options = {"ledger_begin": "BEGIN IMMEDIATE", "ledger_sign": _signer(database)}
        with connection.execution_options(**options).begin():
            config.attributes["connection"] = connection
            with migrating(connection):
                act(config)


@contextmanager
def references_unchecked(connection: Connection) -> Iterator[None]:
    """Let SQLite rebuild tables that others refer to; begun outside of a transaction, or it has no effect."""
    if connection.dialect.name != "sqlite":
        yield
        return
    raw = connection.connection.driver_connection
    assert raw is not None
    raw.execute("PRAGMA foreign_keys = OFF")
    try:
        yield
    finally:
        raw.execute("PRAGMA foreign_keys = ON")


@contextmanager
def migrating(connection: Connection) -> Iterator[None]:
    """Check SQLite's references after a migration, and write the statistics of the newest schema.

    They fit no other schema, so a downgrade removes them. Raises ``BrokenReferences``.
    """
    before = revisions.of(connection)
    yield
    after = revisions.of(connection)
    if connection.dialect.name != "sqlite" or after == before:
        return
    _check_references(connection)
    if after == NEWEST:
        write_statistics(connection)
    else:
        remove_statistics(connection)


def _signer(database: Database) -> Callable[[int, str], bytes] | None:
    """Return the function that signs a migration's entries, if there is a key."""
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
    with suppress(OSError):  # it exists, or SQLite reports the fault below
        private(sqlite_file(database.url))
    # Unlike other statements, changing the journal mode doesn't wait for other connections.
    for attempt in range(_WAL_TRIES):
        try:
            with database.engine.connect() as connection:
                raw = connection.connection.driver_connection
                assert raw is not None
                raw.execute(
                    "PRAGMA auto_vacuum = INCREMENTAL"
                )  # has an effect on an empty file only
                raw.execute("PRAGMA journal_mode = WAL")
            return
        except (sqlite3.OperationalError, OperationalError) as error:
            if "locked" not in str(error) or attempt == _WAL_TRIES - 1:
                raise
        time.sleep(0.05)
