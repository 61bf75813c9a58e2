"""The real server among clients that are idle, slow or gone, and when it is stopped."""

import json
import re
import signal
import socket
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from urllib.parse import urlsplit

import pytest

from ledger.books.transactions import Database
from ledger.database.access import Role
from ledger.services.club import clubs, links
from ledger.services.session.load import load
from tests.conftest import StartServer
from tests.ledger import table
from tests.support.server import Server

FOUND = json.dumps({"name": "Club of many", "passcode": "four aces"}).encode()


def head(method: str, path: str, length: int = 0, more: str = "") -> bytes:
    """Return the head of a request; ``more`` is a line of it."""
    return (
        f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        f"{more}Content-Length: {length}\r\n\r\n"
    ).encode()


@contextmanager
def connected(running: Server, first: bytes = b"") -> Iterator[socket.socket]:
    """A connection to the server that has sent ``first``."""
    at = urlsplit(running.url)
    with socket.create_connection((at.hostname, at.port), timeout=20) as line:
        line.sendall(first)
        yield line


def answer(line: socket.socket) -> bytes:
    """Read an answer to its end: head, and as many bytes as it announces."""
    data = b""
    while b"\r\n\r\n" not in data:
        data += _some(line)
    top, _, body = data.partition(b"\r\n\r\n")
    length = int(top.lower().split(b"content-length:")[1].split()[0])
    while len(body) < length:
        body += _some(line)
    return top + b"\r\n\r\n" + body


def _some(line: socket.socket) -> bytes:
    data = line.recv(65_536)
    assert data, "the server hung up"
    return data


def test_five_hundred_idle_and_a_hundred_slow_clients_hold_nobody_up(server: StartServer) -> None:
    """A club is founded and saved in under a second while they all hang on."""
    running = server()
    with ExitStack() as hanging:
        for _ in range(500):
            hanging.enter_context(connected(running))
        for _ in range(50):
            hanging.enter_context(connected(running, b"GET / HTTP/1.1\r\nHos"))
            hanging.enter_context(connected(running, head("POST", "/api/v1/clubs", 999) + b"{"))
        begun = time.monotonic()
        with connected(running, head("POST", "/api/v1/clubs", len(FOUND)) + FOUND) as line:
            assert answer(line).startswith(b"HTTP/1.1 201")
        assert time.monotonic() - begun < 1


@pytest.mark.parametrize(
    ("told", "status"), [(signal.SIGTERM, -signal.SIGTERM), (signal.SIGINT, 0)]
)
def test_told_to_stop_it_lets_what_has_begun_come_to_its_end(
    server: StartServer, told: signal.Signals, status: int
) -> None:
    """SIGTERM, Ctrl-C: six requests under way are all answered; the books are whole without their log."""
    running = server()
    answers: list[bytes] = []
    body = json.dumps({"name": "Club", "passcode": "four aces"}).encode()

    def found(number: int) -> None:
        own = body.replace(b"Club", f"Club {number}".encode())
        expects = "Expect: 100-continue\r\n"
        with connected(running, head("POST", "/api/v1/clubs", len(own), expects)) as line:
            assert _some(line) == b"HTTP/1.1 100 Continue\r\n\r\n"  # so it is under way
            begun.wait()
            line.sendall(own)
            answers.append(answer(line))

    begun = threading.Barrier(7)
    threads = [threading.Thread(target=found, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    begun.wait()
    running.process.send_signal(told)
    for thread in threads:
        thread.join()
    assert running.process.wait(20) == status
    assert [each.split(b" ", 2)[1] for each in answers] == [b"201"] * 6
    books = running.folder / "ledger.sqlite"
    assert not books.with_name("ledger.sqlite-wal").exists()
    with sqlite3.connect(books) as reading:
        assert reading.execute("SELECT count(*) FROM club").fetchone() == (6,)


def test_a_connection_is_kept_from_one_answer_to_the_next(server: StartServer) -> None:
    """A phone that asks again and again connects once, also after an answer without a body."""
    running = server()
    with connected(running) as line:
        for path in ("/health", "/nowhere", "/health"):
            line.sendall(head("GET", path))
            assert b"connection: close" not in answer(line).lower()


def test_a_phone_told_of_nothing_new_keeps_its_connection(server: StartServer) -> None:
    """The board asks with the revision it saw: 204 after 204 comes down one connection."""
    running = server()
    database = Database(f"sqlite:///{running.folder / 'ledger.sqlite'}")
    club, _ = clubs.create(database, name="Kitchen Table", passcode="four aces")
    secret = (running.folder / "secret-key").read_text().strip()
    key, _ = links.make(database, club, secret, role=Role.VIEWER, lasts="hour")
    number = table.start(database, club)
    revision = table.ask(database, club, load, number).revision
    database.close()
    poll = f"/clubs/{club.club_id}/sessions/{number}?revision={revision}"
    with connected(running) as line:
        line.sendall(head("GET", f"/v/{key}"))
        cookie = re.search(rb"set-cookie: ([^;]*)", answer(line), re.IGNORECASE)
        assert cookie
        for _ in range(3):
            asked = head("GET", poll).removesuffix(b"\r\n")
            line.sendall(asked + b"Cookie: " + cookie[1] + b"\r\n\r\n")
            told = b""
            while not told.endswith(b"\r\n\r\n"):
                told += _some(line)
            assert told.startswith(b"HTTP/1.1 204"), told
            assert b"connection: close" not in told.lower()


def test_the_running_service_says_what_it_does(server: StartServer) -> None:
    """A line of JSON for each request, and figures that know how many are connected."""
    running = server(environment={"LEDGER_LOG": "json", "LEDGER_METRICS": "127.0.0.1"})
    with connected(running), connected(running) as line:
        line.sendall(head("GET", "/v/s3cret"))
        number = re.search(rb"x-request-id: (\w+)", answer(line), re.IGNORECASE)
        line.sendall(head("GET", "/metrics"))
        figures = answer(line).decode()
    assert number
    assert "ledger_connections 2.0" in figures
    assert "ledger_requests_waiting 1.0" in figures
    lines = [json.loads(each) for each in running.log.splitlines() if each.startswith("{")]
    (asked,) = [each for each in lines if each.get("request_id") == number[1].decode()]
    assert (asked["path"], asked["status"]) == ("/v/{viewer_key}", 404)
    assert "s3cret" not in running.log
