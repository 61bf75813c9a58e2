"""Copying a verified club from its staging ledger into the ledger, in the caller's write transaction.

SQLite attaches the staging ledger and copies by itself; PostgreSQL gets its rows by COPY. Rows that only grow
are appended. All others are inserted, updated or deleted by one statement per table: seats refer to each
other, and a copied club may have rows already. Values are not converted: PostgreSQL reads them as SQLite
stores them.
"""

# ruff: noqa: S608 - names of tables and columns come from the schema

import sqlite3
from pathlib import Path

from ledger.database.connecting import attach
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
    kind = _CopyOnSqlite if driver.dialect.name == "sqlite" else _CopyOnPostgres
    copy = kind(source, driver, club_id)
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


class _Copy:
    """The statements that copy a club's rows; ``new`` formats the name of a table with the source's rows."""

    new: str

    def __init__(self, source: sqlite3.Connection, driver: DriverConnection, club_id: int) -> None:
        self._source, self._driver, self._club_id = source, driver, club_id
        self._columns = {
            table: [row[1] for row in source.execute(f"PRAGMA table_info({table})")]
            for table in _TABLES
        }

    def load(self, table: str) -> None:
        """Make the source's rows available to statements."""
        raise NotImplementedError

    def delete_missing(self, table: str) -> None:
        """Delete the club's rows that the source doesn't have."""
        self._execute(
            f"DELETE FROM {table} WHERE club_id = {self._club_id} "
            f"AND id NOT IN (SELECT id FROM {self.new.format(table)})"
        )

    def free_names(self) -> None:
        """Replace name keys for now, as two players, or seasons, may have exchanged their names."""
        for table in ("player", "season"):
            self._execute(
                f"UPDATE {table} SET name_key = '{table}\t' || id WHERE club_id = {self._club_id}"
            )

    def merge(self, table: str) -> None:
        """Insert or update the club's rows."""
        changed = ", ".join(
            f"{name} = excluded.{name}"
            for name in self._columns[table]
            if name not in ("club_id", "id")
        )
        self._execute(
            f"INSERT INTO {table} ({', '.join(self._columns[table])}) "
            f"{self._rows(table, self.new.format(table))} WHERE true "
            f"ON CONFLICT (club_id, id) DO UPDATE SET {changed}"
        )

    def append(self, table: str) -> None:
        """Insert the source's rows after the club's last one."""
        query = f"SELECT max(id) FROM {table} WHERE club_id = {self._club_id}"
        (last,) = self._driver.send(query).fetchone()
        self.send(table, last or 0)
        (present,) = self._driver.send(query.replace("max(id)", "count(*)")).fetchone()
        (expected,) = self._source.execute(f"SELECT count(*) FROM {table}").fetchone()
        if present != expected:
            raise OutOfOrder(f"a row of {table} is not after the last one that is here")

    def send(self, table: str, after: int) -> None:
        """Insert the source's rows of a table with larger ids than ``after``."""
        raise NotImplementedError

    def fill(self, table: str, column: str) -> None:
        """Fill a column that ``merge`` left empty."""
        self._execute(
            f"UPDATE {table} SET {column} = new.{column} FROM {self.new.format(table)} AS new "
            f"WHERE {table}.club_id = {self._club_id} AND {table}.id = new.id AND new.{column} IS NOT NULL"
        )

    def _rows(self, table: str, source: str) -> str:
        """Return a query for a table's rows in ``source``, as they are first inserted."""
        replaced = {"club_id": str(self._club_id), _LATER.get(table): "NULL"}
        values = ", ".join(replaced.get(name, name) for name in self._columns[table])
        return f"SELECT {values} FROM {source}"

    def _execute(self, text: str) -> None:
        self._driver.send(text)


class _CopyOnSqlite(_Copy):
    """Reads the rows in the staging ledger, attached to the connection."""

    new = "staging.{}"

    def __init__(self, source: sqlite3.Connection, driver: DriverConnection, club_id: int) -> None:
        super().__init__(source, driver, club_id)
        ((_, _, file),) = source.execute("PRAGMA database_list")
        attach(driver.connection, Path(file), "staging")

    def load(self, table: str) -> None:
        """Do nothing: they are in the attached ledger."""

    def send(self, table: str, after: int) -> None:
        """Insert the rows by one statement."""
        self._execute(
            f"INSERT INTO {table} ({', '.join(self._columns[table])}) "
            f"{self._rows(table, self.new.format(table))} WHERE id > {after} ORDER BY id"
        )


class _CopyOnPostgres(_Copy):
    """Sends rows by COPY, also into temporary tables, which end with the transaction."""

    new = "new_{}"

    def __init__(self, source: sqlite3.Connection, driver: DriverConnection, club_id: int) -> None:
        super().__init__(source, driver, club_id)
        self._execute("SET LOCAL TIME ZONE 'UTC'")  # SQLite's times have no zone

    def load(self, table: str) -> None:
        """Copy them into a temporary table."""
        self._execute(
            f"CREATE TEMPORARY TABLE new_{table} ON COMMIT DROP AS SELECT * FROM {table} WHERE false"
        )
        self._driver.copy_in(
            f"new_{table}",
            self._columns[table],
            self._source.execute(f"SELECT {', '.join(self._columns[table])} FROM {table}"),
        )

    def send(self, table: str, after: int) -> None:
        """Copy the rows into the table itself."""
        rows = self._source.execute(
            f"{self._rows(table, table)} WHERE id > ? ORDER BY id", (after,)
        )
        self._driver.copy_in(table, self._columns[table], rows)
