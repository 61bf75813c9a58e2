"""Revisions of the books: which there are, and of which one books are, looked at without making any."""

from typing import Any

from sqlalchemy import ColumnElement, Connection, String, inspect, select, text
from sqlalchemy.ext.compiler import compiles

from ledger.database.connecting import Connected, sqlite_file
from ledger.database.prepared_statements import DriverConnection, prepared
from ledger.runtime.paths import MIGRATIONS
from ledger.words.problems import Migrating, OtherRevision

REVISIONS = {file.name.partition("_")[0] for file in (MIGRATIONS / "versions").glob("*.py")}
NEWEST = max(REVISIONS)
"""The revision that the last migration leads to; they are named in their order."""

LOCK = 0x50105010  # any number, as long as every process asks for the same one
"""PostgreSQL's advisory lock that a migration holds alone, and that those who write share."""


class NotMigrated(RuntimeError):
    """A migration would not run, or the books are not of a kind that this program reads."""


def at(database: Connected) -> str | None:
    """Return the revision of the books, if there are any: looked at without making them.

    Raises ``NotMigrated`` for books of a newer version of this program, or in another encoding.
    """
    if database.is_sqlite and not sqlite_file(database.url).exists():
        return None
    with database.engine.connect() as connection:
        asked = "PRAGMA encoding" if database.is_sqlite else "SHOW server_encoding"
        encoding = str(connection.exec_driver_sql(asked).scalar_one())
        if encoding.upper().replace("-", "") != "UTF8":
            raise NotMigrated(
                f"its text is in {encoding}, and Solo Ledger reads and writes UTF-8 only"
            )
        found = of(connection)
    if found is not None and found not in REVISIONS:
        raise NotMigrated(
            f"a newer version of Solo Ledger wrote it (schema {found}; this version's is {NEWEST}); "
            "install that version or a newer one, or restore a backup of this one's"
        )
    return found


def of(connection: Connection) -> str | None:
    """Return the revision that the books behind a connection say they are of, if they say one."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    found = connection.execute(text("SELECT version_num FROM alembic_version")).scalars().all()
    if len(found) > 1:
        raise NotMigrated(
            f"it says of itself to be of several versions: {', '.join(sorted(found))}"
        )
    return found[0] if found else None


class StoredRevision(ColumnElement[str]):
    """The revision of the database, as a column of a statement that is sent anyway.

    On PostgreSQL it is NULL while a migration goes on or waits for its turn; otherwise no migration begins
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


_ALONE = select(StoredRevision())


def stored(driver: DriverConnection) -> str | None:
    """Return the revision of the database as ``StoredRevision`` does."""
    ((found,),) = prepared(_ALONE, driver.dialect).ask(driver, {})
    return None if found is None else str(found)


def must_be_ours(found: str | None) -> None:
    """Raise ``Migrating`` or ``OtherRevision`` unless a stored revision is this program's."""
    if found is None:
        raise Migrating()
    if found != NEWEST:
        raise OtherRevision(f"the schema is {found}, this program's is {NEWEST}")
