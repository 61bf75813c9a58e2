"""Prometheus metrics of one process, for the networks in ``LEDGER_METRICS``.

None names a club: requests are counted by method, route and status, refusals by code.
"""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from prometheus_client import CollectorRegistry

METHODS: Final = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}
OUTAGE: Final = "unreachable"
"""The code of the problem for a database that fails."""

SECONDS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20)
"""The histograms' bounds: from a poll to the longest wait for the database."""


class _NullMetric:
    """A metric that counts nothing, as nobody reads it; each call returns it."""

    def __call__(self, *_values: object, **_options: object) -> "_NullMetric":
        return self

    labels = inc = observe = set_function = __call__


class Metrics:
    """The metrics of a process; they count only if somebody may ``read`` them."""

    def __init__(self, *, read: bool) -> None:
        self._registry: CollectorRegistry | None = None
        counter: Any = _NullMetric()
        gauge, histogram = counter, counter
        if read:  # only then the package is needed; without it the service starts sooner
            import prometheus_client

            self._registry = prometheus_client.CollectorRegistry()
            prometheus_client.ProcessCollector(registry=self._registry)
            counter, gauge, histogram = (
                partial(kind, registry=self._registry)
                for kind in (
                    prometheus_client.Counter,
                    prometheus_client.Gauge,
                    prometheus_client.Histogram,
                )
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
        self._gauges = {
            name: gauge(f"ledger_{name}", text)
            for name, text in (
                ("connections", "Open connections, followers' among them."),
                ("requests_waiting", "Requests under way or waiting for a thread."),
                ("followers", "Pages that are told of news as it comes."),
                ("body_bytes", "Bytes of large request bodies under way."),
            )
        }

    def request(self, method: str, route: str, status: int, seconds: float) -> None:
        """Add a response's duration, in seconds, to the histogram; every unknown method counts as "other"."""
        label = method if method in METHODS else "other"  # clients can invent methods
        self._requests.labels(label, route, str(status)).observe(seconds)

    def refused(self, code: str) -> None:
        """Count a refused request by its problem's code.

        One with the code ``OUTAGE`` counts as an outage, too.
        """
        self._refusals.labels(code).inc()
        if code == OUTAGE:
            self._outages.inc()

    def turned_away(self, reason: str, status: int) -> None:
        """Count a request that the server rejected, by reason and status."""
        self._turned_away.labels(reason, str(status)).inc()

    def waited(self, seconds: float) -> None:
        """Add a write's wait for the database, in seconds, to the histogram."""
        self._waits.observe(seconds)

    def saved(self) -> None:
        """Count a committed write."""
        self._saves.inc()

    def watch(self, **sizes: Callable[[], int]) -> None:
        """Set the function of each named gauge, which returns its value when the metrics are read."""
        for name, size in sizes.items():
            self._gauges[name].set_function(size)

    def text(self) -> tuple[bytes, str]:
        """Return the page for Prometheus and its content type; only if the metrics are counted."""
        from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

        assert self._registry is not None
        return generate_latest(self._registry), CONTENT_TYPE_LATEST


NOBODY_READS: Final = Metrics(read=False)
