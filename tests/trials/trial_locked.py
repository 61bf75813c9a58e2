"""Another program holds the SQLite file's write lock: readers go on, savers wait or are told to try again."""

import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path

from tests.support.server import answering, fork_server, free_port
from tests.trials.rows import Row, count, percentile, seconds
from tests.trials.scorers import acknowledged, kept, made, more, scoring
from tests.trials.trial_writers import Reader

SCORERS = 8
LOCKED = {True: 2.0, False: 30.0}
"""For how many seconds; the longer one is longer than the service waits."""


def rows(folder: Path, short: bool) -> Iterator[Row]:
    """Lock, look meanwhile, unlock."""
    file = folder / "ledger.sqlite"
    books, port = made(f"sqlite:///{file}"), free_port()
    server = answering(fork_server(folder, port=port))
    try:
        with scoring(port, books, SCORERS) as scorers:
            more(scorers, SCORERS)
            other = sqlite3.connect(file, timeout=60, isolation_level=None)
            other.execute("BEGIN IMMEDIATE")
            time.sleep(0.3)  # what was on its way to its scorer arrives
            before, reader = acknowledged(scorers), Reader(port, books)
            reader.start()
            time.sleep(LOCKED[short])
            meanwhile = acknowledged(scorers) - before
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
    yield Row("told to try again", str(told))
    yield seconds("unlocked, until 8 more are saved", took, 2)
    yield from kept(books, scorers)
