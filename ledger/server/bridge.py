"""From the server's event loop to the application's threads.

The loop holds the connections: an idle or a slow client costs memory, and no thread. Only a request that has
come in whole takes a thread. Requests that only read and those that may write have threads of their own, so
that a page is shown while writers wait for one another. Scoring has one: anybody may ask for it, it takes
nothing but the processor, and who saves should wait for one hand that is scored, not for eight.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from ledger.http import request_log
from ledger.http.failures import MOST_BYTES
from ledger.http.followed import HOLDS, Followed
from ledger.runtime.config import Network
from ledger.runtime.metrics import NOBODY_READS, Metrics
from ledger.server import environ as wsgi
from ledger.server import rejections
from ledger.server.bodies import Bodies
from ledger.server.environ import Scope
from ledger.server.followers import Followers, Receive, Send
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
"""Seconds in which a body has to come in; a phone in a bad net sends its few thousand bytes in less."""

_SCORES = "/api/v1/score"

_READS = {"GET", "HEAD", "OPTIONS"}


class _Gone(Exception):
    """The client has gone before its request was whole."""


class Bridge:
    """An ASGI application that runs a WSGI one; ``on_stop`` runs when the last answer has gone out.

    What the application lets be followed is handed to ``followers``; its threads are then free again.
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
        self.bodies = Bodies(trusted)
        if followers is not None:
            followers.asking = lambda: self._readers.waiting

    @property
    def waiting(self) -> int:
        """How many requests have a thread or wait for one."""
        return sum(pool.waiting for pool in self._pools)

    @property
    def _pools(self) -> tuple[Pool, ...]:
        return self._readers, self._writers, self._scorers

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or start and stop with the server."""
        if scope["type"] == "lifespan":
            await self._live(receive, send)
        elif scope["type"] == "http":
            # The server stops and waits for nobody any longer; or there is nobody to be answered.
            with suppress(asyncio.CancelledError, _Gone):
                await self._answer(scope, receive, send)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            with self.bodies.room(scope) as grow:
                body = await _body(receive, grow)
                reply, followed = await self._asked(scope, body)
            followers = self._to_be_told(scope, reply, followed)
        except TurnedAway as away:
            rejections.note(away.reason, self._metrics)
            address = (scope.get("client") or ("",))[0]
            request_log.told(scope["method"], address, away.reason.status)
            reply, followed, followers = rejections.reply(away.reason), None, None
        status, headers, said = reply
        if followed is None or followers is None:
            await send({"type": "http.response.start", "status": status, "headers": headers})
            await send({"type": "http.response.body", "body": said})
            return
        headers = [each for each in headers if each[0] != b"content-length"]
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await followers.tell(followed, receive, send, partial(self._is_still_in, scope))

    def _to_be_told(
        self, scope: Scope, reply: Reply, followed: Followed | None
    ) -> Followers | None:
        """Return who tells of news, where this connection is to be told. Raises ``TurnedAway`` if full."""
        if followed is None or scope["method"] != "GET" or reply[0] != 200:
            return None
        if self._followers is not None and self._followers.is_full:
            raise TurnedAway(NO_MORE_FOLLOWERS)
        if self._followers is not None and self._followers.has_too_many_like(followed):
            raise TurnedAway(NO_MORE_LIKE_IT)
        return self._followers

    async def _is_still_in(self, scope: Scope) -> bool:
        """Whether a follower would be let in again; who can't be told just now is not let out."""
        try:
            reply, followed = await self._asked(scope, b"")
        except TurnedAway:
            return True
        return reply[0] == 503 or followed is not None

    async def _asked(self, scope: Scope, body: bytes) -> tuple[Reply, Followed | None]:
        """Ask the application in a thread; return its answer, and what it lets be followed."""
        holding: list[Followed] = []
        environ = wsgi.environment(scope, body)
        if self._followers is not None:
            environ[HOLDS] = holding
        pool = self._readers if scope["method"] in _READS else self._writers
        if scope["path"] == _SCORES:
            pool = self._scorers
        try:
            reply = await pool.run(partial(wsgi.answer, self._application, environ))
        except asyncio.CancelledError:
            raise TurnedAway(STOPPED) from None
        return reply, holding[0] if holding else None

    async def _live(self, receive: Receive, send: Send) -> None:
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
    """Read a body to its end, or until it is longer than any that is taken.

    Raises ``TurnedAway`` if it does not come in time or has no room, ``_Gone`` if nobody waits for an answer.
    """
    body = bytearray()
    more = True
    try:
        async with asyncio.timeout(BODY_WITHIN):
            while more and len(body) <= MOST_BYTES:
                event = await receive()
                if event["type"] == "http.disconnect":
                    raise _Gone()
                body += event.get("body", b"")
                grow(len(body))
                more = event.get("more_body", False)
    except TimeoutError:
        raise TurnedAway(SLOW_BODY) from None
    return bytes(body)
