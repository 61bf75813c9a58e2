"""Reading on where a file is damaged: what can't be read is named, and the rest is read.

A range of rows that can't be read is halved until the rows are found that are to blame.
"""

import sqlite3
from collections.abc import Callable
from typing import Any

from sqlalchemy import Connection

BEYOND = 2**63 - 1
MOST_TRIES = 2_000
"""How often reading a table may fail until the rest of it is given up."""

UNREADABLE = (sqlite3.Error, OverflowError, MemoryError, UnicodeDecodeError)
"""What SQLite answers where a page is not what it should be."""

_LOST = "what could not be read"
Read = Callable[[int, int], list[Any]]
"""Reads the rows whose numbers are over the first and up to the second."""


def lost(connection: Connection, what: str, error: BaseException) -> None:
    """Remember what could not be read, and why."""
    said = connection.info.setdefault(_LOST, {})
    said.setdefault(what, " ".join(str(error).split()))


def told(connection: Connection) -> list[tuple[str, str]]:
    """Return what could not be read since it was last asked, and why."""
    return list(connection.info.pop(_LOST, {}).items())


def leniently(connection: Connection) -> None:
    """Let texts be read from now on that are not in UTF-8; whoever looks at them says so."""
    raw: Any = connection.connection.driver_connection
    raw.text_factory = lambda value: value.decode("utf-8", "surrogateescape")


def piece_by_piece(
    connection: Connection, table: str, read: Read, after: int, until: int
) -> list[Any]:
    """Read the rows of a range that can be read, in the order of their numbers."""
    leniently(connection)
    found: list[Any] = []
    waiting, tries = [(after, min(until, _last(connection, table)))], 0
    while waiting:
        low, high = waiting.pop()
        if low >= high:
            continue
        try:
            found += read(low, high)
        except UNREADABLE as error:
            tries += 1
            if high - low == 1 or tries > MOST_TRIES:
                rows = f"row {high}" if high - low == 1 else f"rows {low + 1} to {high}"
                lost(connection, f"{table}, {rows}", error)
                continue
            middle = (low + high) // 2
            waiting += [(middle, high), (low, middle)]
    return found


def _last(connection: Connection, table: str) -> int:
    """Return the highest number that a row of a table can have, as far as that can be read."""
    raw: Any = connection.connection.driver_connection
    for asked in (f"SELECT max(id) FROM {table}", f"SELECT count(*) * 2 FROM {table}"):  # noqa: S608
        try:
            return int(raw.execute(asked).fetchone()[0] or 0)
        except (TypeError, ValueError, *UNREADABLE):
            continue
    return 100_000
