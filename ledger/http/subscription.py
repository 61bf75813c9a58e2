"""The subscription that a view passes to the server, which holds the connection.

A view that is asked for news returns its subject and is done. A server that can hold connections without a
thread, such as ours, puts a list for it into the request's environment.
"""

from dataclasses import dataclass
from typing import Final

from flask import Response, request

SUBSCRIPTIONS: Final = "ledger.subscriptions"
"""The environment's key for the list of ``Subscription``; missing if the server can't hold connections."""

STREAM: Final = "text/event-stream"
"""The type of a response that goes on as long as its page is open."""


@dataclass(frozen=True, slots=True)
class Subscription:
    """A followed session, or the whole club if ``session_id`` is 0, with its current ``number``.

    ``security_event`` is the last one in the club's log when access was checked; ``holder`` is the device.
    ``last_entry`` is set if the club's entries are followed: the response holds those until this one.
    """

    club_id: int
    session_id: int
    number: int
    security_event: int
    holder: str = ""
    last_entry: int | None = None


def stream(subscription: Subscription, content: str = "") -> Response | None:
    """Return a response of ``content`` and then news; None if the server can't hold the connection."""
    subscriptions: list[Subscription] | None = request.environ.get(SUBSCRIPTIONS)
    if subscriptions is None:
        return None
    subscriptions.append(subscription)
    response = Response(content, mimetype=STREAM)
    response.headers["X-Accel-Buffering"] = "no"  # otherwise nginx buffers until the end
    return response
