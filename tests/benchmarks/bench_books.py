"""Reading and saving in clubs with 100, 5,000 and 50,000 hands.

Run: python -m tests.benchmarks books
The queries of pages and a save, in the largest database relative to the smallest (target: at most 1.2 times
the time), and ihatemoney adding a bill and reading its statistics through its own API, if the variable
below names a Python that has it.
"""

import gc
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from itertools import count
from json import loads
from pathlib import Path
from statistics import median
from time import process_time

from ledger.books.transactions import Database
from ledger.database.access import Access, Role
from ledger.keeping import migrate
from ledger.runtime.config import Settings
from ledger.server.app import create_app
from ledger.services.club import players, tokens
from ledger.services.common.writing import Write
from ledger.services.hands import record
from ledger.services.reads import accounts, head_to_head, session, statistics
from ledger.services.reads import sessions as reads_sessions
from ledger.services.session.load import load
from tests.benchmarks.filling import Filler, found
from tests.benchmarks.rows import Row
from tests.ledger.table import ask

SIZES = (100, 5_000, 50_000)
BILLS = (100, 1_000, 5_000)
PYTHON = "LEDGER_BENCH_IHATEMONEY_PYTHON"
SIDE = Path(__file__).with_name("ihatemoney_side.py")
READS, WRITES, ROUNDS = 40, 15, 5
FLAT = 1 / 1.2
HAND = {
    "contract": {"bidder": "Ann", "bid": "go-alone", "trump": "S"},
    "points": 70,
}
_keys = count(1)

Work = Callable[[], object]


class Books:
    """A database with one club of ``size`` hands, and the measured operations."""

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
        """Return the queries of pages by name; a session's pages use the first four."""
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
        """Save the next hand."""
        hand = {**HAND, "contract": {**HAND["contract"], "bidder": self.bidder}}  # type: ignore[dict-item]
        record.record(
            Write(self.database, self.access, f"bench-key-{next(_keys)}"), self.session_id, hand
        )

    def save_by_api(self) -> None:
        """Save the next hand through the JSON API, authenticated."""
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
    """Return the median milliseconds of each operation in its best round.

    They take turns, so that other load on the machine affects all of them.
    """
    best = [float("inf")] * len(works)
    for _ in range(ROUNDS):
        took: list[list[float]] = [[] for _ in works]
        gc.collect()
        for _ in range(times):
            for place, work in enumerate(works):
                start = process_time()
                work()
                took[place].append(process_time() - start)
        best = [min(old, median(new) * 1000) for old, new in zip(best, took, strict=True)]
    return best


def growing(name: str, figures: list[float], target: float | None = FLAT) -> Row:
    """Compare the largest database with the smallest; the ratio of constant time is 1."""
    small, large = figures[0], figures[-1]
    return Row(
        f"{name} in the largest database, relative to the smallest",
        f"{large:.2f} ms",
        f"{small:.2f} ms",
        small / large,
        target,
    )


def ihatemoney() -> Iterator[Row]:
    """Yield the same comparison of ihatemoney, if it is installed."""
    python = os.environ.get(PYTHON) or (sys.executable if find_spec("ihatemoney") else None)
    if python is None:
        return
    finished = subprocess.run(
        [python, str(SIDE), *map(str, BILLS)], capture_output=True, text=True, check=True
    )
    figures = loads(finished.stdout.splitlines()[-1])
    for key, name in (("add", "add a bill"), ("statistics", "statistics")):
        milliseconds = [figures[str(size)][key] * 1000 for size in BILLS]
        yield growing(f"ihatemoney: {name},", milliseconds, None)


def rows() -> Iterator[Row]:
    """Measure at each size, in turns."""
    with tempfile.TemporaryDirectory() as folder:
        books = [Books(Path(folder), size) for size in SIZES]
        reads = [database.reads() for database in books]
        for name in reads[0]:
            yield growing(name, side_by_side([works[name] for works in reads], READS))
        standings: list[Work] = [database.standings_by_api for database in books]
        yield growing("standings over the API", side_by_side(standings, READS))
        yield growing(
            "save the next hand", side_by_side([database.save for database in books], WRITES)
        )
        by_api: list[Work] = [database.save_by_api for database in books]
        yield growing("save it over the API", side_by_side(by_api, WRITES))
        yield from ihatemoney()
        for database in books:
            database.database.close()
