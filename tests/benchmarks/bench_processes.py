"""The time from a save until a program has its entry that follows another process on the same PostgreSQL.

Run: python -m tests.benchmarks processes
The end is when the entry arrives in the stream, the start when the save is acknowledged. Meanwhile four
scorers of another club save through the same process as the measured one. The reference is the target.
"""

import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from threading import Event

from ledger.books.transactions import Database
from ledger.keeping import migrate
from tests.benchmarks.bench_live import port_of
from tests.benchmarks.rows import Row
from tests.ledger.server.test_entry_stream import asked, events
from tests.support.postgres import running_cluster
from tests.support.server import Server, answering, fork_server
from tests.trials.scorers import Books, Scorer, made, scoring

ROUNDS, SCORERS = 100, 4
MILLISECONDS = 50


def rows() -> Iterator[Row]:
    """Measure one club's saves beside those of another club."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        cluster = stack.enter_context(running_cluster(folder, _migrate))
        url = cluster.migrated()
        measured, load = made(url), made(url, "Garden Table")
        servers: list[Server] = []
        for name in ("saving", "following"):
            (folder / name).mkdir()
            servers.append(answering(fork_server(folder / name, database_url=url)))
            stack.callback(servers[-1].stop)
        saving, following = servers
        stack.enter_context(scoring(port_of(saving), load, SCORERS, first=1))
        delay = median(delays(saving, following, measured))
        yield Row(
            f"from a save to a follower of another process, {SCORERS} scorers beside it",
            *(f"{delay:.0f} ms", f"{MILLISECONDS} ms", MILLISECONDS / delay, 1),
        )


def delays(saving: Server, following: Server, books: Books) -> Iterator[float]:
    """Save hands through one process, and yield the milliseconds until each has come from the other."""
    with asked(following, books.token) as stream:
        entries = events(stream)
        while next(entries)["kind"] != "hand":  # of the first scorer, before anything is measured
            Scorer(0, port_of(saving), books, Event(), 1).run()
        for number in range(1, ROUNDS + 1):
            scorer = Scorer(number, port_of(saving), books, Event(), 1)
            scorer.run()
            while next(entries)["kind"] != "hand":
                pass
            (acknowledged,) = scorer.acknowledged.values()
            yield (time.monotonic() - acknowledged) * 1000


def _migrate(url: str) -> None:
    database = Database(url)
    migrate.upgrade(database)
    database.close()
