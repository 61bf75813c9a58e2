"""PostgreSQL connections that notice when no server works on their statement any more.

libpq waits without end for a server that hangs, or that another one has replaced behind its address. A
connection that has heard nothing for ``SILENCE`` seconds asks the server at the address, through a connection
of its own, whether it is still busy with the statement, and closes if not. So a failover is noticed
soon, while long statements and waits for a lock are never cut off.
"""

from collections.abc import Generator, Mapping
from threading import Lock
from time import monotonic
from typing import Any, NamedTuple

import psycopg

SILENCE = 1.0
"""Seconds without an answer after which the server is asked, and again after each time it was."""

CURRENT = 0.5
"""Seconds for which its answer counts, for all connections."""

_BUSY = """SELECT pid FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid() AND state NOT LIKE 'idle%'"""


class ServerGone(psycopg.OperationalError):
    """No server works on a connection's statement; the connection is closed."""


class Watched(psycopg.Connection[Any]):
    """A connection that fails once its server is gone; without a ``watch``, after ``SILENCE`` seconds."""

    watch: "Watch | None" = None
    backend: int | None = None
    """The number of its server process, as far as that is known."""

    def wait(self, gen: Any, *args: Any, **kwargs: Any) -> Any:
        """Wait for an answer as psycopg does. Raises ``ServerGone``."""
        return super().wait(self._heard(gen), *args, **kwargs)

    def _heard(self, steps: Generator[Any, Any, Any]) -> Generator[Any, Any, Any]:
        """Run psycopg's steps; it passes 0 now and then while there is nothing to read."""
        check_at = monotonic() + SILENCE
        try:
            awaited = next(steps)
            while True:
                ready = yield awaited
                if not ready and monotonic() > check_at:
                    if not (self.watch and self.watch.is_busy(self.backend)):
                        ready = yield awaited  # an answer that was on its way has arrived meanwhile
                        if not ready:
                            raise self._lost()
                    check_at = monotonic() + SILENCE
                awaited = steps.send(ready)
        except StopIteration as end:
            return end.value

    def _lost(self) -> ServerGone:
        self.close()
        return ServerGone("the server does not answer, or another one has taken its place")


class _ServerState(NamedTuple):
    """Whether a server answered, and its processes at work; None if it refused to say."""

    at: float
    came: bool
    busy: frozenset[int] | None = None


class Watch:
    """Connects to an address, and checks which server processes are busy there."""

    def __init__(self) -> None:
        self._address: Mapping[str, Any] = {}
        self._asking = Lock()
        self._last = _ServerState(-CURRENT, False)

    def connect(self, **address: Any) -> Watched:
        """Return a new connection that is watched."""
        self._address = address
        connection = Watched.connect(**address)
        connection.watch = self
        return connection

    def is_busy(self, backend: int | None) -> bool:
        """Return whether the server that answers now reports this process as busy, or can't tell."""
        with self._asking:
            if monotonic() - self._last.at > CURRENT:
                came, busy = self._asked()
                self._last = _ServerState(monotonic(), came, busy)
            last = self._last
        return last.came and (None in (backend, last.busy) or backend in (last.busy or ()))

    def _asked(self) -> tuple[bool, frozenset[int] | None]:
        try:
            with Watched.connect(**self._address, autocommit=True) as connection:
                return True, frozenset(pid for (pid,) in connection.execute(_BUSY))
        except psycopg.Error as error:
            return "FATAL" in str(error), None  # as with one connection too many: a server answered
