"""Reading on past damaged pages: unreadable rows are recorded, all others are read.

A range that can't be read is halved until the damaged rows are isolated. On PostgreSQL a failed statement
aborts its transaction, so the transaction is rolled back to a savepoint.
"""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Connection

from ledger.words.problems import Unreachable

GUESS = 100_000
"""The number of rows assumed in a table whose rows can't be counted."""
MOST_TRIES = 2_000
"""The number of failed reads after which the rest of a table is given up."""

UNREADABLE = (OverflowError, MemoryError, UnicodeDecodeError)
"""The exceptions that reading a damaged page can raise, in addition to the driver's own."""

INDEX_SCANS = ("indexscan", "indexonlyscan", "bitmapscan")
"""PostgreSQL's planner settings that must be off to read a table without its indexes."""

_BEYOND_ROWS = 2**31 - 2
"""An id above all rows' that fits PostgreSQL's integer type."""

_LOST = "what could not be read"
Read = Callable[[int, int], list[Any]]
"""Reads the rows with numbers above the first and up to the second."""


def unreadable(connection: Connection) -> tuple[type[Exception], ...]:
    """Return the exceptions that reading a damaged page can raise."""
    dbapi: Any = connection.dialect.loaded_dbapi
    return (dbapi.Error, *UNREADABLE)


@contextmanager
def savepoint(connection: Connection) -> Iterator[None]:
    """Run the block at a savepoint: if it fails, roll back to that and raise again.

    The snapshot stays the same. Raises ``Unreachable`` instead if the server is gone. SQLite needs no
    savepoint.
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
def planner_without(connection: Connection, *settings: str) -> Iterator[None]:
    """Switch settings of PostgreSQL's planner, such as ``indexscan``, off for the block and on after it."""
    raw: Any = connection.connection.driver_connection
    for setting in settings:
        raw.execute(f"SET LOCAL enable_{setting} = off")
    try:
        yield
    finally:
        for setting in settings:
            raw.execute(f"SET LOCAL enable_{setting} = on")


def record(connection: Connection, place: str, error: BaseException) -> None:
    """Store a place that could not be read, with the error, for ``drain``.

    A second error there is ignored.
    """
    connection.info.setdefault(_LOST, {}).setdefault(place, " ".join(str(error).split()))


def drain(connection: Connection) -> list[tuple[str, str]]:
    """Return the recorded places, each with its error, and forget them."""
    return list(connection.info.pop(_LOST, {}).items())


def read_in_pieces(
    connection: Connection, table: str, read: Read, highest: Callable[[], int]
) -> list[Any]:
    """Return the readable rows with positive numbers up to ``highest()``, in order; ``record`` the others.

    If nothing of the table can be read, it is recorded as a whole. After ``MOST_TRIES`` failures a range that
    fails is not divided any more.
    """
    _accept_any_encoding(connection)
    rows: list[Any] = []
    pending, tries = [(0, highest())], 0
    if error := _general_failure(connection, read):
        record(connection, table, error)
        return rows
    while pending:
        low, high = pending.pop()
        if low >= high:
            continue
        try:
            rows += read(low, high)
        except unreadable(connection) as error:
            tries += 1
            if high - low == 1 or tries > MOST_TRIES:
                place = f"row {high}" if high - low == 1 else f"rows {low + 1} to {high}"
                record(connection, f"{table}, {place}", error)
                continue
            middle = (low + high) // 2
            pending += [(middle, high), (low, middle)]
    return rows


def _accept_any_encoding(connection: Connection) -> None:
    """Make an SQLite connection return texts that are not UTF-8, too; the checks of contents report them."""
    raw: Any = connection.connection.driver_connection
    if isinstance(raw, sqlite3.Connection):
        raw.text_factory = lambda value: value.decode("utf-8", "surrogateescape")


def _general_failure(connection: Connection, read: Read) -> BaseException | None:
    """Return an error if even ranges without rows, before and after all rows, can't be read; else None."""
    failure: BaseException | None = None
    for low in (-2, _BEYOND_ROWS):
        try:
            read(low, low + 1)
        except unreadable(connection) as error:
            failure = error
        else:
            return None
    return failure
