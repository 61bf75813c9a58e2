"""Five hundred idle and a hundred slow clients hang on: a scorer's save still takes under a second."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

from tests.ledger.server.test_serving import connected, head
from tests.support.server import answering, fork_server, free_port
from tests.trials.rows import Row, percentile, seconds
from tests.trials.scorers import acknowledged, kept, made, scoring

IDLE, SLOW = 500, 100
HANDS = {True: 20, False: 200}


def rows(folder: Path, short: bool) -> Iterator[Row]:
    """Let one scorer save while all of them hang on: half of the slow ones in a head, half in a body."""
    books, port = made(f"sqlite:///{folder / 'ledger.sqlite'}"), free_port()
    server = answering(fork_server(folder, port=port))
    try:
        with ExitStack() as hanging:
            for _ in range(IDLE):
                hanging.enter_context(connected(server))
            for _ in range(SLOW // 2):
                hanging.enter_context(connected(server, b"GET / HTTP/1.1\r\nHos"))
                began = head("POST", "/api/v1/clubs", 999) + b"{"
                hanging.enter_context(connected(server, began))
            with scoring(port, books, 1, HANDS[short]) as scorers:
                pass
    finally:
        server.stop()
    (scorer,) = scorers
    yield Row("idle and slow clients", f"{IDLE} and {SLOW}")
    yield Row("hands of a scorer among them", f"{acknowledged(scorers)}", str(HANDS[short]))
    yield seconds("a save, the median", percentile(scorer.times, 50), 1)
    yield seconds("the slowest save", max(scorer.times), 1)
    yield from kept(books, scorers)
