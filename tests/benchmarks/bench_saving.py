"""Saving a hand over HTTP, and what a table looks at all evening, beside bare Flask and beside ihatemoney.

Run: python -m tests.benchmarks saving
Each side is served by a process of its own, on disk, and asked in turns, so that a busy machine is busy for
all. What counts is the processor time that the serving process takes for a request; of several rounds the
median ratio. A save is asked for by one client and by eight; after one, all who follow ask for the board. The
bare route inserts the rows of a hand and answers; what is read is measured beside the same route, which is
the unit of this machine: the aims in milliseconds were set where it took 1.05.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from threading import Thread
from typing import Any
from uuid import uuid4

from tests.benchmarks.rows import Row

SIDE = Path(__file__).with_name("saving_side.py")
PYTHON = "LEDGER_BENCH_IHATEMONEY_PYTHON"
CLIENTS = (1, 8)
ROUNDS, REQUESTS = 9, 80
BARE_MILLISECONDS = 1.05
FOLLOWERS, FOLLOWED_MILLISECONDS = 32, 300
READS = {"poll": 1.5, "board": 6, "hand form": 6, "preview": 6, "API session": 3}
"""What is looked at, and in how many milliseconds at most."""


@dataclass
class Side:
    """A side that is being served."""

    process: subprocess.Popen[str]
    told: dict[str, Any]

    def seconds(self) -> float:
        """Return the processor time that it has taken so far."""
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        return float(self.process.stdout.readline())

    def send(self, what: str, times: int) -> None:
        """Send a request so many times over one connection."""
        method, path, headers, body, answered = self.told["requests"][what]
        connection = HTTPConnection("127.0.0.1", self.told["port"])
        for _ in range(times):
            keyed = {**headers, "Idempotency-Key": str(uuid4())}
            connection.request(method, path, body, keyed)
            answer = connection.getresponse()
            said = answer.read()
            assert answer.status == answered, (answer.status, said)
        connection.close()

    def cost(self, what: str, clients: int = 1, requests: int = REQUESTS) -> float:
        """Return the milliseconds of processor time that a request of so many clients takes."""
        start = self.seconds()
        share = requests // clients
        threads = [Thread(target=self.send, args=(what, share)) for _ in range(clients)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return (self.seconds() - start) / (share * clients) * 1000


@contextmanager
def served(name: str, folder: str, python: str = sys.executable) -> Iterator[Side]:
    """Serve a side while this is open."""
    place = Path(folder, name)
    place.mkdir()
    process = subprocess.Popen(
        [python, str(SIDE), name, str(place)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": "" if name == "ihatemoney" else os.getcwd()},
    )
    try:
        assert process.stdout
        yield Side(process, json.loads(process.stdout.readline()))
    finally:
        process.terminate()
        process.wait()


def rows() -> Iterator[Row]:
    """Measure all sides."""
    ihatemoney = os.environ.get(PYTHON) or (sys.executable if find_spec("ihatemoney") else None)
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        ours, bare = (stack.enter_context(served(name, folder)) for name in ("ours", "bare"))
        for what, milliseconds in READS.items():
            name, aim = f"{what}, beside the bare route", BARE_MILLISECONDS / milliseconds
            yield compared(name, ours, what, bare, aim, 1)
        took = median(followed(ours) for _ in range(ROUNDS))
        name = f"{FOLLOWERS} boards at once after a save, beside their aim"
        yield Row(
            name, f"{took:.0f} ms", f"{FOLLOWED_MILLISECONDS} ms", FOLLOWED_MILLISECONDS / took, 1
        )
        others = [("the bare route", bare, 0.4)]
        if ihatemoney:
            side = stack.enter_context(served("ihatemoney", folder, ihatemoney))
            others.append(("ihatemoney adding a bill", side, 3.0))
        for clients in CLIENTS:
            for other, side, aim in others:
                name = f"save a hand, {clients} at once, beside {other}"
                yield compared(name, ours, "save", side, aim, clients)


def followed(ours: Side) -> float:
    """Return the milliseconds that it takes to show a new hand to all who follow, compressed."""
    ours.send("save", 1)
    return ours.cost("followed", CLIENTS[-1], FOLLOWERS) * FOLLOWERS


def compared(name: str, ours: Side, what: str, other: Side, aim: float, clients: int) -> Row:
    """Measure a request of ours and the other side's save, in turns."""
    for side, asked in ((ours, what), (other, "save")):
        side.cost(asked, clients)
    rounds = [(ours.cost(what, clients), other.cost("save", clients)) for _ in range(ROUNDS)]
    mine, theirs = (median(column) for column in zip(*rounds, strict=True))
    ratio = median(its / mine for mine, its in rounds)
    return Row(name, f"{mine:.2f} ms", f"{theirs:.2f} ms", ratio, aim)
