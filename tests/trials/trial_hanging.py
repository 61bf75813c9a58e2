"""Idle and slow clients hang on, and some send thousands of requests at once: a save takes under a second."""

import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from threading import Event, Thread

from tests.ledger.server.test_serving import connected, head
from tests.support.server import Server, answering, fork_server, free_port
from tests.trials.rows import Row, percentile, seconds
from tests.trials.scorers import Books, Scorer, acknowledged, kept, made, many_connections, scoring

QUIET, LOUD = (500, 100, 0), (600, 400, 4)
"""How many are idle, how many slow, and how many send far more than they wait for."""

HANDS = {True: 20, False: 200}
AT_ONCE = 5_000


def rows(folder: Path, short: bool) -> Iterator[Row]:
    """Let one scorer save among each crowd."""
    books, port = made(f"sqlite:///{folder / 'ledger.sqlite'}"), free_port()
    server = answering(fork_server(folder, port=port))
    scorers: list[Scorer] = []
    try:
        with many_connections():
            for first, crowd in enumerate((QUIET, LOUD)):
                scorers += _saving_among(server, books, crowd, HANDS[short], first)
    finally:
        server.stop()
    for scorer, (idle, slow, flooding) in zip(scorers, (QUIET, LOUD), strict=True):
        yield Row("idle, slow and flooding clients", f"{idle}, {slow}, {flooding}")
        found = acknowledged([scorer])
        yield Row("hands of a scorer among them", f"{found}", str(HANDS[short]))
        yield seconds("a save, the median", percentile(scorer.times, 50), 1)
        yield seconds("the slowest save", max(scorer.times), 1)
    yield from kept(books, scorers)


def _saving_among(
    server: Server, books: Books, crowd: tuple[int, int, int], hands: int, first: int
) -> list[Scorer]:
    """Let a scorer save; half of the slow ones hang on in a head, half in a body."""
    idle, slow, flooding = crowd
    port, stop = int(server.url.rsplit(":", 1)[1]), Event()
    floods = [Thread(target=_flood, args=(port, stop), daemon=True) for _ in range(flooding)]
    with ExitStack() as hanging:
        for _ in range(idle):
            hanging.enter_context(connected(server))
        for _ in range(slow // 2):
            hanging.enter_context(connected(server, b"GET / HTTP/1.1\r\nHos"))
            began = head("POST", "/api/v1/clubs", 999) + b"{"
            hanging.enter_context(connected(server, began))
        for thread in floods:
            thread.start()
        with scoring(port, books, 1, hands, first=first) as scorers:
            pass
        stop.set()
    for thread in floods:
        thread.join(30)
    return scorers


def _flood(port: int, stop: Event) -> None:
    """Send thousands of requests without waiting for an answer, until stopped."""
    while not stop.is_set():
        with (
            suppress(OSError),
            socket.create_connection(("127.0.0.1", port), timeout=5) as line,
        ):
            line.sendall(head("GET", "/health") * AT_ONCE)
            while line.recv(65_536):
                pass
        time.sleep(0.01)
