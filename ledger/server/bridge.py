"""From the server's event loop to the application's threads.

The loop holds the connections: an idle or a slow client costs memory, and no thread. Only a request that has
come in whole takes a thread. Requests that only read and those that may write have threads of their own, so
that a page is shown while writers wait for one another.
"""

import asyncio
import sys
from collections.abc import Callable, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from io import BytesIO
from time import perf_counter
from typing import TYPE_CHECKING, Any

from ledger import request_log
from ledger.following import HOLDS, Followed
from ledger.http import MOST_BYTES
from ledger.server.followers import Followers, Receive, Send

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication

Scope = MutableMapping[str, Any]
Reply = tuple[int, list[tuple[bytes, bytes]], bytes]

BODY_WITHIN = 30.0
"""Seconds in which a body has to come in; a phone in a bad net sends its few thousand bytes in less."""

MOST_WAITING = 400
"""How many requests may wait for a thread; who comes after them is asked to come again."""

TURN_WITHIN = 20.0
"""Seconds within which a request gets a thread; whoever has waited longer is asked to come again."""

FOLLOWS_AGAIN_AFTER = 30
"""Seconds after which a page may ask again to follow, where as many do as may."""

TOO_MANY = "Too many requests at once. Nothing was saved; try again in a second."
STOPPED = (
    "The service is being stopped. Whether it was saved is not known; sending the same form again is safe: "
    "nothing is written twice."
)

_READS = {"GET", "HEAD", "OPTIONS"}
_OF_A_BODY_ON_ITS_WAY = {b"content-length", b"transfer-encoding"}
"""Headers that no longer hold once it has come in: a body in chunks would pass for an empty one."""


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
    ) -> None:
        self._application = application
        self._on_stop = on_stop
        self._followers = followers
        if followers is not None:
            followers.asking = lambda: self.waiting
        self._readers = ThreadPoolExecutor(threads, "reader")
        self._writers = ThreadPoolExecutor(threads, "writer")
        self.waiting = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or start and stop with the server."""
        if scope["type"] == "lifespan":
            await self._live(receive, send)
        elif scope["type"] == "http":
            with suppress(
                asyncio.CancelledError
            ):  # the server stops and waits for nobody any longer
                await self._answer(scope, receive, send)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        holding: list[Followed] = []
        reply = await self._reply(scope, receive, holding)
        if reply is None:
            return
        followers = self._followers
        holds = followers is not None and scope["method"] == "GET" and reply[0] == 200 and holding
        if holds and followers is not None and followers.is_full:
            holds = False
            sentence = "Too many follow already; this page asks for news by itself."
            reply = _told(scope, 503, sentence, FOLLOWS_AGAIN_AFTER)
        status, headers, body = reply
        if not holds or followers is None:
            await send({"type": "http.response.start", "status": status, "headers": headers})
            await send({"type": "http.response.body", "body": body})
            return
        headers = [each for each in headers if each[0] != b"content-length"]
        await send({"type": "http.response.start", "status": status, "headers": headers})

        async def still_in() -> bool:
            again: list[Followed] = []
            answer = await self._asked(scope, b"", again)
            return answer[0] == 503 or bool(again)  # who can't be told just now is not let out

        await followers.tell(holding[0], receive, send, still_in)

    async def _live(self, receive: Receive, send: Send) -> None:
        await receive()
        await send({"type": "lifespan.startup.complete"})
        await receive()
        for pool in (self._readers, self._writers):
            pool.shutdown(wait=True, cancel_futures=True)
        if self._followers is not None:
            self._followers.close()
        self._on_stop()
        await send({"type": "lifespan.shutdown.complete"})

    async def _reply(self, scope: Scope, receive: Receive, holding: list[Followed]) -> Reply | None:
        """Return the answer; nothing to a client that has gone before its request was whole."""
        try:
            async with asyncio.timeout(BODY_WITHIN):
                body = await _body(receive)
        except TimeoutError:
            return _told(
                scope, 408, "The request did not come in in time. Nothing was saved; try again."
            )
        return None if body is None else await self._asked(scope, body, holding)

    async def _asked(self, scope: Scope, body: bytes, holding: list[Followed]) -> Reply:
        """Ask the application in a thread; what it lets be followed is in ``holding`` then."""
        if self.waiting >= MOST_WAITING:
            return _told(scope, 503, TOO_MANY)
        pool = self._readers if scope["method"] in _READS else self._writers
        self.waiting += 1
        try:
            loop = asyncio.get_running_loop()
            environ = environment(scope, body)
            environ[request_log.ARRIVED] = perf_counter()
            if self._followers is not None:
                environ[HOLDS] = holding
            reply = await loop.run_in_executor(pool, self._run, environ)
        except asyncio.CancelledError:
            return _told(scope, 503, STOPPED)
        finally:
            self.waiting -= 1
        return reply or _told(scope, 503, TOO_MANY)

    def _run(self, environ: dict[str, Any]) -> Reply | None:
        """Return the application's answer; None to whoever has waited too long for this thread."""
        if perf_counter() - environ[request_log.ARRIVED] > TURN_WITHIN:
            return None
        status, headers = 500, list[tuple[bytes, bytes]]()
        written: list[bytes] = []

        def start(
            line: str, fields: list[tuple[str, str]], _error: object = None, /
        ) -> Callable[[bytes], object]:
            nonlocal status, headers
            status = int(line[:3])
            headers = [
                (name.lower().encode("latin1"), said.encode("latin1")) for name, said in fields
            ]
            return written.append

        pieces = self._application(environ, start)
        try:
            body = b"".join([*written, *pieces])
        finally:
            if hasattr(pieces, "close"):
                pieces.close()
        if int(environ["CONTENT_LENGTH"]) > MOST_BYTES:  # the rest of the body is still on its way
            headers.append((b"connection", b"close"))
        return status, headers, body


