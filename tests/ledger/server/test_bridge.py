"""From the loop to the threads: a request in WSGI's form, and nobody who waits without end."""

import asyncio
import logging
import threading
from collections.abc import Callable, Iterable
from typing import Any

import pytest
from flask import Flask, jsonify, request

from ledger.http.failures import MOST_BYTES
from ledger.runtime import logs
from ledger.runtime.metrics import Metrics
from ledger.server import bridge, pool
from ledger.server import rejections as turned_away
from ledger.server.bridge import Bridge
from ledger.server.followers import Event
from tests.ledger.server.loops import in_a_loop_of_its_own

STARTED = {"type": "lifespan.startup"}
STOPPED = {"type": "lifespan.shutdown"}


def asked(method: str = "GET", path: str = "/", **more: Any) -> dict[str, Any]:
    """Return a request's scope, as a server gives it."""
    return {
        "type": "http",
        "http_version": "1.1",
        "method": method,
        "path": path,
        "query_string": b"",
        "scheme": "http",
        "headers": [],
        "client": ("192.0.2.7", 50_000),
        "server": ("192.0.2.1", 8000),
    } | more


def sent(*events: Event) -> Callable[[], Any]:
    """Return a ``receive`` that gives these events and then waits for ever."""
    left = list(events)

    async def receive() -> Event:
        if left:
            return left.pop(0)
        await asyncio.Event().wait()
        raise AssertionError

    return receive


def body(data: bytes = b"", more: bool = False) -> Event:
    """Return a piece of a body."""
    return {"type": "http.request", "body": data, "more_body": more}


def reply(
    over: Bridge, scope: dict[str, Any], *events: Event
) -> tuple[int, dict[str, str], bytes] | None:
    """Return the answer to one request: status, headers and body; None if there is none."""
    out: list[Event] = []

    async def send(event: Event) -> None:
        out.append(event)

    in_a_loop_of_its_own(_call(over, scope, sent(*events), send))
    if not out:
        return None
    start, rest = out
    return start["status"], {k.decode(): v.decode() for k, v in start["headers"]}, rest["body"]


async def _call(over: Bridge, scope: dict[str, Any], receive: Any, send: Any) -> None:
    await over(scope, receive, send)


@pytest.fixture
def over() -> Bridge:
    """A bridge over an application that repeats its environment."""
    app = Flask("told")
    app.config["MAX_CONTENT_LENGTH"] = MOST_BYTES

    @app.route("/", methods=["GET", "POST"])
    @app.route("/<name>", methods=["GET", "POST"])
    def told(name: str = "") -> Any:
        return jsonify(
            name=name,
            args=request.args,
            sent=request.get_data(as_text=True),
            by=request.remote_addr,
            cookies=request.cookies,
            agent=request.headers.get("User-Agent"),
            forwarded=request.headers.get("X-Forwarded-For"),
            lists=request.headers.get("If-None-Match"),
            thread=threading.current_thread().name.split("_")[0],
        )

    return Bridge(app, 2, lambda: None)


def said(answer: tuple[int, dict[str, str], bytes] | None) -> dict[str, Any]:
    """Return the JSON of an answer."""
    import orjson

    assert answer is not None
    assert answer[0] == 200
    results: dict[str, Any] = orjson.loads(answer[2])
    return results


def test_an_application_is_told_what_was_asked(over: Bridge) -> None:
    """Address in any script, query, repeated headers, body in pieces, and the client."""
    headers = [
        (b"user-agent", b"phone"),
        (b"cookie", b"a=1"),
        (b"cookie", b"b=2"),
        (b"if-none-match", b'"1"'),
        (b"if-none-match", b'"2"'),
    ]
    scope = asked("POST", "/Zoë", query_string=b"page=2", headers=headers)
    environ = said(reply(over, scope, body(b"po", more=True), body(b"ints=74")))
    assert (environ["name"], environ["args"], environ["sent"]) == (
        "Zoë",
        {"page": "2"},
        "points=74",
    )
    assert (environ["by"], environ["agent"]) == ("192.0.2.7", "phone")
    assert environ["cookies"] == {"a": "1", "b": "2"}
    assert environ["lists"] == '"1","2"'


