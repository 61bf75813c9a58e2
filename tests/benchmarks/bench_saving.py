"""Saving a hand and reading a session over HTTP, relative to bare Flask and ihatemoney.

Run: python -m tests.benchmarks saving
Each side is served by a process of its own, on disk, and requested in turns, so that other load affects
all. The processor time of the serving process counts, and of several rounds the median ratio. One and eight
clients save; after a save, all followers request the board. The bare route inserts the rows of a hand and
responds. Reading is compared with the same route, as the unit of this machine: the targets in milliseconds
were set when it took 1.05.
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
"""The requests that read, each with its most milliseconds."""


@dataclass
class Side:
    """A running server of one side."""

    process: subprocess.Popen[str]
    description: dict[str, Any]

    def seconds(self) -> float:
        """Return its processor time so far."""
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        return float(self.process.stdout.readline())

    def send(self, name: str, times: int) -> None:
        """Send a request ``times`` times over one connection."""
        method, path, headers, body, answered = self.description["requests"][name]
        connection = HTTPConnection("127.0.0.1", self.description["port"])
        for _ in range(times):
            keyed = {**headers, "Idempotency-Key": str(uuid4())}
            connection.request(method, path, body, keyed)
            answer = connection.getresponse()
            text = answer.read()
            assert answer.status == answered, (answer.status, text)
        connection.close()

    def cost(self, name: str, clients: int = 1, requests: int = REQUESTS) -> float:
        """Return the milliseconds of processor time per request of ``clients`` clients."""
        start = self.seconds()
        share = requests // clients
        threads = [Thread(target=self.send, args=(name, share)) for _ in range(clients)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return (self.seconds() - start) / (share * clients) * 1000


@contextmanager
def served(name: str, folder: str, python: str = sys.executable) -> Iterator[Side]:
    """Serve a side during the block."""
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
        for request, milliseconds in READS.items():
            name, aim = f"{request}, relative to the bare route", BARE_MILLISECONDS / milliseconds
            yield compared(name, ours, request, bare, aim, 1)
        took = median(followed(ours) for _ in range(ROUNDS))
        name = f"{FOLLOWERS} boards at once after a save, relative to the target"
        yield Row(
            name, f"{took:.0f} ms", f"{FOLLOWED_MILLISECONDS} ms", FOLLOWED_MILLISECONDS / took, 1
        )
        others = [("the bare route", bare, 0.4)]
        if ihatemoney:
            side = stack.enter_context(served("ihatemoney", folder, ihatemoney))
            others.append(("ihatemoney adding a bill", side, 3.0))
        for clients in CLIENTS:
            for other, side, aim in others:
                name = f"save a hand, {clients} at once, relative to {other}"
                yield compared(name, ours, "save", side, aim, clients)


def followed(ours: Side) -> float:
    """Return the milliseconds to send a new hand to all followers, compressed."""
    ours.send("save", 1)
    return ours.cost("followed", CLIENTS[-1], FOLLOWERS) * FOLLOWERS


def compared(name: str, ours: Side, request: str, other: Side, aim: float, clients: int) -> Row:
    """Compare a request to our side with a save on the other, in turns."""
    for side, name_of_request in ((ours, request), (other, "save")):
        side.cost(name_of_request, clients)
    rounds = [(ours.cost(request, clients), other.cost("save", clients)) for _ in range(ROUNDS)]
    mine, theirs = (median(column) for column in zip(*rounds, strict=True))
    ratio = median(its / mine for mine, its in rounds)
    return Row(name, f"{mine:.2f} ms", f"{theirs:.2f} ms", ratio, aim)
