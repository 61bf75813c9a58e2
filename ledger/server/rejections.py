"""Requests that the server answers without the application, with their reasons and responses.

Each is counted by its reason. The log has one line per reason and minute with the number of repetitions, so
that thousands of rejected requests fill no disk.
"""

import logging
from typing import Final, NamedTuple

from ledger.runtime.logs import TURNED_AWAY
from ledger.runtime.metrics import Metrics

Reply = tuple[int, list[tuple[bytes, bytes]], bytes]
"""A response: status, headers and body."""

log = logging.getLogger(TURNED_AWAY)


class Reason(NamedTuple):
    """A reason for rejecting a request: its metric, log line (or ""), status and sentence."""

    name: str
    logged: str
    status: int
    sentence: str
    again_after: int | None = None
    """The seconds after which a client may try again."""


TOO_MANY: Final = Reason(
    "too-many",
    "Requests are turned away: too many wait for a thread.",
    503,
    "Too many requests at once. Nothing was saved; try again in a second.",
    1,
)
TOO_LATE: Final = TOO_MANY._replace(
    name="too-late", logged="Requests are turned away: no thread was free for them in time."
)
STOPPED: Final = Reason(
    "stopped",
    "Requests were cut off: they had not come to their end when the service was stopped.",
    503,
    "The service is being stopped. Whether it was saved is not known; sending the same form again is safe: "
    "nothing is written twice.",
    1,
)
NO_MORE_FOLLOWERS: Final = Reason(
    "no-more-followers",
    "Pages ask for news by themselves: as many follow already as LEDGER_FOLLOWERS and open files allow.",
    503,
    "Too many follow already; this page asks for news by itself.",
    30,
)
NO_MORE_LIKE_IT: Final = NO_MORE_FOLLOWERS._replace(
    name="no-more-like-it",
    logged="Pages ask for news by themselves: as many of one device, or of one club, follow already as may.",
    sentence="Too many of this device's or this club's pages follow; this page asks for news by itself.",
)
SLOW_BODY: Final = Reason(
    "slow-body",
    "Requests are turned away: their bodies did not come in in time.",
    408,
    "The request did not come in in time. Nothing was saved; try again.",
)
BAD_HEAD: Final = Reason(
    "bad-head",
    "Connections are ended: the head of a request did not come in, or was too long.",
    400,
    "The request's head did not come in, or was too long.",
)
MALFORMED: Final = Reason(
    "malformed",
    "",  # uvicorn logs it
    400,
    "Invalid HTTP request received.",
)
TOO_MANY_IN_LINE: Final = Reason(
    "too-many-in-line",
    "Connections are ended: more requests were sent at once than are kept for one.",
    400,
    MALFORMED.sentence,
)


class TurnedAway(Exception):
    """Raised for a request that the application will not, or not in time, answer."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason.name)
        self.reason = reason


def note(reason: Reason, metrics: Metrics) -> None:
    """Count a rejection, and log it if its reason has a line."""
    metrics.turned_away(reason.name, reason.status)
    if reason.logged:
        log.warning(reason.logged)


def reply(reason: Reason) -> Reply:
    """Return the response for a rejection: one sentence, and the end of the connection."""
    sentence = reason.sentence.encode()
    headers = [
        (b"content-type", b"text/plain; charset=utf-8"),
        (b"content-length", str(len(sentence)).encode()),
        (b"connection", b"close"),
    ]
    if reason.again_after is not None:
        headers.append((b"retry-after", str(reason.again_after).encode()))
    return reason.status, headers, sentence