def test_a_header_that_only_looks_like_another_is_left_out(over: Bridge) -> None:
    """WSGI spells both alike, so that one could pass for a proxy's."""
    environ = said(reply(over, asked(headers=[(b"x_forwarded_for", b"10.0.0.1")]), body()))
    assert environ["forwarded"] is None


def test_a_body_sent_in_chunks_is_read_like_any_other(over: Bridge) -> None:
    """A program that does not know the length before it sends, like curl with -T -, names none."""
    scope = asked("POST", headers=[(b"transfer-encoding", b"chunked")])
    environ = said(reply(over, scope, body(b"po", more=True), body(b"ints=74")))
    assert environ["sent"] == "points=74"


def test_readers_and_writers_have_threads_of_their_own(over: Bridge) -> None:
    """A page never waits behind writers that wait for one another."""
    assert said(reply(over, asked("GET"), body()))["thread"] == "reader"
    assert said(reply(over, asked("POST"), body()))["thread"] == "writer"


def test_more_than_is_taken_is_refused_before_its_end(over: Bridge) -> None:
    """The application answers that it is too much, and the connection ends: the rest is not read."""
    answer = reply(over, asked("POST"), *[body(b"x" * 400_000, more=True)] * 3)
    assert answer is not None
    assert (answer[0], answer[1]["connection"]) == (413, "close")


def test_a_client_that_has_gone_gets_no_answer(over: Bridge) -> None:
    """A half-received request is never run."""
    disconnect = {"type": "http.disconnect"}
    assert reply(over, asked("POST"), body(b"po", more=True), disconnect) is None


