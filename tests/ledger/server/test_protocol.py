"""A request's head: it comes in within a time and a length, or nobody waits for it any longer."""

import asyncio
import threading
from typing import Any

import pytest
import uvicorn
from uvicorn.server import ServerState

from ledger.server import protocol
from ledger.server.protocol import PatientProtocol

REFUSED = "The request's head did not come in, or was too long."


class Line(asyncio.Transport):
    """A connection that notes what is written on it."""

    def __init__(self) -> None:
        super().__init__()
        self.written = b""
        self.closed = self.closed_by_us = False

    def write(self, data: Any) -> None:
        """Note it."""
        self.written += bytes(data)

    def close(self) -> None:
        """Note it."""
        self.closed = True

    def is_closing(self) -> bool:
        """Whether it was closed."""
        return self.closed

    def get_extra_info(self, name: str, default: Any = None) -> Any:  # noqa: ARG002
        """There is none."""
        return default


async def _answer(_scope: Any, _receive: Any, send: Any) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"ok"})


def after(*pieces: bytes, wait: float = 0.0) -> Line:
    """Return the connection on which these pieces came in, ``wait`` seconds after the last."""
    line = Line()

    async def talk() -> None:
        config = uvicorn.Config(_answer, http=PatientProtocol, lifespan="off", log_config=None)
        config.load()
        talking = PatientProtocol(config, ServerState(), {}, asyncio.get_running_loop())
        talking.connection_made(line)
        for piece in pieces:
            talking.data_received(piece)
            await asyncio.sleep(0.01)
        await asyncio.sleep(wait)
        line.closed_by_us = line.closed
        talking.connection_lost(None)

    thread = threading.Thread(target=lambda: asyncio.run(talk()))
    thread.start()
    thread.join()
    return line


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the wait be short."""
    monkeypatch.setattr(protocol, "HEAD_WITHIN", 0.1)


@pytest.mark.usefixtures("hasty")
@pytest.mark.parametrize("pieces", [(), (b"GET / HT",), (b"GET / HTTP/1.1\r\nHost: x\r\n",)])
def test_a_head_that_does_not_come_is_not_waited_for(pieces: tuple[bytes, ...]) -> None:
    """Neither after nothing, nor after half a line, nor after half the headers."""
    line = after(*pieces, wait=0.3)
    assert line.closed_by_us
    assert REFUSED in line.written.decode()


@pytest.mark.usefixtures("hasty")
def test_who_has_been_answered_may_stay() -> None:
    """Between two requests another, longer time holds; the next head has its own time again."""
    whole = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"
    assert not after(whole, wait=0.3).closed_by_us
    assert not after(whole, whole, wait=0.3).closed_by_us
    assert after(whole, b"GET / HT", wait=0.3).closed_by_us


def test_a_head_without_end_is_refused() -> None:
    """Headers that keep coming fill no memory."""
    line = after(b"GET / HTTP/1.1\r\n", *[b"x: " + b"y" * 20_000 + b"\r\n"] * 4)
    assert line.closed_by_us
    assert line.written.startswith(b"HTTP/1.1 400")


def test_a_head_as_long_as_any_browser_sends_is_taken() -> None:
    """Forty thousand bytes of cookies are taken, each of two times on one connection."""
    whole = b"GET / HTTP/1.1\r\ncookie: " + b"y" * 40_000 + b"\r\n\r\n"
    line = after(whole, whole)
    assert line.written.count(b"HTTP/1.1 200") == 2
