"""Readiness of the ledger for an operator's probe; `/health` covers the process alone."""

import logging
import time
from threading import Lock
from typing import ClassVar, NamedTuple

from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from ledger.books.transactions import Database
from ledger.database.replication import Replication, replication
from ledger.database.revisions import NEWEST, is_ours
from ledger.runtime.logs import say_once
from ledger.words.problems import FileLocked, Problem, Unreachable

OK = "ok"

FAILED = "the database failed; the service's log says how"
NOT_KNOWN = "not known yet: the check is still running"

ANSWER_SECONDS = 1.0
"""The seconds for which a result is reused, also a failure: anybody may probe, and each probe writes."""

INTEGRITY_SECONDS = 60.0
"""The seconds for which an integrity check is reused; each reads the whole file."""

WRITE_WITHIN = 2.0
"""The seconds that a probe waits for its turn to write."""

LAST_SECONDS = 10.0
"""The greatest age of a result that other probes get while a check runs."""

_log = logging.getLogger("ledger")


def try_to_write(database: Database, within: float) -> None:
    """Write to the disk, through the writers' queue, without changing anything; failures as in a write.

    An empty write transaction would succeed even on a read-only SQLite file.
    """
    with database.write(within=within) as session:
        if database.is_sqlite:
            version = session.execute(text("PRAGMA user_version")).scalar_one()
            session.execute(text(f"PRAGMA user_version = {int(version)}"))
        else:
            session.execute(text("SELECT pg_current_xact_id()"))


class _ProbeResult(NamedTuple):
    at: float
    states: dict[str, str]


class Readiness:
    """Checks a database for all probes: one of them waits for it, the others get the last result.

    Otherwise frequent probes would take every reading thread while the database hangs.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._names = [
            name for name in self._checks if name != "replication" or not database.is_sqlite
        ]
        self._checking = Lock()
        self._last: _ProbeResult | None = None
        self._integrity_at: tuple[float, str] | None = None
        self.replication: Replication | None = None
        """The last state of a PostgreSQL's replication."""

    def states(self) -> dict[str, str]:
        """Return the state of each check: "ok", or the fault as text.

        A result less than ``ANSWER_SECONDS`` old is reused. While another probe checks, this one gets the
        last result or, without a recent one, ``NOT_KNOWN``.
        """
        if (last := self._younger_than(ANSWER_SECONDS)) is not None:
            return last
        if not self._checking.acquire(blocking=False):
            return self._younger_than(LAST_SECONDS) or dict.fromkeys(self._names, NOT_KNOWN)
        try:
            states = {name: self._state(name) for name in self._names}
            self._last = _ProbeResult(time.monotonic(), states)
            return states
        finally:
            self._checking.release()

    def _younger_than(self, seconds: float) -> dict[str, str] | None:
        last = self._last
        return last.states if last and time.monotonic() - last.at < seconds else None

    def _state(self, name: str) -> str:
        """Run one check, and return its failure as text; the database's own message goes to the log only."""
        try:
            return self._checks[name](self)
        except (Unreachable, FileLocked) as problem:
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
            rows = session.execute(text("SELECT version_num FROM alembic_version")).scalars().all()
        at = " and ".join(map(str, rows)) or "none"
        return OK if is_ours(at) else f"at {at}, this program's is {NEWEST}"

    def _integrity(self) -> str:
        if not self._database.is_sqlite:
            return OK  # PostgreSQL checks pages as it reads them
        if (
            self._integrity_at is None
            or time.monotonic() - self._integrity_at[0] >= INTEGRITY_SECONDS
        ):
            self._integrity_at = time.monotonic(), self._check_file()
        return self._integrity_at[1]

    def _check_file(self) -> str:
        with self._database.read() as session:
            result = str(session.execute(text("PRAGMA quick_check(1)")).scalar_one())
        return OK if result == "ok" else "damaged: run solo-ledger verify, and restore a backup"

    def _write(self) -> str:
        try_to_write(self._database, WRITE_WITHIN)
        return OK

    def _replication(self) -> str:
        self.replication = None
        with self._database.one_moment() as connection:
            self.replication = replication(connection)
        return self.replication.fault or OK

    _checks: ClassVar = {
        "file": _file,
        "schema": _schema,
        "integrity": _integrity,
        "replication": _replication,
        "write": _write,
    }
