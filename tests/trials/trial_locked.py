"""Another program holds the SQLite file's write lock: readers go on, savers wait or are asked to try again.

Many probes ask again and again whether it is ready, and take the threads of nobody.
"""

import http.client
import sqlite3
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from threading import Event, Thread

from tests.support.server import answering, fork_server, free_port
from tests.trials.rows import Row, count, percentile, seconds
from tests.trials.scorers import acknowledged, kept, made, more, scoring
from tests.trials.trial_writers import Reader

SCORERS = 8
PROBES = 20
LOCKED = {True: 2.0, False: 30.0}
"""For how many seconds; the longer one is longer than the service waits."""


class Probe(Thread):
    """Asks whether the ledger is ready until stopped; counts the answers by their status."""

    def __init__(self, port: int) -> None:
        super().__init__(daemon=True)
        self.stop, self.answers = Event(), Counter[int]()
        self._line = http.client.HTTPConnection("127.0.0.1", port, timeout=60)

    def run(self) -> None:
        """Ask, wait a moment, ask again."""
        while not self.stop.wait(0.1):
            self._line.request("GET", "/readyz")
            answer = self._line.getresponse()
            answer.read()
            self.answers[answer.status] += 1


def rows(folder: Path, short: bool) -> Iterator[Row]:
    """Lock, look, unlock."""
    file = folder / "ledger.sqlite"
    books, port = made(f"sqlite:///{file}"), free_port()
    server = answering(fork_server(folder, port=port))
    try:
        with scoring(port, books, SCORERS) as scorers:
            more(scorers, SCORERS)
            other = sqlite3.connect(file, timeout=60, isolation_level=None)
            other.execute("BEGIN IMMEDIATE")
            time.sleep(0.3)  # answers on their way to a scorer arrive
            before, reader = acknowledged(scorers), Reader(port, books)
            probes = [Probe(port) for _ in range(PROBES)]
            for thread in (reader, *probes):
                thread.start()
            time.sleep(LOCKED[short])
            meanwhile = acknowledged(scorers) - before
            for probe in probes:
                probe.stop.set()
            for probe in probes:
                probe.join(60)
            reader.end()
            other.execute("ROLLBACK")
            other.close()
            unlocked = time.monotonic()
            more(scorers, SCORERS)
            took = time.monotonic() - unlocked
    finally:
        server.stop()
    told = sum(scorer.answers[503] for scorer in scorers)
    yield Row("locked for", f"{LOCKED[short]:g} s")
    yield count("hands acknowledged meanwhile", meanwhile)
    yield Row("looks meanwhile", f"{len(reader.times)}", "some", len(reader.times) > 0)
    yield seconds("a look meanwhile, 99 in 100 within", percentile(reader.times, 99), 1)
    asked = sum((probe.answers for probe in probes), Counter[int]())
    yield Row(f"answers to {PROBES} probes: ready, not ready", f"{asked[200]}, {asked[503]}")
    yield Row("told to try again", str(told))
    yield seconds("unlocked, until 8 more are saved", took, 2)
    yield from kept(books, scorers)
