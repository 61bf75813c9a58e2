"""Failures of the database itself: the errors that mean one, and a check that its file is still the same."""

import os

from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError

from ledger.words.problems import ConnectionLost, Unreachable

_SQLITE = (
    "SQLITE_FULL",
    "SQLITE_READONLY",
    "SQLITE_IOERR",
    "SQLITE_CANTOPEN",
    "SQLITE_CORRUPT",
    "SQLITE_NOTADB",
)
STANDBY = ("25006", "0A000")
"""The SQLSTATEs of a standby that is not yet promoted: for a write, and for BEGIN of a write transaction."""

_POSTGRESQL = ("08", "53", "57", "58", *STANDBY)
"""Beginnings of SQLSTATE: connection, resources, operator intervention, system error, standby."""

MOVED = "the file of the ledger was moved, replaced or deleted while the service ran"


def failure(error: DBAPIError, message: str = "") -> Unreachable | None:
    """Return the problem, with the driver's message, if the database itself failed: disk, server, connection.

    None for any other error, for example a faulty statement or a violated constraint. ``message`` replaces
    the sentence that nothing was saved.
    """
    name = getattr(error.orig, "sqlite_errorname", None)
    if name is not None:
        failed = name.startswith(_SQLITE)
    else:
        state = getattr(error.orig, "sqlstate", None)
        lost = isinstance(error, OperationalError | InterfaceError) and not state
        failed = error.connection_invalidated or lost or (state or "").startswith(_POSTGRESQL)
    if not failed:
        return None
    kind = ConnectionLost if error.connection_invalidated else Unreachable
    return kind(" ".join(str(error.orig).split()), message)


class SameFile:
    """True while the file of an SQLite database is the one that the first check found; always without a path.

    A process can go on writing to a deleted or replaced file, which is lost when the process ends.
    """

    def __init__(self, path: str | None) -> None:
        self._path = path or None
        self._first: tuple[int, int] | None = None

    def __bool__(self) -> bool:
        """Return whether the file at the path is the first one found there; a missing file counts as another.

        Until one was found, a missing file is not a fault.
        """
        if self._path is None:
            return True
        try:
            stat = os.stat(self._path)
        except OSError:
            return self._first is None
        self._first = self._first or (stat.st_dev, stat.st_ino)
        return self._first == (stat.st_dev, stat.st_ino)
