"""The books as they grow: reading and writing at 100, 5,000 and 50,000 hands in one club.

Run: python -m tests.benchmarks.bench_books
Prints milliseconds at each size and the ratio of the largest to the smallest (aim: at most 1.2, and at
most 5 ms for what a page reads; each shows as much at any size), and beside them ihatemoney adding a
bill and reading its statistics, by its own API, where it is installed.
"""

import gc
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from importlib.util import find_spec
from itertools import count
from json import loads
from pathlib import Path
from statistics import median
from time import perf_counter

from ledger import migrate
from ledger.access import Access, Role
from ledger.app import create_app
from ledger.config import Settings
from ledger.db import Database
from ledger.services.club import players, tokens
from ledger.services.common.writing import Write
from ledger.services.hands import record
from ledger.services.reads import accounts, head_to_head, session, statistics
from ledger.services.reads import sessions as reads_sessions
from ledger.services.session.load import load
from tests.benchmarks.filling import Filler, found
from tests.ledger.table import ask

SIZES = (100, 5_000, 50_000)
BILLS = (100, 1_000, 5_000)
PYTHON = "LEDGER_BENCH_IHATEMONEY_PYTHON"
SIDE = Path(__file__).with_name("ihatemoney_side.py")
READS, WRITES, ROUNDS = 40, 15, 5
HAND = {
    "contract": {"bidder": "Ann", "bid": "go-alone", "trump": "S"},
    "points": 70,
}
_keys = count(1)

Work = Callable[[], object]


class Books:
    """One club's books of so many hands, and what is measured in them."""

    def __init__(self, folder: Path, size: int) -> None:
        self.size = size
        self.database = Database(f"sqlite:///{folder / f'{size}.sqlite'}")
        migrate.upgrade(self.database)
        self.access: Access = found(self.database, f"Club of {size}")
        filler = Filler(self.database, self.access)
        filler.fill(size)
        self.session_id = filler.evenings[-1]
        with self.database.engine.begin() as connection:
            connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
        self.bidder = ask(self.database, self.access, load, self.session_id).names[0]
        settings = Settings(str(self.database.url), folder, "a secret for a benchmark only")
        self.client = create_app(settings, self.database).test_client(use_cookies=False)
        secret, _ = tokens.issue(self.database, self.access, label="bench", role=Role.SCORER)
        self.headers = {"Authorization": f"Bearer {secret}"}

    def reads(self) -> dict[str, Work]:
        """What the pages read; the first four at every look at a session."""
        to, played = (self.database, self.access), self.session_id
        player = ask(*to, players.everyone)[0].id
        newest = ask(*to, load, played).hands_dealt - 24
        return {
            "standings": lambda: session.standings(ask(*to, load, played)),
            "balances": lambda: ask(*to, accounts.books, played).accounts,
            "session page": lambda: ask(*to, session.board, played),
            "next dealer": lambda: ask(*to, record.propose, played),
            "newest 25 hands": lambda: ask(*to, session.hands, played, first=newest),
            "head to head": lambda: ask(*to, head_to_head.head_to_head),
            "a player's statistics": lambda: ask(*to, statistics.of_player, player),
            "a page of the club's history": lambda: ask(*to, reads_sessions.of_club),
            "a page of a player's evenings": lambda: ask(*to, reads_sessions.of_player, player),
        }

    def save(self) -> None:
        """Write the next hand, on disk."""
        hand = {**HAND, "contract": {**HAND["contract"], "bidder": self.bidder}}  # type: ignore[dict-item]
        record.record(
            Write(self.database, self.access, f"bench-key-{next(_keys)}"), self.session_id, hand
        )

    def save_by_api(self) -> None:
        """Write the next hand through the JSON API, authenticated."""
        hand = {**HAND, "contract": {**HAND["contract"], "bidder": self.bidder}}  # type: ignore[dict-item]
        answer = self.client.post(
            f"/api/v1/sessions/{self.session_id}/hands",
            json=hand,
            headers={**self.headers, "Idempotency-Key": f"bench-key-{next(_keys)}"},
        )
        assert answer.status_code == 201, answer.data

    def standings_by_api(self) -> None:
        """Read the standings through the JSON API, authenticated."""
        answer = self.client.get(
            f"/api/v1/sessions/{self.session_id}/standings", headers=self.headers
        )
        assert answer.status_code == 200, answer.data


def side_by_side(works: list[Work], times: int) -> list[float]:
    """Return the median milliseconds of each, taken in turns so that a busy machine is busy for all.

    Of several rounds the best counts: what else the machine does only ever adds.
    """
    best = [float("inf")] * len(works)
    for _ in range(ROUNDS):
        took: list[list[float]] = [[] for _ in works]
        gc.collect()
        for _ in range(times):
            for place, work in enumerate(works):
                start = perf_counter()
                work()
                took[place].append(perf_counter() - start)
        best = [min(old, median(new) * 1000) for old, new in zip(best, took, strict=True)]
    return best


def row(name: str, figures: list[float]) -> None:
    """Print a line: milliseconds at each size, and how the last compares to the first."""
    shown = "".join(f"{figure:10.2f}" for figure in figures)
    print(f"{name:<28}{shown}   ratio {figures[-1] / figures[0]:.2f}", flush=True)


def ihatemoney() -> None:
    """Print the same of ihatemoney, or how to get it."""
    python = os.environ.get(PYTHON) or (sys.executable if find_spec("ihatemoney") else None)
    if python is None:
        print(
            "ihatemoney is not here: install it with pip in a virtual environment of its own, and name "
            f"that environment's python in {PYTHON}."
        )
        return
    told = subprocess.run(
        [python, str(SIDE), *map(str, BILLS)], capture_output=True, text=True, check=False
    )
    if told.returncode:
        print(f"ihatemoney failed: {told.stderr.strip().splitlines()[-1]}")
        return
    figures = loads(told.stdout.splitlines()[-1])
    print("".join([f"{'ihatemoney, bills':<28}", *(f"{size:>10,}" for size in BILLS)]))
    for what, name in (("add", "add a bill"), ("statistics", "statistics")):
        row(name, [figures[str(size)][what] * 1000 for size in BILLS])


def main() -> None:
    """Print the figures."""
    print(f"Python {sys.version}")
    with tempfile.TemporaryDirectory() as folder:
        books = [Books(Path(folder), size) for size in SIZES]
        print("".join([f"{'ms, hands in the club':<28}", *(f"{size:>10,}" for size in SIZES)]))
        reads = [each.reads() for each in books]
        for name in reads[0]:
            row(name, side_by_side([works[name] for works in reads], READS))
        row(
            "standings over the API", side_by_side([each.standings_by_api for each in books], READS)
        )
        row("save the next hand", side_by_side([each.save for each in books], WRITES))
        row("save it over the API", side_by_side([each.save_by_api for each in books], WRITES))
        ihatemoney()
        for each in books:
            each.database.close()


if __name__ == "__main__":
    main()
