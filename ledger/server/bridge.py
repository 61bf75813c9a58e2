"""The ASGI application that runs the WSGI application in threads.

The event loop holds the connections: an idle or slow client costs memory, but no thread. Only a complete
request takes a thread. Reads and writes have separate threads, so that pages are shown while writers wait for
one another. Scoring has one thread: anybody may call it and it only uses the processor, so a save waits for
one hand being scored, not for eight.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from http import HTTPStatus
from typing import TYPE_CHECKING

from ledger.http import request_log
from ledger.http.failures import MOST_BYTES
from ledger.http.subscription import SUBSCRIPTIONS, Subscription
from ledger.runtime.config import Network
from ledger.runtime.metrics import NOBODY_READS, Metrics
from ledger.server import environ as wsgi
from ledger.server import rejections
from ledger.server.bodies import Bodies
from ledger.server.environ import Scope
from ledger.server.followers import Answer, Followers, Receive, Send
from ledger.server.pool import Pool
from ledger.server.rejections import (
    NO_MORE_FOLLOWERS,
    NO_MORE_LIKE_IT,
    SLOW_BODY,
    STOPPED,
    Reply,
    TurnedAway,
)

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication

BODY_WITHIN = 30.0
"""The seconds for receiving a body; a phone on a bad network sends its few thousand bytes in less."""

_SCORES = "/api/v1/score"

LAST_EVENT = b"last-event-id"
"""The header with the last event that a client has, after which its stream goes on."""

_READS = {"GET", "HEAD", "OPTIONS"}


class _ClientGone(Exception):
    """Raised if the client disconnects before its request is complete."""


class Bridge:
    """An ASGI application over a WSGI one; it calls ``on_stop`` after the last response.

    Requests that the application lets follow a page go on to ``followers`` and free their threads.
    """

    def __init__(
        self,
        application: "WSGIApplication",
        threads: int,
        on_stop: Callable[[], None],
        followers: Followers | None = None,
        metrics: Metrics = NOBODY_READS,
        trusted: tuple[Network, ...] = (),
    ) -> None:
        self._application = application
        self._on_stop = on_stop
        self._followers = followers
        self._metrics = metrics
        self._readers = Pool(threads, "reader")
        self._writers = Pool(threads, "writer")
        self._scorers = Pool(1, "scorer")
        self._pools = (self._readers, self._writers, self._scorers)
        self.bodies = Bodies(trusted)
        if followers is not None:
            followers.waiting_requests = lambda: self._readers.waiting

    @property
    def waiting(self) -> int:
        """The number of requests that have a thread or wait for one."""
        return sum(pool.waiting for pool in self._pools)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or start and stop with the server; without an answer if the client has gone."""
        if scope["type"] == "lifespan":
            await self._run_lifespan(receive, send)
        elif scope["type"] == "http":
            # The server stops without waiting any longer, or the client has gone.
            with suppress(asyncio.CancelledError, _ClientGone):
                await self._respond(scope, receive, send)

    async def _respond(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            with self.bodies.room(scope) as grow:
                body = await _body(receive, grow)
                reply, subscription = await self._call(scope, body)
            followers = self._followers_for(scope, reply, subscription)
        except TurnedAway as rejection:
            rejections.note(rejection.reason, self._metrics)
            address = (scope.get("client") or ("",))[0]
            request_log.log_rejection(scope["method"], address, rejection.reason.status)
            reply, subscription, followers = rejections.reply(rejection.reason), None, None
        status, headers, content = reply
        if subscription is None or followers is None:
            await send({"type": "http.response.start", "status": status, "headers": headers})
            await send({"type": "http.response.body", "body": content})
            return
        headers = [field for field in headers if field[0] != b"content-length"]
        await send({"type": "http.response.start", "status": status, "headers": headers})
        ask_again = partial(self._ask_again, scope, subscription)
        await followers.follow(subscription, receive, send, ask_again, content)

    def _followers_for(
        self, scope: Scope, reply: Reply, subscription: Subscription | None
    ) -> Followers | None:
        """Return the followers that this connection joins, if any. Raises ``TurnedAway`` if full."""
        if subscription is None or scope["method"] != "GET" or reply[0] != 200:
            return None
        if self._followers is not None and self._followers.is_full:
            raise TurnedAway(NO_MORE_FOLLOWERS)
        if self._followers is not None and self._followers.has_too_many_like(subscription):
            raise TurnedAway(NO_MORE_LIKE_IT)
        return self._followers

    async def _ask_again(self, scope: Scope, first: Subscription, last: int) -> Answer | None:
        """Return the answer to a follower's request if repeated after event ``last``; None without access.

        If it can't be answered just now, there is nothing new.
        """
        headers = [header for header in scope["headers"] if header[0] != LAST_EVENT]
        headers += [(LAST_EVENT, b"%d" % last)] if last > 0 else []
        nothing_new = b"", replace(first, number=last, last_entry=last)
        try:
            reply, subscription = await self._call({**scope, "headers": headers}, b"")
        except TurnedAway:
            return nothing_new
        if reply[0] == HTTPStatus.SERVICE_UNAVAILABLE:
            return nothing_new
        return (reply[2], subscription) if subscription else None

    async def _call(self, scope: Scope, body: bytes) -> tuple[Reply, Subscription | None]:
        """Call the application in a thread; return its response and the subscription it allows, if any.

        Raises ``TurnedAway`` if no thread is free in time, or the server stops.
        """
        subscriptions: list[Subscription] = []
        environ = wsgi.environment(scope, body)
        if self._followers is not None:
            environ[SUBSCRIPTIONS] = subscriptions
        pool = self._readers if scope["method"] in _READS else self._writers
        if scope["path"] == _SCORES:
            pool = self._scorers
        try:
            reply = await pool.run(partial(wsgi.answer, self._application, environ))
        except asyncio.CancelledError:
            raise TurnedAway(STOPPED) from None
        return reply, subscriptions[0] if subscriptions else None

    async def _run_lifespan(self, receive: Receive, send: Send) -> None:
        await receive()
        await send({"type": "lifespan.startup.complete"})
        await receive()
        for pool in self._pools:
            pool.close()
        if self._followers is not None:
            self._followers.close()
        self._on_stop()
        await send({"type": "lifespan.shutdown.complete"})


async def _body(receive: Receive, grow: Callable[[int], None]) -> bytes:
    """Read a body to its end, or until it exceeds ``MOST_BYTES``.

    Raises ``TurnedAway`` if it is too slow or too much for the memory limits, ``_ClientGone`` if the client
    disconnects.
    """
    body = bytearray()
    more = True
    try:
        async with asyncio.timeout(BODY_WITHIN):
            while more and len(body) <= MOST_BYTES:
                event = await receive()
                if event["type"] == "http.disconnect":
                    raise _ClientGone()
                body += event.get("body", b"")
                grow(len(body))
                more = event.get("more_body", False)
    except TimeoutError:
        raise TurnedAway(SLOW_BODY) from None
    return bytes(body)
