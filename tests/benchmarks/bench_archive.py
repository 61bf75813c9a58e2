"""``solo-ledger export`` and ``import``: processor time of a hand, and memory.

Run: python -m tests.benchmarks archive
Clubs of 1,000 and 20,000 hands are exported, and imported into an empty ledger; the difference of the two
gives the time of a hand. Targets: 200 µs to export one, 500 µs to import one, and 100 MB.
"""

import tempfile
from collections.abc import Iterator
from operator import attrgetter
from pathlib import Path

from tests.benchmarks.bench_scoring import installed
from tests.benchmarks.bench_verify import Measured, alone, filled
from tests.benchmarks.rows import Row

SIZES, ROUNDS = (1_000, 20_000), 3
EXPORTED, IMPORTED, MEMORY = 200, 500, 100


def rows() -> Iterator[Row]:
    """Measure both commands."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        exported = [_exported(folder, size) for size in SIZES]
        yield from _compared("export", exported, EXPORTED)
        yield from _compared("import", [_imported(folder, size) for size in SIZES], IMPORTED)


def _exported(folder: Path, size: int) -> Measured:
    """Fill a club and return the best of several exports of it."""
    env = {**installed(folder), "LEDGER_DATABASE_URL": str(filled(folder, size).url)}
    command = "export", f"Club of {size}", "-o", str(folder / f"{size}.gz"), "--replace"
    return min((alone(env, *command) for _ in range(ROUNDS)), key=attrgetter("cpu"))


def _imported(folder: Path, size: int) -> Measured:
    """Return the best of several imports of its archive, each into an empty ledger."""
    runs = []
    for number in range(ROUNDS):
        file = folder / f"{size}-{number}.sqlite"
        env = {**installed(folder), "LEDGER_DATABASE_URL": f"sqlite:///{file}"}
        runs.append(alone(env, "import", str(folder / f"{size}.gz")))
    return min(runs, key=attrgetter("cpu"))


def _compared(command: str, runs: list[Measured], most: int) -> Iterator[Row]:
    small, large = runs
    hand = (large.cpu - small.cpu) / (SIZES[1] - SIZES[0]) * 1e6
    label = f"{command}: each further hand, relative to the target"
    yield Row(label, f"{hand:.0f} µs", f"{most} µs", most / hand, 1)
    label = f"{command}: memory at {SIZES[1]:,} hands, relative to the target"
    yield Row(label, f"{large.memory} MB", f"{MEMORY} MB", MEMORY / large.memory, 1)
