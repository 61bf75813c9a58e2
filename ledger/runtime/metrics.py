"""Figures for Prometheus, where ``LEDGER_METRICS`` says who may read them.

None tells of a club: a request is counted by its method, its route's rule and its status, a refusal by its
code. They are those of one process.
"""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from prometheus_client import CollectorRegistry

METHODS: Final = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}
OUTAGE: Final = "unreachable"
"""The code of the problem that is the database's."""

SECONDS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20)
"""The bounds that times are sorted by: from a poll to the longest wait for the database."""


class _Nothing:
    """A figure that nobody reads: nothing is counted."""

    def __init__(self, *_said: object, **_more: object) -> None:
        pass

    def labels(self, *_said: str) -> "_Nothing":
        """Be one of many."""
        return self

    def inc(self) -> None:
        """Don't count."""

    def observe(self, _seconds: float) -> None:
        """Don't measure."""

    def set_function(self, _ask: Callable[[], int]) -> None:
        """Don't ask."""


class Metrics:
    """Counts, where somebody reads it, and says what it counted as Prometheus reads it."""

    def __init__(self, *, read: bool) -> None:
        self._registry: CollectorRegistry | None = None
        counter: Any = _Nothing
        gauge: Any = _Nothing
        histogram: Any = _Nothing
        if read:  # only then is the package needed; without it the service starts sooner
            import prometheus_client as made

            self._registry = made.CollectorRegistry()
            made.ProcessCollector(registry=self._registry)
            counter, gauge, histogram = (
                partial(kind, registry=self._registry)
                for kind in (made.Counter, made.Gauge, made.Histogram)
            )
        self._requests = histogram(
            "ledger_request_seconds",
            "How long requests took, the wait for a thread included.",
            ("method", "route", "status"),
            buckets=SECONDS,
        )
        self._refusals = counter(
            "ledger_refusals", "Requests refused, by the problem's code.", ("code",)
        )
        self._outages = counter("ledger_outages", "Requests that the database failed.")
        self._turned_away = counter(
            "ledger_turned_away",
            "Requests that the server answered itself, the application unasked.",
            ("reason", "status"),
        )
        self._saves = counter("ledger_saves", "Writes committed.")
        self._waits = histogram(
            "ledger_database_wait_seconds",
            "How long writes waited to be let in to the database.",
            buckets=SECONDS,
        )
        self._connections = gauge("ledger_connections", "Open connections, followers' among them.")
        self._waiting = gauge(
            "ledger_requests_waiting", "Requests under way or waiting for a thread."
        )
        self._followers = gauge("ledger_followers", "Pages that are told of news as it comes.")
        self._bodies = gauge("ledger_body_bytes", "Bytes of large request bodies under way.")

    def request(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count an answer, and how long it took."""
        known = method if method in METHODS else "other"  # anybody may make one up
        self._requests.labels(known, route, str(status)).observe(seconds)

    def refused(self, code: str) -> None:
        """Count a problem that somebody was answered with, and an outage for itself."""
        self._refusals.labels(code).inc()
        if code == OUTAGE:
            self._outages.inc()

    def turned_away(self, reason: str, status: int) -> None:
        """Count a request that was answered without the application, by why and by what it was answered."""
        self._turned_away.labels(reason, str(status)).inc()

    def waited(self, seconds: float) -> None:
        """Count a write that was let in after so many seconds."""
        self._waits.observe(seconds)

    def saved(self) -> None:
        """Count a write that was committed."""
        self._saves.inc()

    def watch(
        self,
        connections: Callable[[], int],
        waiting: Callable[[], int],
        followers: Callable[[], int],
        bodies: Callable[[], int],
    ) -> None:
        """Call these for the gauges whenever somebody reads the metrics."""
        self._connections.set_function(connections)
        self._waiting.set_function(waiting)
        self._followers.set_function(followers)
        self._bodies.set_function(bodies)

    def text(self) -> tuple[bytes, str]:
        """Return all of it, and its content type."""
        from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

        assert self._registry is not None
        return generate_latest(self._registry), CONTENT_TYPE_LATEST


NOBODY_READS: Final = Metrics(read=False)
