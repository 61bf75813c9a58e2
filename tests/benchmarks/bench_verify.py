"""``solo-ledger verify``: start-up, time per hand and memory, with one and more processes.

Run: python -m tests.benchmarks verify
Databases of 100, 20,000 and 50,000 hands, one with all cards, and one with pots and corrections. Targets:
0.5 s for the smallest, which is nearly all start-up; 80 µs for each further hand; the same memory for the
other two, as the engine's caches are full by then. How much several processes share the scoring is measured
by the processor time of the busiest one, so that other load does not matter (target: 1.7 times as fast).
"""

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from math import inf
from operator import attrgetter
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from time import perf_counter, process_time
from typing import NamedTuple

from engine.guide.random_hands import NAMES
from engine.record import HandRecord
from engine.rules.changes import VERSION
from engine.rules.verdict import Verdict
from engine.scoring.score import score
from ledger.books.rescoring import StoredTexts, score_again
from ledger.books.transactions import Database
from ledger.database import json
from ledger.keeping import migrate
from ledger.runtime.clock import now
from ledger.runtime.jobs import cores, in_order
from ledger.runtime.signing import new_key
from ledger.services.audit.integrity import Integrity
from ledger.services.audit.lookups import CHUNK
from ledger.services.common.writing import Write
from ledger.services.hands import correct, record
from ledger.services.table import start as table_start
from tests.benchmarks.bench_scoring import evening, installed
from tests.benchmarks.filling import TABLE, Draw, Filler, found, hands
from tests.benchmarks.rows import Row
from tests.engine.playing import House, dice, play, written

SIZES, CORRECTED, ROUNDS = (100, 20_000, 50_000), 2_000, 5
COMPLETE, SEATS = 20_000, 4
"""The number of hands with all cards, and of seats at their table."""
SCORED, TIMES = 6_000, 10
"""The number of hands scored without a database, and how often."""
ALONE = """
import sys
from ledger.cli import main
main(sys.argv[1:], standalone_mode=False)
print(open("/proc/self/status").read().split("VmHWM:")[1].split()[0])
"""
FIRST, HAND = 0.5, 80
WON_FROG = {"contract": {"bidder": "Ann", "bid": "frog"}, "points": 70}
LOST_FROG = {"contract": {"bidder": "Bob", "bid": "frog"}, "points": 52}
_keys = count(1)


class Measured(NamedTuple):
    """The seconds, seconds of processor time and peak megabytes of a command."""

    wall: float
    cpu: float
    memory: int


def best(database: Database, jobs: int) -> Measured:
    """Return the best of several runs, each in a process of its own."""
    return min((verified(database, jobs) for _ in range(ROUNDS)), key=attrgetter("cpu"))


def verified(database: Database, jobs: int) -> Measured:
    """Verify a database that must have no differences."""
    url, folder = database.url, Path(str(database.url.database)).parent
    # Without any key no ledger in use is in order.
    env = {"LEDGER_DATABASE_URL": str(url), "LEDGER_SIGNING_KEY": new_key(now())}
    return alone({**installed(folder), **env}, "verify", "--jobs", str(jobs))


