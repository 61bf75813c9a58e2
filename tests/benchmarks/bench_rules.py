"""``solo-ledger score`` for files of every game, of one table, twenty tables, or new rules for each hand.

Run: python -m tests.benchmarks rules
Each file is scored by a process of its own, in turns with a process that reads and writes its lines with
orjson. Processor time counts, the best of several rounds. The hands are random: some are passed by all,
conceded or stopped, and some tables of progressive play for pots. Aim: all cards and twenty rule sets in at
most 8 times the time of orjson.
"""

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.benchmarks.bench_scoring import LEDGER, PLAIN, best, installed
from tests.benchmarks.rows import Row
from tests.benchmarks.rule_set_files import GAMES, hands

HANDS = 2_000
MOST = 8
FILES = {"one table": 1, "20 rule sets": 20, "new rules for each hand": None}


def rows() -> Iterator[Row]:
    """Yield each game's files, with all cards and with contract and result."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        env = installed(folder)
        for game in GAMES:
            for name, tables in FILES.items():
                depths = zip(*hands(game, tables, HANDS), strict=True)
                for depth, lines in zip(("all cards", "result"), depths, strict=True):
                    file = folder / "hands.jsonl"
                    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
                    plain = [sys.executable, "-c", PLAIN, str(file)]
                    ours, bare = best(env, [*LEDGER, "score", str(file)], plain)
                    aim = 1 / MOST if (depth, tables) == ("all cards", 20) else None
                    what = f"{game}, {name}, {depth}, beside orjson"
                    yield Row(what, f"{ours:.2f} s", f"{bare:.2f} s", bare / ours, aim)
