"""The processor time of ``solo-ledger score``, relative to copying the same lines; start-up times.

Run: python -m tests.benchmarks scoring
Complete six-bid hands of several tables, all different. Each side is a process that reads a file of hands and
writes their results; sides take turns, and the best round counts. Targets: at most 6 times orjson's time to
read and write the lines; through a pipe at most a tenth more; as fast as ``open_spiel`` replays skat with
a look-up of the legal actions; 85 times as fast as ``pokerkit`` replays hold'em; ``--help`` 0.15 s, one hand
0.2 s, serving 1.2 s and 90 MB.
"""

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path

from engine.notation.json_text import write_jsonl
from tests.benchmarks import other_games
from tests.benchmarks.bench_engine import hands_played
from tests.benchmarks.rows import Row
from tests.engine.playing import House, dice, written

HANDS, POKER_HANDS, ROUNDS = 6_000, 500, 5
TABLES = tuple(House("six-bid", seats) for seats in (3, 4, 5))
LEDGER = (sys.executable, "-m", "ledger")
PLAIN = (
    "import orjson, sys\nfor line in open(sys.argv[1], 'rb'):\n"
    "    sys.stdout.buffer.write(orjson.dumps(orjson.loads(line)) + b'\\n')"
)
HELP, ONE_HAND, SERVING, MEGABYTES = 0.15, 0.2, 1.2, 90
LEAST, LEAST_PIPED = 1 / 6, 0.9
CLOCK = os.sysconf("SC_CLK_TCK")


def evening(folder: Path, number: int) -> Path:
    """Write a file of random hands with all cards."""
    rng, file = dice("scoring"), folder / f"{number}.jsonl"
    hands = {table: hands_played(table) for table in TABLES}
    tables = [rng.choice(TABLES) for _ in range(number)]
    file.write_text("".join(write_jsonl(written(table, next(hands[table])) for table in tables)))
    return file


def installed(folder: Path) -> dict[str, str]:
    """Return an environment that caches compiled modules, as after an installation."""
    inherited = {
        name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"
    }
    return {**inherited, "PYTHONPYCACHEPREFIX": str(folder), "LEDGER_DATA_DIR": str(folder)}


def seconds(env: Mapping[str, str], *command: str) -> float:
    """Run a command and return its processor time."""
    with subprocess.Popen(command, env=env, stdout=subprocess.DEVNULL) as running:
        _, running.returncode, used = os.wait4(running.pid, 0)
    assert running.returncode == 0, command
    return used.ru_utime + used.ru_stime


def best(env: Mapping[str, str], *commands: Sequence[str]) -> list[float]:
    """Run commands in turns and return the best time of each."""
    rounds = [[seconds(env, *each) for each in commands] for _ in range(ROUNDS)]
    return [min(times) for times in zip(*rounds, strict=True)]


def others(folder: Path) -> Iterator[tuple[str, int, float, list[str]]]:
    """Yield title, number of hands, target and command of each installed library."""
    for name, library, title, hands, aim in (
        ("skat", "pyspiel", "open_spiel's skat", HANDS, 1),
        ("poker", "pokerkit", "pokerkit's hold'em", POKER_HANDS, 85),
    ):
        if find_spec(library):
            file = other_games.write(folder, name, hands)
            yield title, hands, aim, [sys.executable, other_games.__file__, name, str(file)]


def serving(env: Mapping[str, str]) -> tuple[float, float]:
    """Return the processor time until an existing database is served, and the memory then in megabytes."""
    command = [*LEDGER, "serve", "--port", "0"]
    took, memory = 0.0, 0.0
    for _ in range(2):  # the first one makes the database and compiles
        with subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True) as running:
            assert running.stdout
            while not running.stdout.readline().startswith("Ctrl-C"):
                pass
            times = Path(f"/proc/{running.pid}/stat").read_text().rpartition(")")[2].split()[11:13]
            took = sum(map(int, times)) / CLOCK
            status = Path(f"/proc/{running.pid}/status").read_text()
            memory = int(re.findall(r"VmRSS:\s+(\d+)", status)[0]) / 1024
            running.terminate()
    return took, memory


def rows() -> Iterator[Row]:
    """Measure each, and compare."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        env = installed(folder)
        many, one = str(evening(folder, HANDS)), str(evening(folder, 1))
        plain = [sys.executable, "-c", PLAIN, many]
        score, score_one = [*LEDGER, "score", many], [*LEDGER, "score", one]
        piped = ["sh", "-c", 'cat "$0" | "$1" -m ledger score -', many, sys.executable]
        there = [*others(folder)]
        commands = [command for *_, command in there]
        ours, bare, through, alone, helped, *theirs = best(
            env, score, plain, piped, score_one, [*LEDGER, "--help"], *commands
        )
        label = "complete six-bid hands, relative to orjson"
        yield Row(label, f"{ours:.2f} s", f"{bare:.2f} s", bare / ours, LEAST)
        label = "the same hands through a pipe, relative to a file"
        yield Row(label, f"{through:.2f} s", f"{ours:.2f} s", ours / through, LEAST_PIPED)
        rate = HANDS / ours
        for (title, number, aim, _), took in zip(there, theirs, strict=True):
            label, other = f"complete six-bid hands a second, relative to {title}", number / took
            yield Row(label, f"{rate:,.0f}", f"{other:,.0f}", rate / other, aim)
        took, memory = serving(env)
    for name, figure, most, unit in (
        ("score one hand", alone, ONE_HAND, "s"),
        ("--help", helped, HELP, "s"),
        ("serve, until it listens", took, SERVING, "s"),
        ("its memory then", memory, MEGABYTES, "MB"),
    ):
        yield Row(
            f"{name}, relative to the target",
            f"{figure:.2f} {unit}",
            f"{most} {unit}",
            most / figure,
            1,
        )