async def _body(receive: Receive) -> bytes | None:
    """Read a body to its end, or until it is longer than any that is taken; None if its sender has gone."""
    body = bytearray()
    more = True
    while more and len(body) <= MOST_BYTES:
        event = await receive()
        if event["type"] == "http.disconnect":
            return None
        body += event.get("body", b"")
        more = event.get("more_body", False)
    return bytes(body)


def environment(scope: Scope, body: bytes) -> dict[str, Any]:
    """Return what a WSGI application is told of a request (PEP 3333)."""
    host, port = scope.get("server") or ("localhost", 80)
    environ: dict[str, Any] = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",
        "PATH_INFO": scope["path"].encode().decode("latin1"),
        "QUERY_STRING": scope["query_string"].decode("latin1"),
        "SERVER_NAME": host,
        "SERVER_PORT": str(port),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "REMOTE_ADDR": (scope.get("client") or ("",))[0],
        "CONTENT_LENGTH": str(len(body)),
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope["scheme"],
        "wsgi.input": BytesIO(body),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
    }
    return environ | _headers(scope["headers"])


def _headers(fields: list[tuple[bytes, bytes]]) -> dict[str, str]:
    """Return the headers as WSGI spells them: one said twice is a list; look-alikes are left out."""
    found: dict[str, str] = {}
    for name, value in fields:
        # x_forwarded_for would pass for x-forwarded-for
        if b"_" in name or name in _OF_A_BODY_ON_ITS_WAY:
            continue
        key = name.decode("latin1").upper().replace("-", "_")
        key = key if key == "CONTENT_TYPE" else f"HTTP_{key}"
        said = value.decode("latin1")
        between = "; " if key == "HTTP_COOKIE" else ","
        found[key] = f"{found[key]}{between}{said}" if key in found else said
    return found


def _told(scope: Scope, status: int, sentence: str, again_after: int = 1) -> Reply:
    """Answer in one sentence what never reached the application, and end the connection."""
    request_log.told(scope["method"], (scope.get("client") or ("",))[0], status)
    headers = [
        (b"content-type", b"text/plain; charset=utf-8"),
        (b"content-length", str(len(sentence.encode())).encode()),
        (b"connection", b"close"),
        *([(b"retry-after", str(again_after).encode())] if status == 503 else []),
    ]
    return status, headers, sentence.encode()
