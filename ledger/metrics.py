"""Figures for Prometheus, where ``LEDGER_METRICS`` says who may read them.

None tells of a club: a request is counted by its method, its route's rule and its status, a refusal by its
code. They are those of one process.
"""

from collections.abc import Callable
from typing import Final

METHODS: Final = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}
OUTAGE: Final = "unreachable"
"""The code of the problem that is the database's."""

SECONDS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20)
"""The bounds that times are sorted by: from a poll to the longest wait for the database."""


class Unread:
    """What is told where nobody reads it: it counts nothing."""

    def request(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count an answer."""

    def refused(self, code: str) -> None:
        """Count a problem that somebody was answered with."""

    def turned_away(self, reason: str, status: int) -> None:
        """Count a request that was answered without the application."""

    def waited(self, seconds: float) -> None:
        """Count a write that was let in after so many seconds."""

    def saved(self) -> None:
        """Count a write that was committed."""

    def watch(
        self,
        connections: Callable[[], int],
        waiting: Callable[[], int],
        followers: Callable[[], int],
    ) -> None:
        """Ask these, whenever somebody reads, how many are connected, wait for a thread, and follow."""


NOBODY_READS: Final = Unread()


class Metrics(Unread):
    """Counts, and says what it counted as Prometheus reads it."""

    def __init__(self) -> None:
        # Only who reads them needs the package; without it the service starts sooner.
        from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector

        self._registry = own = CollectorRegistry()
        ProcessCollector(registry=own)
        self._requests = Histogram(
            "ledger_request_seconds",
            "How long requests took, the wait for a thread included.",
            ("method", "route", "status"),
            buckets=SECONDS,
            registry=own,
        )
        self._refusals = Counter(
            "ledger_refusals", "Requests refused, by the problem's code.", ("code",), registry=own
        )
        self._outages = Counter(
            "ledger_outages", "Requests that the database failed.", registry=own
        )
        self._turned_away = Counter(
            "ledger_turned_away",
            "Requests that the server answered itself, the application unasked.",
            ("reason", "status"),
            registry=own,
        )
        self._saves = Counter("ledger_saves", "Writes committed.", registry=own)
        self._waits = Histogram(
            "ledger_database_wait_seconds",
            "How long writes waited to be let in to the database.",
            buckets=SECONDS,
            registry=own,
        )
        self._connections = Gauge(
            "ledger_connections", "Open connections, followers' among them.", registry=own
        )
        self._waiting = Gauge(
            "ledger_requests_waiting", "Requests under way or waiting for a thread.", registry=own
        )
        self._followers = Gauge(
            "ledger_followers", "Pages that are told of news as it comes.", registry=own
        )

    def request(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count an answer."""
        known = method if method in METHODS else "other"  # anybody may make one up
        self._requests.labels(known, route, str(status)).observe(seconds)

    def refused(self, code: str) -> None:
        """Count a problem, and an outage for itself."""
        self._refusals.labels(code).inc()
        if code == OUTAGE:
            self._outages.inc()

    def turned_away(self, reason: str, status: int) -> None:
        """Count it by why, and by what it was answered."""
        self._turned_away.labels(reason, str(status)).inc()

    def waited(self, seconds: float) -> None:
        """Count a wait."""
        self._waits.observe(seconds)

    def saved(self) -> None:
        """Count a save."""
        self._saves.inc()

    def watch(
        self,
        connections: Callable[[], int],
        waiting: Callable[[], int],
        followers: Callable[[], int],
    ) -> None:
        """Ask these whenever somebody reads."""
        self._connections.set_function(connections)
        self._waiting.set_function(waiting)
        self._followers.set_function(followers)

    def text(self) -> tuple[bytes, str]:
        """Return all of it, and its content type."""
        from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

        return generate_latest(self._registry), CONTENT_TYPE_LATEST
