"""Whether the ledger can do its work: what an operator's probe asks; `/health` asks the process alone."""

import logging
import time
from threading import Lock
from typing import ClassVar, NamedTuple

from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from ledger.books.transactions import Database
from ledger.database.revisions import NEWEST
from ledger.runtime.logs import say_once
from ledger.words.problems import Held, Problem, Unreachable

OK = "ok"

FAILED = "the database failed; the service's log says how"
NOT_KNOWN = "not known yet: the check is still running"

ANSWER_SECONDS = 1.0
"""How long an answer counts, a failure too: anybody may ask, and a write waits among those who save."""

INTEGRITY_SECONDS = 60.0
"""How long a look through the whole file counts; each one reads all of it."""

WRITE_WITHIN = 2.0
"""Seconds that a probe waits for its turn to write; who asks waits hardly longer for an answer."""

LAST_SECONDS = 10.0
"""How old the last answer may be that others are given while somebody tries again."""

_log = logging.getLogger("ledger")


def try_to_write(database: Database, within: float) -> None:
    """Write something that changes nothing, to the disk and through the writers' line.

    Without it SQLite begins to write in a file that is read-only, and says nothing.
    """
    with database.write(within=within) as session:
        if database.is_sqlite:
            version = session.execute(text("PRAGMA user_version")).scalar_one()
            session.execute(text(f"PRAGMA user_version = {int(version)}"))
        else:
            session.execute(text("SELECT pg_current_xact_id()"))


class _Tried(NamedTuple):
    at: float
    found: dict[str, str]


class Readiness:
    """Tries a database for all who ask: one of them waits for it, the others are told at once.

    Else whoever asks often enough would take every thread that reads, as long as the database hangs.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._trying = Lock()
        self._last: _Tried | None = None
        self._pages: tuple[float, str] | None = None

    def states(self) -> dict[str, str]:
        """Return what was tried and how it went: "ok", or what is wrong."""
        if (last := self._younger_than(ANSWER_SECONDS)) is not None:
            return last
        if not self._trying.acquire(blocking=False):
            return self._younger_than(LAST_SECONDS) or dict.fromkeys(self._tried, NOT_KNOWN)
        try:
            found = {name: self._state(name) for name in self._tried}
            self._last = _Tried(time.monotonic(), found)
            return found
        finally:
            self._trying.release()

    def _younger_than(self, seconds: float) -> dict[str, str] | None:
        last = self._last
        return last.found if last and time.monotonic() - last.at < seconds else None

    def _state(self, name: str) -> str:
        """Try one thing; what the database itself says of a failure is for the log alone."""
        try:
            return self._tried[name](self)
        except (Unreachable, Held) as problem:
            say_once(_log, "the database failed: %s", problem.why)
            return problem.message
        except Problem as problem:
            return problem.message
        except DBAPIError as error:
            say_once(_log, "the database failed: %s", " ".join(str(error.orig).split()))
            return FAILED

    def _file(self) -> str:
        return (
            OK if self._database.same_file else "moved, replaced or deleted while the service ran"
        )

    def _schema(self) -> str:
        with self._database.read() as session:
            found = session.execute(text("SELECT version_num FROM alembic_version")).scalars().all()
        at = " and ".join(map(str, found)) or "none"
        return OK if at == NEWEST else f"at {at}, this program's is {NEWEST}"

    def _integrity(self) -> str:
        if not self._database.is_sqlite:
            return OK  # PostgreSQL checks its own pages as it reads them
        if self._pages is None or time.monotonic() - self._pages[0] >= INTEGRITY_SECONDS:
            self._pages = time.monotonic(), self._looked_through()
        return self._pages[1]

    def _looked_through(self) -> str:
        with self._database.read() as session:
            said = str(session.execute(text("PRAGMA quick_check(1)")).scalar_one())
        return OK if said == "ok" else "damaged: run solo-ledger verify, and restore a backup"

    def _write(self) -> str:
        try_to_write(self._database, WRITE_WITHIN)
        return OK

    _tried: ClassVar = {"file": _file, "schema": _schema, "integrity": _integrity, "write": _write}
