"""A request's head: it comes in within a time and a length, or nobody waits for it any longer."""

import asyncio
import logging
from typing import Any

import pytest
import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.server import ServerState

from ledger.runtime.logs import SERVER
from ledger.server import protocol
from ledger.server.protocol import PatientProtocol, with_metrics
from tests.ledger.server.loops import in_a_loop_of_its_own, in_its_own_loop
from tests.ledger.server.test_bridge import Counts

REFUSED = "The request's head did not come in, or was too long."


COUNTS = Counts()


@pytest.fixture(autouse=True)
def _nobody_counted() -> None:
    COUNTS.noted.clear()


class Line(asyncio.Transport):
    """A connection that records everything written on it."""

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

    def pause_reading(self) -> None:
        """Do nothing: the test itself delivers the data."""

    def resume_reading(self) -> None:
        """Do nothing."""

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
        talking = talker(_answer)
        talking.connection_made(line)
        for piece in pieces:
            talking.data_received(piece)
            await asyncio.sleep(0.01)
        await asyncio.sleep(wait)
        line.closed_by_us = line.closed
        talking.connection_lost(None)

    in_a_loop_of_its_own(talk())
    return line


def talker(answer: Any) -> PatientProtocol:
    """Return the server's end of a connection to an application."""
    counted = with_metrics(COUNTS)
    config = uvicorn.Config(answer, http=counted, lifespan="off", log_config=None)
    config.load()
    return counted(config, ServerState(), {}, asyncio.get_running_loop())


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
def test_who_is_refused_is_counted_and_who_asked_nothing_is_not() -> None:
    """Half a head, no HTTP, and thousands at once each by its reason; browsers connect and send nothing."""
    after(b"GET / HT", wait=0.3)
    after(b"\x16\x03\x01\x02\r\n\r\n")
    after(b"GET / HTTP/1.1\r\n\r\n" * 5_000)
    assert COUNTS.noted == [("bad-head", 400), ("malformed", 400), ("too-many-in-line", 400)]
    after(wait=0.3)
    assert len(COUNTS.noted) == 3


@pytest.mark.usefixtures("hasty")
def test_who_has_been_answered_may_stay() -> None:
    """Between two requests another, longer time holds; the next head has its own time again."""
    complete = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"
    assert not after(complete, wait=0.3).closed_by_us
    assert not after(complete, complete, wait=0.3).closed_by_us
    assert after(complete, b"GET / HT", wait=0.3).closed_by_us


def test_a_head_without_end_is_refused() -> None:
    """Headers that keep coming fill no memory."""
    line = after(b"GET / HTTP/1.1\r\n", *[b"x: " + b"y" * 20_000 + b"\r\n"] * 4)
    assert line.closed_by_us
    assert line.written.startswith(b"HTTP/1.1 400")


