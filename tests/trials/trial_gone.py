"""The database's file is deleted, or another put in its place, under the running service.

From then on nothing is acknowledged: a write into a file that is gone is lost with the process.
Once 22 hands were.
"""

import os
import shutil
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path

from tests.support.server import answering, fork_server, free_port
from tests.trials.rows import Row, count
from tests.trials.scorers import acknowledged, made, more, scoring, until

SCORERS = 4


def rows(folder: Path, short: bool) -> Iterator[Row]:
    """Try both."""
    for what in ("deleted",) if short else ("deleted", "replaced"):
        place = folder / what
        place.mkdir()
        yield from without(place, what)


def without(folder: Path, what: str) -> Iterator[Row]:
    """Let scorers save, take their file away between two writes, and count the acknowledged saves after."""
    file = folder / "ledger.sqlite"
    books, port = made(f"sqlite:///{file}"), free_port()
    shutil.copy(file, folder / "another")
    server = answering(fork_server(folder, port=port))
    try:
        with scoring(port, books, SCORERS) as scorers:
            more(scorers, 20)
            other = sqlite3.connect(file, timeout=60, isolation_level=None)
            other.execute("BEGIN IMMEDIATE")  # nobody writes in between
            time.sleep(0.5)  # earlier writes are answered
            before = acknowledged(scorers)
            if what == "deleted":
                file.unlink()
            else:
                os.replace(folder / "another", file)
            other.execute("ROLLBACK")
            other.close()
            until(lambda: all(scorer.answers[503] >= 3 for scorer in scorers))
            after = acknowledged(scorers) - before
    finally:
        server.stop()
    yield count(f"acknowledged once the file was {what}", after)
    wrong = [said for scorer in scorers for said in scorer.unexpected]
    yield Row("answers but saved and 503", wrong[0] if wrong else "0", "0", not wrong)
