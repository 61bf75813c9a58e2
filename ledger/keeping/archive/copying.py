"""Copying a verified club from its staging ledger into the ledger, in the caller's write transaction.

Rows that only grow are appended. All others go through temporary tables, from which they are inserted,
updated or deleted by one statement per table: seats refer to each other, and a copied club may have rows
already. Values are not converted: PostgreSQL reads them as SQLite stores them.
"""

# ruff: noqa: S608 - names of tables and columns come from the schema

import sqlite3

from ledger.database.prepared import DriverConnection
from ledger.keeping.archive.lines import ROWS_AFTER, ROWS_BEFORE

_GROWING = {"journal_entry", "posting", "hand_version"}
"""The tables whose rows never change."""

_LATER = {"account": "closed_at"}
"""Columns that are filled after the postings, as a closed account takes none."""

_TABLES = (*ROWS_BEFORE, "journal_entry", "posting", "hand_version", *ROWS_AFTER)


class OutOfOrder(ValueError):
    """Raised if rows that a club lacks are not those after its last one."""


def copy_rows(
    source: sqlite3.Connection, driver: DriverConnection, club_id: int, *, is_new: bool
) -> None:
    """Give a club the rows of the club in ``source``; unless it ``is_new``, it may have some of them.

    Raises ``OutOfOrder``.
    """
    copy = _Copy(source, driver, club_id)
    appended = {*_TABLES} - {"seat", *_LATER} if is_new else _GROWING
    merged = [table for table in _TABLES if table not in appended]
    for table in merged:
        copy.load(table)
    if not is_new:
        for table in reversed(merged):
            copy.delete_missing(table)
        copy.free_names()
    for table in _TABLES:
        (copy.append if table in appended else copy.merge)(table)
    for table, column in _LATER.items():
        copy.fill(table, column)
    for table in merged:
        copy.drop(table)


class _Copy:
    """The statements that copy a club's rows."""

    def __init__(self, source: sqlite3.Connection, driver: DriverConnection, club_id: int) -> None:
        self._source, self._driver, self._club_id = source, driver, club_id
        self._is_sqlite = driver.dialect.name == "sqlite"
        if not self._is_sqlite:
            self._execute("SET LOCAL TIME ZONE 'UTC'")  # SQLite's times have no zone
        self._names = {
            table: [row[1] for row in source.execute(f"PRAGMA table_info({table})")]
            for table in _TABLES
        }

    def load(self, table: str) -> None:
        """Load the source's rows of a table into a temporary one."""
        self._execute(f"CREATE TEMPORARY TABLE new_{table} AS SELECT * FROM {table} WHERE false")
        self._send(table, f"new_{table}", 0)

    def delete_missing(self, table: str) -> None:
        """Delete the club's rows that the source doesn't have."""
        self._execute(
            f"DELETE FROM {table} WHERE club_id = {self._club_id} AND id NOT IN (SELECT id FROM new_{table})"
        )

    def free_names(self) -> None:
        """Replace the players' name keys for now, as two players may have exchanged their names."""
        self._execute(
            f"UPDATE player SET name_key = 'player\t' || id WHERE club_id = {self._club_id}"
        )

    def merge(self, table: str) -> None:
        """Insert or update the club's rows from the temporary table."""
        names = self._names[table]
        later = _LATER.get(table)
        values = ", ".join("NULL" if name == later else name for name in names)
        changed = ", ".join(
            f"{name} = excluded.{name}" for name in names if name not in ("club_id", "id")
        )
        self._execute(
            f"INSERT INTO {table} ({', '.join(names)}) SELECT {values} FROM new_{table} WHERE true "
            f"ON CONFLICT (club_id, id) DO UPDATE SET {changed}"
        )

    def append(self, table: str) -> None:
        """Insert the source's rows after the club's last one."""
        query = f"SELECT max(id) FROM {table} WHERE club_id = {self._club_id}"
        (last,) = self._driver.send(query).fetchone()
        self._send(table, table, last or 0)
        (present,) = self._driver.send(query.replace("max(id)", "count(*)")).fetchone()
        (expected,) = self._source.execute(f"SELECT count(*) FROM {table}").fetchone()
        if present != expected:
            raise OutOfOrder(f"a row of {table} is not after the last one that is here")

    def fill(self, table: str, column: str) -> None:
        """Fill a column that ``merge`` left empty."""
        self._execute(
            f"UPDATE {table} SET {column} = new.{column} FROM new_{table} AS new "
            f"WHERE {table}.club_id = {self._club_id} AND {table}.id = new.id AND new.{column} IS NOT NULL"
        )

    def drop(self, table: str) -> None:
        """Drop the temporary table."""
        self._execute(f"DROP TABLE new_{table}")

    def _send(self, table: str, target: str, after: int) -> None:
        """Insert the source's rows of a table, with larger ids than ``after``, into ``target``."""
        columns = [name for name in self._names[table] if name != "club_id"]
        rows = self._source.execute(
            f"SELECT {self._club_id}, {', '.join(columns)} FROM {table} WHERE id > ? ORDER BY id",
            (after,),
        )
        columns = ["club_id", *columns]
        if self._is_sqlite:
            marks = ", ".join("?" * len(columns))
            insertion = f"INSERT INTO {target} ({', '.join(columns)}) VALUES ({marks})"
            self._driver.send(insertion, rows, many=True)
        else:
            self._driver.copy_in(target, columns, rows)

    def _execute(self, text: str) -> None:
        self._driver.send(text)
