"""PostgreSQL connections that notice if no server works on their statement any more.

libpq waits forever for a server that hangs, or that another one has replaced behind its address. A connection
without an answer for ``SILENCE`` seconds asks the server at the address, over a second connection, whether it
is still busy with the statement, and closes if not. A failover is noticed soon, and long statements and waits
for a lock are never cut off.

With synchronous replication a commit waits for its standby, and PostgreSQL sets no limit to that. Here it is
``REPLICATED_WITHIN``. Cancelling ends the wait only, not the commit, which the primary has made: PostgreSQL
reports success with a warning. That is raised as ``NotReplicated``: a failover may lose the transaction.
"""

from collections.abc import Generator, Mapping
from contextlib import suppress
from math import inf
from threading import Lock
from time import monotonic
from typing import Any, NamedTuple

import psycopg

SILENCE = 1.0
"""The seconds without an answer after which the server is asked, each time."""

CURRENT = 0.5
"""The seconds for which the server's reply counts, for all connections."""

REPLICATED_WITHIN = 5.0
"""The seconds that a commit waits for the synchronous standby."""

_BUSY = """SELECT pid FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid() AND state NOT LIKE 'idle%'"""


class ServerGone(psycopg.OperationalError):
    """No server works on the connection's statement; the connection is closed."""


class NotReplicated(psycopg.OperationalError):
    """A transaction was committed on the server, but perhaps not on the standby that it has to wait for."""


class Watched(psycopg.Connection[Any]):
    """A connection that fails once its server is gone; without a ``watch``, after ``SILENCE`` seconds."""

    watch: "Watch | None" = None
    backend: int | None = None
    """The number of its server process, if known."""

    _cancel_at = inf
    _is_unreplicated = False

    def commit(self) -> None:
        """Commit, and wait at most ``REPLICATED_WITHIN`` seconds for the synchronous standby."""
        self._cancel_at = monotonic() + REPLICATED_WITHIN
        try:
            super().commit()
        finally:
            self._cancel_at = inf

    def wait(self, gen: Any, *args: Any, **kwargs: Any) -> Any:
        """Wait for the result of psycopg's steps ``gen`` as psycopg does.

        Raises ``ServerGone`` if no server works on the statement, and ``NotReplicated`` after a commit whose
        wait for the standby was cancelled.
        """
        self._is_unreplicated = False
        answer = super().wait(self._checked(gen), *args, **kwargs)
        if self._is_unreplicated:
            raise NotReplicated("the commit's wait for the synchronous standby was cancelled")
        return answer

    def note(self, notice: psycopg.errors.Diagnostic) -> None:
        """Handle a server's notice: set ``_is_unreplicated`` if the wait for the standby was cancelled.

        The warning's text is in the server's language, and its SQLSTATE is that of any warning.
        """
        self._is_unreplicated |= notice.source_function == "SyncRepWaitForLSN"

    def _checked(self, steps: Generator[Any, Any, Any]) -> Generator[Any, Any, Any]:
        """Run psycopg's steps; close the connection and raise ``ServerGone`` if its server is gone.

        psycopg sends 0 every now and then while there is nothing to read. After ``SILENCE`` seconds the
        ``watch`` is asked, and again at that interval.
        """
        check_at = monotonic() + SILENCE
        try:
            awaited = next(steps)
            while True:
                ready = yield awaited
                if not ready and monotonic() > self._cancel_at:
                    self._cancel_at = monotonic() + SILENCE  # the request may not have arrived
                    with suppress(psycopg.Error):
                        self.cancel_safe(timeout=SILENCE)
                if not ready and monotonic() > check_at:
                    if not (self.watch and self.watch.is_busy(self.backend)):
                        ready = yield awaited  # an answer may have arrived during the check
                        if not ready:
                            self.close()
                            raise ServerGone(
                                "the server does not answer, or another one has taken its place"
                            )
                    check_at = monotonic() + SILENCE
                awaited = steps.send(ready)
        except StopIteration as end:
            return end.value


class _ServerState(NamedTuple):
    """A server's reply at a time: whether there was one, and its busy processes, None if refused."""

    at: float
    answered: bool
    busy: frozenset[int] | None = None


class Watch:
    """Opens connections to an address and checks which server processes are busy there."""

    def __init__(self) -> None:
        self._address: Mapping[str, Any] = {}
        self._checking = Lock()
        self._last = _ServerState(-CURRENT, False)

    def connect(self, **address: Any) -> Watched:
        """Return a new watched connection; from now on this address is checked."""
        self._address = address
        connection = Watched.connect(**address)
        connection.watch = self
        connection.add_notice_handler(connection.note)
        return connection

    def is_busy(self, backend: int | None) -> bool:
        """Return whether the server process may still be at work; false if no server answers at the address.

        True also for an unknown process, and for a server that answers but refuses the connection. The server
        is asked over a second connection, at most once in ``CURRENT`` seconds.
        """
        with self._checking:
            if monotonic() - self._last.at > CURRENT:
                self._last = self._state()
            last = self._last
        return last.answered and (None in (backend, last.busy) or backend in (last.busy or ()))

    def _state(self) -> _ServerState:
        try:
            with Watched.connect(**self._address, autocommit=True) as connection:
                busy = frozenset(pid for (pid,) in connection.execute(_BUSY))
        except psycopg.Error as error:
            # "FATAL" is a server's reply, for example to one connection too many
            return _ServerState(monotonic(), "FATAL" in str(error))
        return _ServerState(monotonic(), True, busy)
