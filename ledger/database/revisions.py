"""Revisions of the schema: those this program knows, and the one a database has."""

from typing import Any

from sqlalchemy import ColumnElement, Connection, String, inspect, select, text
from sqlalchemy.ext.compiler import compiles

from ledger.database.connecting import Connected, sqlite_file
from ledger.runtime.paths import MIGRATIONS
from ledger.words.problems import Migrating, OtherRevision

REVISIONS = {file.name.partition("_")[0] for file in (MIGRATIONS / "versions").glob("*.py")}
NEWEST = max(REVISIONS)
"""The revision after the last migration; they are numbered in order.

If servers of the version before may go on after a migration, it is ``rolling``, and its revision is theirs
with ``r1`` to ``r9`` at the end: 0029r1 follows 0029. So its name alone tells a server whether it may go on.
"""

_MOVING = "moving-"
MOVING = f"{_MOVING}{NEWEST}"
"""Stored in place of the revision while a move copies a ledger into the database: nothing opens it then."""

LOCK = 0x50105010  # any number that every process uses
"""PostgreSQL's advisory lock that a migration holds exclusively and writers share."""


class NotMigrated(RuntimeError):
    """Raised if a migration failed, or this program can't read the database."""


class UnfinishedCopy(NotMigrated):
    """Raised for a database into which a move has not yet copied a whole ledger."""


def at(database: Connected) -> str | None:
    """Return the database's revision, or None if it has none; no file is created to find out.

    Raises ``NotMigrated`` for a database of a newer version of this program, in another encoding, or with an
    unfinished copy of a ledger.
    """
    if database.is_sqlite and not sqlite_file(database.url).exists():
        return None
    with database.engine.connect() as connection:
        query = "PRAGMA encoding" if database.is_sqlite else "SHOW server_encoding"
        encoding = str(connection.exec_driver_sql(query).scalar_one())
        if encoding.upper().replace("-", "") != "UTF8":
            raise NotMigrated(
                f"its text is in {encoding}, and Solo Ledger reads and writes UTF-8 only"
            )
        revision = of(connection)
    if revision is not None and revision.startswith(_MOVING):
        raise UnfinishedCopy(
            "it holds an unfinished copy of a ledger; run the same solo-ledger move again to complete it, or "
            "start with an empty database"
        )
    if revision is not None and revision not in REVISIONS and not is_ours(revision):
        raise NotMigrated(
            f"a newer version of Solo Ledger wrote it (schema {revision}; this version's is {NEWEST}); "
            "install that version or a newer one, or restore a backup of this one's"
        )
    return revision


def of(connection: Connection) -> str | None:
    """Return the revision stored in a connection's database, or None. Raises ``NotMigrated`` for several."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    rows = connection.execute(text("SELECT version_num FROM alembic_version")).scalars().all()
    if len(rows) > 1:
        raise NotMigrated(f"it says of itself to be of several versions: {', '.join(sorted(rows))}")
    return rows[0] if rows else None


class StoredRevision(ColumnElement[str]):
    """The database's revision as a column for a statement that is sent anyway.

    On PostgreSQL it is NULL while a migration runs or waits for its lock; otherwise no migration begins
    before the transaction has ended.
    """

    inherit_cache = True
    type = String()


_STORED = "coalesce((SELECT max(version_num) FROM alembic_version), 'none')"


@compiles(StoredRevision, "sqlite")
def _on_sqlite(_column: StoredRevision, _compiler: Any, **_: Any) -> str:
    return _STORED


@compiles(StoredRevision, "postgresql")
def _on_postgres(_column: StoredRevision, _compiler: Any, **_: Any) -> str:
    return f"CASE WHEN pg_try_advisory_xact_lock_shared({LOCK}) THEN {_STORED} END"


def stored(connection: Connection) -> str | None:
    """Return the value of ``StoredRevision``: None while a migration runs or waits, "none" without revision.

    On PostgreSQL, no migration begins before the connection's transaction has ended.
    """
    return connection.scalar(select(StoredRevision()))


def is_ours(revision: str | None) -> bool:
    """Return whether this program can use a schema: its own, or that with rolling migrations after it.

    >>> is_ours(NEWEST), is_ours(f"{NEWEST}r1"), is_ours(None)
    (True, True, False)
    """
    return (
        revision is not None
        and revision >= NEWEST
        and revision.partition("r")[0] == NEWEST.partition("r")[0]
    )


def must_be_ours(revision: str | None) -> None:
    """Raise ``Migrating`` for None, and ``OtherRevision`` for a revision that this program can't use."""
    if revision is None:
        raise Migrating()
    if not is_ours(revision):
        raise OtherRevision(f"the schema is {revision}, this program's is {NEWEST}")