def alone(env: Mapping[str, str], *arguments: str) -> Measured:
    """Run a command that must succeed, in a process of its own."""
    start = perf_counter()
    with subprocess.Popen(
        [sys.executable, "-c", ALONE, *arguments],
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as running:
        assert running.stdout is not None
        output = running.stdout.read()
        _, status, used = os.wait4(running.pid, 0)
        running.returncode = status
    assert status == 0, output
    memory = int(output.split()[-1]) // 1024
    return Measured(perf_counter() - start, used.ru_utime + used.ru_stime, memory)


def checking(database: Database) -> float:
    """Return the best processor time of SQLite's own check."""
    best = inf
    for _ in range(ROUNDS):
        start = process_time()
        assert [*Integrity(database).differences()] == []
        best = min(best, process_time() - start)
    return best


def stored_hands(folder: Path) -> list[StoredTexts]:
    """Return stored records with all cards, and their verdicts."""
    lines = evening(folder, SCORED).read_text().splitlines()
    verdicts = (
        json.text(score(HandRecord.from_mapping(json.read(line))).to_stored()) for line in lines
    )
    return [StoredTexts(*texts, VERSION) for texts in zip(lines, verdicts, strict=True)] * TIMES


def busiest(pairs: Sequence[StoredTexts], jobs: int) -> float:
    """Score hands again; return the processor time of the process that had the most of it.

    Processes for which there are too few cores wait for each other: it is a core's part of all at least.
    """
    batches = [pairs[at : at + CHUNK] for at in range(0, len(pairs), CHUNK)]
    own, others = process_time(), _of_children()
    assert all(
        result.verdict is None
        for answers in in_order(score_again, batches, jobs, start="spawn")
        for result in answers
    )
    own, others = process_time() - own, _of_children() - others
    return max(own, others / jobs, (own + others) / cores())


def _of_children() -> float:
    used = getrusage(RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def filled(folder: Path, size: int, draw: Draw = hands, seats: int = TABLE) -> Database:
    """Fill one club's books with so many hands."""
    database = Database(f"sqlite:///{folder / f'{seats}-{size}.sqlite'}")
    migrate.upgrade(database)
    Filler(database, found(database, f"Club of {size}"), draw, seats).fill(size)
    return database


def with_cards(
    night: int, players: tuple[str, ...], number: int
) -> Iterator[tuple[HandRecord, Verdict]]:
    """Play hands of Six-Bid to their last card."""
    house, rng = House("six-bid", len(players)), dice(f"evening {night}")
    names = dict(zip(NAMES, players, strict=False))
    while number:
        hand = play(house, rng)
        if hand.swap is not None and hand.ended is None:
            number -= 1
            text = json.text(written(house, hand).to_mapping())
            text = re.sub(r'"(\w+)"', lambda said: f'"{names.get(said[1], said[1])}"', text)
            record = HandRecord.from_mapping(json.read(text))
            yield record, score(record)


def with_pots_and_corrections(folder: Path, size: int) -> Database:
    """Fill books through the services: played for pots, a tenth corrected, a twentieth voided."""
    database = Database(f"sqlite:///{folder / 'corrected.sqlite'}")
    migrate.upgrade(database)
    access = found(database, "Club that corrects")
    draft = table_start.SessionDraft(
        ["Ann", "Bob", "Cyd"], "progressive", options={"pots": {"stake": 5}}
    )
    session_id = int(
        table_start.start(Write(database, access, f"bench-key-{next(_keys)}"), draft)["id"]
    )
    for number in range(1, size + 1):
        write = Write(database, access, f"bench-key-{next(_keys)}")
        record.record(write, session_id, LOST_FROG if number % 2 else WON_FROG)
        write = Write(database, access, f"bench-key-{next(_keys)}")
        if number % 10 == 0:
            correct.correct(
                write, session_id, number, {**WON_FROG, "points": 80}, reason="miscounted"
            )
        elif number % 20 == 5:
            correct.void(write, session_id, number, reason="a misdeal")
    return database


def rows() -> Iterator[Row]:
    """Yield all measurements: each size with one process, the largest also with one per core."""
    with tempfile.TemporaryDirectory() as folder:
        databases = {size: filled(Path(folder), size) for size in SIZES}
        took = {size: best(database, 1) for size, database in databases.items()}
        small, large = took[SIZES[0]], took[SIZES[-1]]
        more = SIZES[-1] - SIZES[0]
        began, per_hand = small.cpu, (large.cpu - small.cpu) / more * 1e6
        yield Row(
            "before the first hand, relative to the target",
            f"{began:.2f} s",
            f"{FIRST} s",
            FIRST / began,
            1,
        )
        cards = [filled(Path(folder), size, with_cards, SEATS) for size in (SIZES[0], COMPLETE)]
        few, many = (best(database, 1).cpu for database in cards)
        of_cards = (many - few) / (COMPLETE - SIZES[0]) * 1e6
        checked = (checking(databases[SIZES[-1]]) - checking(databases[SIZES[0]])) / more * 1e6
        for kind, cost in (
            ("with all its cards", of_cards),
            ("of contract and points, seven at the table", per_hand),
        ):
            label = f"each further hand {kind}, relative to the target"
            yield Row(label, f"{cost:.0f} µs", f"{HAND} µs", HAND / cost, 1)
        label = "the latter, relative to SQLite's own check of the file, which it includes"
        yield Row(label, f"{per_hand:.0f} µs", f"{checked:.0f} µs", checked / per_hand)
        yield Row(
            f"memory at {SIZES[-1]:,} hands, relative to {SIZES[1]:,}",
            f"{large.memory} MB",
            f"{took[SIZES[1]].memory} MB",
            took[SIZES[1]].memory / large.memory,
            0.9,
        )
        if cores() > 1:
            shared = best(databases[SIZES[-1]], cores())
            yield Row(
                f"{cores()} processes, wall time, relative to one",
                f"{shared.wall:.1f} s",
                f"{large.wall:.1f} s",
                large.wall / shared.wall,
            )
            pairs = stored_hands(Path(folder))
            alone, shared_time = (
                min(busiest(pairs, jobs) for _ in range(ROUNDS)) for jobs in (1, cores())
            )
            yield Row(
                f"hands with their cards scored by {cores()} processes, relative to one",
                f"{shared_time:.2f} s",
                f"{alone:.2f} s",
                alone / shared_time,
                1.7,
            )
        corrected = with_pots_and_corrections(Path(folder), CORRECTED)
        per_hand = (best(corrected, 1).cpu - small.cpu) / CORRECTED * 1e6
        yield Row(
            "a hand with pots and corrections, relative to the target",
            f"{per_hand:.0f} µs",
            f"{HAND} µs",
            HAND / per_hand,
        )
