"""The disk is full: no hand is acknowledged that is not saved, and saving goes on as soon as there is room.

The service is forbidden to let any file grow, its log neither, which the system refuses to it just as
a full disk would.
"""

import resource
import time
from collections.abc import Iterator
from pathlib import Path

from tests.support.server import answering, fork_server, free_port
from tests.trials.rows import Row
from tests.trials.scorers import acknowledged, kept, made, more, scoring, until

SCORERS = 4
HANDS = {True: 20, False: 200}
"""How many hands before it is full, and after it is no longer."""


def rows(folder: Path, short: bool) -> Iterator[Row]:
    """Fill it, wait until each scorer was refused for it, make room."""
    file = folder / "ledger.sqlite"
    books, port = made(f"sqlite:///{file}"), free_port()
    server = answering(fork_server(folder, port=port))
    _, most = resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE)
    try:
        with scoring(port, books, SCORERS) as scorers:
            more(scorers, HANDS[short])
            resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (1, most))
            until(lambda: all(scorer.answers[503] for scorer in scorers))
            before = acknowledged(scorers)
            time.sleep(0.5)
            full = acknowledged(scorers) - before
            resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (most, most))
            freed = time.monotonic()
            more(scorers, HANDS[short])
            took = time.monotonic() - freed
    finally:
        server.stop()
    told = sum(scorer.answers[503] for scorer in scorers)
    yield Row("told that nothing was saved", f"{told:,}", "some", told >= SCORERS)
    yield Row("hands acknowledged while it was full", str(full), "0", full == 0)
    yield Row("room again, until saved again", f"{took:.2f} s")
    yield from kept(books, scorers)
