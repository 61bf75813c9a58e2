"""Revisions of the books: which there are, and of which one books are, looked at without making any."""

from sqlalchemy import Connection, inspect, text

from ledger.connecting import Connected
from ledger.keeping.backup import sqlite_file
from ledger.paths import MIGRATIONS

REVISIONS = {file.name.partition("_")[0] for file in (MIGRATIONS / "versions").glob("*.py")}
NEWEST = max(REVISIONS)
"""The revision that the last migration leads to; they are named in their order."""


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