def test_a_body_that_does_not_come_is_not_waited_for_without_end(
    over: Bridge, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Half a minute at most; the answer states truly that nothing was saved, and it is logged like others."""
    caplog.set_level(logging.INFO, logs.REQUESTS)
    monkeypatch.setattr(bridge, "BODY_WITHIN", 0.05)
    answer = reply(over, asked("POST"), body(b"po", more=True))
    assert answer is not None
    assert (answer[0], answer[1]["connection"]) == (408, "close")
    assert answer[2] == b"The request did not come in in time. Nothing was saved; try again."
    (line,) = [each for each in caplog.records if each.name == logs.REQUESTS]
    assert logs.fields_of(line) == {
        "status": 408,
        "method": "POST",
        "route": "none",
        "address": "192.0.2.7",
    }


def test_who_comes_after_too_many_is_asked_to_come_again(
    over: Bridge, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The line before the threads has an end, too."""
    monkeypatch.setattr(pool, "MOST_WAITING", 0)
    answer = reply(over, asked(), body())
    assert answer is not None
    assert (answer[0], answer[1]["retry-after"]) == (503, "1")
    assert b"Nothing was saved" in answer[2]


def test_who_waits_too_long_for_a_thread_is_asked_to_come_again(
    over: Bridge, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A client that has gone long ago is not answered while others wait for it."""
    monkeypatch.setattr(pool, "TURN_WITHIN", -1)
    answer = reply(over, asked(), body())
    assert answer is not None
    assert (answer[0], answer[1]["retry-after"]) == (503, "1")
    assert b"Nothing was saved" in answer[2]


def test_hundreds_of_writers_who_wait_keep_no_reader_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each kind of request has a line of its own: where no more writers are taken, pages are shown."""
    monkeypatch.setattr(pool, "MOST_WAITING", 3)
    end = threading.Event()

    def slow(environ: dict[str, Any], start: Any) -> Iterable[bytes]:
        if environ["REQUEST_METHOD"] == "POST":
            end.wait(20)
        start("200 OK", [])
        return [b"ok"]

    over = Bridge(slow, 1, lambda: None)
    statuses: dict[str, list[int]] = {"POST": [], "GET": []}

    async def ask(method: str) -> None:
        async def send(event: Event) -> None:
            if "status" in event:
                statuses[method].append(event["status"])

        await over(asked(method), sent(body()), send)

    async def many() -> None:
        writers = [asyncio.create_task(ask("POST")) for _ in range(4)]
        while not statuses["POST"]:
            await asyncio.sleep(0)
        await ask("GET")
        assert (statuses, over.waiting) == ({"POST": [503], "GET": [200]}, 3)
        end.set()
        await asyncio.gather(*writers)

    in_a_loop_of_its_own(many())
    assert (sorted(statuses["POST"]), over.waiting) == ([200, 200, 200, 503], 0)


class Counts(Metrics):
    """Notes the rejected requests."""

    def __init__(self) -> None:
        super().__init__(read=False)
        self.noted: list[tuple[str, int]] = []

    def turned_away(self, reason: str, status: int) -> None:
        """Note it."""
        self.noted.append((reason, status))


def test_whoever_is_turned_away_is_counted_and_the_log_says_why_once(
    over: Bridge, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Three answers that the application knows nothing of: three counted, a line for each reason."""
    counts = Counts()
    own = Bridge(over._application, 1, lambda: None, metrics=counts)
    monkeypatch.setattr(logging.getLogger(logs.TURNED_AWAY), "filters", [logs.RepeatFilter(3600)])
    reply(own, asked(), body())
    monkeypatch.setattr(pool, "MOST_WAITING", 0)
    for _ in range(2):
        reply(own, asked(), body())
    monkeypatch.setattr(bridge, "BODY_WITHIN", 0.01)
    reply(own, asked("POST"), body(b"po", more=True))
    assert counts.noted == [("too-many", 503)] * 2 + [("slow-body", 408)]
    assert [each.getMessage() for each in caplog.records] == [
        turned_away.TOO_MANY.logged,
        turned_away.SLOW_BODY.logged,
    ]


def test_what_an_application_writes_and_what_it_returns_is_one_body() -> None:
    """WSGI has two ways to answer; the iterable is closed in both."""
    closed: list[bool] = []

    class Pieces(list[bytes]):
        def close(self) -> None:
            closed.append(True)

    def old(_environ: dict[str, Any], start: Any) -> Iterable[bytes]:
        start("200 OK", [("Content-Type", "text/plain")])(b"first ")
        return Pieces([b"second"])

    answer = reply(Bridge(old, 1, lambda: None), asked(), body())
    assert answer == (200, {"content-type": "text/plain"}, b"first second")
    assert closed == [True]


def test_the_books_are_closed_when_the_last_answer_has_gone_out(over: Bridge) -> None:
    """The server announces its stop; the callback then lets the database put its log away."""
    stopped: list[str] = []
    ending = Bridge(over._application, 1, lambda: stopped.append("closed"))
    out: list[Event] = []

    async def send(event: Event) -> None:
        out.append(event)

    async def live() -> None:
        await ending({"type": "lifespan"}, sent(STARTED, STOPPED), send)

    in_a_loop_of_its_own(live())
    assert [event["type"] for event in out] == [
        "lifespan.startup.complete",
        "lifespan.shutdown.complete",
    ]
    assert stopped == ["closed"]


def test_who_is_waited_for_no_longer_is_told_so() -> None:
    """The server stops before the answer is there: 503, as nobody knows its outcome."""
    begun, end = threading.Event(), threading.Event()
    out: list[Event] = []

    def slow(_environ: Any, start: Any) -> Iterable[bytes]:
        begun.set()
        end.wait(20)
        start("200 OK", [])
        return [b"ok"]

    async def send(event: Event) -> None:
        out.append(event)

    async def cut_short() -> None:
        over = Bridge(slow, 1, lambda: None)
        task = asyncio.create_task(over(asked("POST"), sent(body()), send))
        await asyncio.to_thread(begun.wait, 20)
        task.cancel()
        await task
        end.set()

    in_a_loop_of_its_own(cut_short())
    assert (out[0]["status"], out[1]["body"].decode()) == (503, turned_away.STOPPED.sentence)
