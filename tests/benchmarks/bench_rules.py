"""Scoring files of every game: one table, twenty tables with their own rules, new rules for every hand.

Run: python -m tests.benchmarks rules
Each file is read and scored as ``solo-ledger score`` does it, by a process that has scored nothing before,
and compared with orjson reading and writing the same lines. Starting the process is not included. Processor
time counts, the best of several rounds. The hands are random: some are passed by all, conceded or stopped,
and some tables of progressive play for pots. Aim: all cards and twenty rule sets in at most 8 times the time
of orjson.
"""

import gc
import os
from collections.abc import Callable, Iterator
from time import process_time

import orjson

from ledger.cli.answers import score_lines
from ledger.cli.score import BATCH
from tests.benchmarks.rows import Row
from tests.benchmarks.rule_set_files import GAMES, hands

HANDS, ROUNDS = 1_000, 5
MOST = 8
FILES = {"one table": 1, "20 rule sets": 20, "new rules each": None}


def in_new_process(work: Callable[[list[str]], None], lines: list[str]) -> float:
    """Return the processor time of the work in a forked process, whose caches are empty."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        start = process_time()
        work(lines)
        os.write(writing, repr(process_time() - start).encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        spent = float(pipe.read())
    os.waitpid(child, 0)
    return spent


def score_file(lines: list[str]) -> None:
    """Score lines in batches."""
    numbered = [*enumerate(lines, 1)]
    for at in range(0, len(lines), BATCH):
        score_lines((numbered[at : at + BATCH], None))


def copy_file(lines: list[str]) -> None:
    """Read and write lines with orjson."""
    for line in lines:
        orjson.dumps(orjson.loads(line))


def generated(game: str, tables: int | None) -> tuple[list[str], list[str]]:
    """Generate a file in a process of its own, once with all cards and once with contract and result."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        with os.fdopen(writing, "wb") as pipe:
            pipe.write(orjson.dumps([*hands(game, tables, HANDS)]))
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        cards, results = zip(*orjson.loads(pipe.read()), strict=True)
    os.waitpid(child, 0)
    return [*cards], [*results]


def rows() -> Iterator[Row]:
    """Yield each game's files at both depths."""
    gc.set_threshold(100_000)  # as the command does
    for game in GAMES:
        for name, tables in FILES.items():
            for depth, lines in zip(("all cards", "result"), generated(game, tables), strict=True):
                rounds = [
                    (
                        in_new_process(score_file, lines),
                        in_new_process(copy_file, lines),
                    )
                    for _ in range(ROUNDS)
                ]
                ours, bare = (min(times) / len(lines) for times in zip(*rounds, strict=True))
                aim = 1 / MOST if (depth, tables) == ("all cards", 20) else None
                what = f"{game}, {name}, {depth}: a hand, beside orjson"
                yield Row(what, f"{ours * 1e6:.0f} µs", f"{bare * 1e6:.1f} µs", bare / ours, aim)