def test_a_malformed_request_is_said_in_the_log_that_is_counted(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Anybody can send it as often as they like."""
    # Tests before this one may have logged the same sentence within the minute in which it is only counted.
    monkeypatch.setattr(logging.getLogger(SERVER), "filters", [])
    assert after(b"\x16\x03\x01\x02\r\n\r\n").written.startswith(b"HTTP/1.1 400")
    assert [each.name for each in caplog.records] == [SERVER]


def test_a_head_as_long_as_any_browser_sends_is_taken() -> None:
    """Forty thousand bytes of cookies are taken, each of two times on one connection."""
    complete = b"GET / HTTP/1.1\r\ncookie: " + b"y" * 40_000 + b"\r\n\r\n"
    line = after(complete, complete)
    assert line.written.count(b"HTTP/1.1 200") == 2


def test_who_has_gone_is_answered_no_more() -> None:
    """Of three requests sent at once one is being answered as the connection ends: nothing is written."""
    line, asked = Line(), list[str]()

    async def talk() -> None:
        disconnected = asyncio.Event()

        async def answer(scope: Any, receive: Any, send: Any) -> None:
            asked.append(scope["path"])
            await disconnected.wait()
            await _answer(scope, receive, send)

        talking = talker(answer)
        talking.connection_made(line)
        talking.data_received(b"".join(b"GET /%d HTTP/1.1\r\n\r\n" % number for number in range(3)))
        await asyncio.sleep(0)
        talking.connection_lost(ConnectionResetError())
        disconnected.set()
        while talking.tasks:
            await asyncio.gather(*talking.tasks)

    in_a_loop_of_its_own(talk())
    assert (line.written, asked) == (b"", ["/0"])


def test_who_sends_thousands_at_once_is_hung_up_on() -> None:
    """The loop begins none of them, and the others at the table wait for nothing; no refusal is an answer."""
    begun = list[str]()

    async def answer(scope: Any, _receive: Any, _send: Any) -> None:
        begun.append(scope["path"])
        await asyncio.Event().wait()

    async def talk() -> None:
        talking = talker(answer)
        talking.connection_made(line)
        talking.data_received(b"GET / HTTP/1.1\r\n\r\n" * 5_000)
        in_line.append(len(talking.pipeline))
        talking.connection_lost(None)
        await asyncio.sleep(0)
        for task in talking.tasks:
            task.cancel()

    line, in_line = Line(), list[int]()
    in_a_loop_of_its_own(talk())
    assert (line.closed, line.written, in_line) == (True, b"", [protocol.MOST_IN_LINE])
    assert len(begun) <= 1


def test_a_few_at_once_are_answered_one_after_another() -> None:
    """As many as may stand in line."""
    few = 1 + protocol.MOST_IN_LINE
    line = after(b"GET / HTTP/1.1\r\n\r\n" * few, wait=0.05)
    assert (line.written.count(b"HTTP/1.1 200"), line.closed_by_us) == (few, False)


def test_a_refusal_never_passes_for_the_answer_to_a_request_before_it() -> None:
    """Data after a request that is still being answered is no request: that one may have been saved."""
    line = after(b"POST / HTTP/1.1\r\nContent-Length: 0\r\n\r\n\x16\x03\r\n\r\n")
    assert (line.closed_by_us, b" 400 " in line.written) == (True, False)


def test_told_to_stop_it_does_not_wait_for_half_a_request(monkeypatch: pytest.MonkeyPatch) -> None:
    """The rest of a body gets a moment; then the connection is closed, and nothing is answered."""
    monkeypatch.setattr(protocol, "REST_WITHIN", 0.01)
    line, heard = Line(), list[str]()

    async def answer(_scope: Any, receive: Any, _send: Any) -> None:
        while not heard or heard[-1] == "http.request":
            heard.append((await receive())["type"])

    async def talk() -> None:
        talking = talker(answer)
        talking.connection_made(line)
        talking.data_received(b"POST / HTTP/1.1\r\nContent-Length: 9\r\n\r\n{")
        talking.shutdown()
        while not line.closed:
            await asyncio.sleep(0.001)
        talking.connection_lost(None)
        await asyncio.gather(*talking.tasks)

    in_a_loop_of_its_own(talk())
    assert (line.written, heard[-1]) == (b"", "http.disconnect")


@in_its_own_loop
async def test_uvicorn_has_the_undocumented_parts_that_are_used() -> None:
    """An upgrade that renames one would silently end a limit; the tests above check their effects."""
    started, connection = list[object](), talker(_answer)
    for name in ("cycle", "pipeline", "loop", "transport", "_start_asgi_task", "tasks"):
        assert hasattr(connection, name), f"uvicorn {uvicorn.__version__} has no {name}"
    original = HttpToolsProtocol._start_asgi_task

    def note(protocol: Any, cycle: Any, app: Any) -> None:
        started.append(cycle)
        original(protocol, cycle, app)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(HttpToolsProtocol, "_start_asgi_task", note)
        connection.connection_made(Line())
        connection.data_received(b"GET / HTTP/1.1\r\n\r\n" * 2)
    assert started == [connection._answering], f"uvicorn {uvicorn.__version__} starts otherwise"
    assert len(connection.pipeline) == 1, f"uvicorn {uvicorn.__version__} queues otherwise"
    for name in ("disconnected", "message_event", "more_body", "response_complete"):
        assert hasattr(connection.cycle, name), f"uvicorn {uvicorn.__version__} has no {name}"
    await asyncio.sleep(0.01)
    connection.connection_lost(None)
