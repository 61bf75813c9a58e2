"""When the database itself fails: which errors say so, and whether its file is still the one opened."""

import os

from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError

_SQLITE = (
    "SQLITE_FULL",
    "SQLITE_READONLY",
    "SQLITE_IOERR",
    "SQLITE_CANTOPEN",
    "SQLITE_CORRUPT",
    "SQLITE_NOTADB",
)
STANDBY = ("25006", "0A000")
"""SQLSTATEs of a standby that is not promoted yet: of a write, and of the BEGIN of a write transaction."""

_POSTGRESQL = ("08", "53", "57", "58", *STANDBY)
"""Beginnings of SQLSTATE: no connection, no room, an operator's hand, the system below, a standby."""

MOVED = "the file of the ledger was moved, replaced or deleted while the service ran"


def reason(error: DBAPIError) -> str | None:
    """Return in the database's own words why it can't do its work now; None where the fault is ours."""
    name = getattr(error.orig, "sqlite_errorname", None)
    if name is not None:
        failed = name.startswith(_SQLITE)
    else:
        state = getattr(error.orig, "sqlstate", None)
        lost = isinstance(error, OperationalError | InterfaceError) and not state
        failed = error.connection_invalidated or lost or (state or "").startswith(_POSTGRESQL)
    return " ".join(str(error.orig).split()) if failed else None


class SameFile:
    """Whether the file of an SQLite database is still the one that was first opened.

    One that was deleted or replaced goes on being written by whoever has it open, and is gone with him.
    """

    def __init__(self, path: str | None) -> None:
        self._path = path or None
        self._first: tuple[int, int] | None = None

    def __bool__(self) -> bool:
        """Look at it; the first look is the one that later ones are compared with."""
        if self._path is None:
            return True
        try:
            found = os.stat(self._path)
        except OSError:
            return self._first is None
        self._first = self._first or (found.st_dev, found.st_ino)
        return self._first == (found.st_dev, found.st_ino)
