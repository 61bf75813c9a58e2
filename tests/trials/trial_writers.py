"""Thirty-two scorers save into one SQLite file at once: how many a second, and how long the unlucky wait.

A reader looks at the session again and again: readers never wait for writers. Saves
were 34 to 42 a second once, with a 99th percentile of 4.5 s.
"""

import http.client
import time
from collections.abc import Iterator
from pathlib import Path
from threading import Event, Thread

from tests.support.server import answering, fork_server, free_port
from tests.trials.rows import Row, percentile, seconds
from tests.trials.scorers import Books, kept, made, scoring

SCORERS = 32
HANDS = {True: 6, False: 60}
"""How many hands each of them saves, in the short form or not."""


class Reader(Thread):
    """Looks at the session until stopped; stores the durations."""

    def __init__(self, port: int, books: Books) -> None:
        super().__init__(daemon=True)
        self.stop, self.books = Event(), books
        self.times: list[float] = []
        self._line = http.client.HTTPConnection("127.0.0.1", port, timeout=60)

    def run(self) -> None:
        """Look, wait a moment, look again."""
        headers = {"Authorization": f"Bearer {self.books.token}"}
        while not self.stop.wait(0.05):
            begun = time.monotonic()
            self._line.request("GET", f"/api/v1/sessions/{self.books.evening}", headers=headers)
            answer = self._line.getresponse()
            answer.read()
            assert answer.status == 200
            self.times.append(time.monotonic() - begun)

    def end(self) -> None:
        """Look no more."""
        self.stop.set()
        self.join(60)


def rows(folder: Path, short: bool) -> Iterator[Row]:
    """Let all of them save."""
    books, port = made(f"sqlite:///{folder / 'ledger.sqlite'}"), free_port()
    server = answering(fork_server(folder, port=port))
    try:
        reader = Reader(port, books)
        reader.start()
        begun = time.monotonic()
        with scoring(port, books, SCORERS, HANDS[short]) as scorers:
            pass
        took = time.monotonic() - begun
        reader.end()
    finally:
        server.stop()
    times = [each for scorer in scorers for each in scorer.times]
    yield Row("scorers", str(SCORERS))
    yield Row("saves a second", f"{len(times) / took:.0f}")
    yield seconds("a save, the median", percentile(times, 50), 1)
    yield seconds("a save, 99 in 100 within", percentile(times, 99), 1)
    yield seconds("the slowest save", max(times), 2)
    yield seconds("a look meanwhile, 99 in 100 within", percentile(reader.times, 99), 1)
    yield Row("told to try again", str(sum(scorer.answers[503] for scorer in scorers)))
    yield Row("connections that broke", str(sum(scorer.cut_off for scorer in scorers)))
    yield from kept(books, scorers)
