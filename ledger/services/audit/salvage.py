"""Reading on where pages are damaged: what can't be read is named, and the rest is read.

A range of rows that can't be read is halved until the rows are found that are to blame. On PostgreSQL a
failure ends all that follows in its transaction, so the transaction goes back to where the reading began.
"""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Connection

from ledger.words.problems import Unreachable

BEYOND = 2**63 - 1
MOST_TRIES = 2_000
"""How often reading a table may fail until the rest of it is given up."""

UNREADABLE = (OverflowError, MemoryError, UnicodeDecodeError)
"""What is answered where a page is not what it should be, besides what the driver says."""

BY_TABLE = ("indexscan", "indexonlyscan", "bitmapscan")
"""What PostgreSQL does without where it reads a table by itself, whatever became of its indexes."""

_FAR = 2**31 - 2
"""Where no row is yet, and a number that PostgreSQL takes."""

_LOST = "what could not be read"
Read = Callable[[int, int], list[Any]]
"""Reads the rows whose numbers are over the first and up to the second."""


def unreadable(connection: Connection) -> tuple[type[Exception], ...]:
    """Return what reading can end in where a page is damaged."""
    dbapi: Any = connection.dialect.loaded_dbapi
    return (dbapi.Error, *UNREADABLE)


@contextmanager
def tried(connection: Connection) -> Iterator[None]:
    """Go back to here when something fails inside, so that the transaction goes on and sees the same moment.

    Raises ``Unreachable`` where the server is gone. SQLite needs none of it.
    """
    if connection.dialect.name == "sqlite":
        yield
        return
    raw: Any = connection.connection.driver_connection
    try:
        raw.execute("SAVEPOINT tried")
        yield
        raw.execute("RELEASE SAVEPOINT tried")
    except Exception as error:
        if raw.closed:
            raise Unreachable(" ".join(str(error).split())) from error
        raw.execute("ROLLBACK TO SAVEPOINT tried")
        raise


@contextmanager
def without(connection: Connection, *ways: str) -> Iterator[None]:
    """Let PostgreSQL's planner do without some ways of reading meanwhile, such as ``indexscan``."""
    raw: Any = connection.connection.driver_connection
    for way in ways:
        raw.execute(f"SET LOCAL enable_{way} = off")
    try:
        yield
    finally:
        for way in ways:
            raw.execute(f"SET LOCAL enable_{way} = on")


def lost(connection: Connection, what: str, error: BaseException) -> None:
    """Remember what could not be read, and why."""
    said = connection.info.setdefault(_LOST, {})
    said.setdefault(what, " ".join(str(error).split()))


def told(connection: Connection) -> list[tuple[str, str]]:
    """Return what could not be read since it was last asked, and why."""
    return list(connection.info.pop(_LOST, {}).items())


def leniently(connection: Connection) -> None:
    """Let SQLite's texts be read from now on that are not in UTF-8; whoever looks at them says so."""
    raw: Any = connection.connection.driver_connection
    if isinstance(raw, sqlite3.Connection):
        raw.text_factory = lambda value: value.decode("utf-8", "surrogateescape")


def piece_by_piece(
    connection: Connection, table: str, read: Read, after: int, until: int
) -> list[Any]:
    """Read the rows of a range that can be read, in the order of their numbers."""
    leniently(connection)
    found: list[Any] = []
    waiting, tries = [(after, min(until, _last(connection, table)))], 0
    if error := _whatever_the_rows(connection, read):
        lost(connection, table, error)
        return found
    while waiting:
        low, high = waiting.pop()
        if low >= high:
            continue
        try:
            found += read(low, high)
        except unreadable(connection) as error:
            tries += 1
            if high - low == 1 or tries > MOST_TRIES:
                rows = f"row {high}" if high - low == 1 else f"rows {low + 1} to {high}"
                lost(connection, f"{table}, {rows}", error)
                continue
            middle = (low + high) // 2
            waiting += [(middle, high), (low, middle)]
    return found


def _whatever_the_rows(connection: Connection, read: Read) -> BaseException | None:
    """Return why not even the places before the first row and after the last one can be read."""
    why: BaseException | None = None
    for low in (-2, _FAR):
        try:
            read(low, low + 1)
        except unreadable(connection) as error:
            why = error
        else:
            return None
    return why


def _last(connection: Connection, table: str) -> int:
    """Return the highest number that a row of a table can have, as far as that can be read."""
    raw: Any = connection.connection.driver_connection
    fails: tuple[type[Exception], ...] = (TypeError, ValueError, *unreadable(connection))
    for asked in (f"SELECT max(id) FROM {table}", f"SELECT count(*) * 2 FROM {table}"):  # noqa: S608
        try:
            with tried(connection):
                return int(raw.execute(asked).fetchone()[0] or 0)
        except fails:
            continue
    return 100_000
