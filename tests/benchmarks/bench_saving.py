"""Saving a hand over HTTP beside what it could cost at least, and beside ihatemoney adding a bill.

Run: python -m tests.benchmarks.bench_saving
Each side is served by a process of its own, on disk, and asked by one client and then by eight, in turns, so
that a busy machine is busy for all. What counts is the processor time that the serving process takes for a
request (aims: ihatemoney's is at least 3 times ours, and ours at most 2.5 times the bare route's).
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
from threading import Thread
from typing import Any, NamedTuple
from uuid import uuid4

SIDE = Path(__file__).with_name("saving_side.py")
PYTHON = "LEDGER_BENCH_IHATEMONEY_PYTHON"
CLIENTS = (1, 8)
ROUNDS, REQUESTS = 5, 160


class Row(NamedTuple):
    """A figure beside another one: ``ratio`` is the other one's to ours, of which ``aim`` is the least."""

    what: str
    ours: str
    beside: str
    ratio: float
    aim: float


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

    def send(self, times: int) -> None:
        """Send its request so many times over one connection."""
        told = self.told
        connection = HTTPConnection("127.0.0.1", told["port"])
        for _ in range(times):
            headers = {**told["headers"], told["key"]: str(uuid4())}
            connection.request("POST", told["path"], told["body"], headers)
            answer = connection.getresponse()
            said = answer.read()
            assert answer.status == 201, (answer.status, said)
        connection.close()

    def cost(self, clients: int) -> float:
        """Return the milliseconds of processor time that a request of so many clients takes."""
        start = self.seconds()
        threads = [Thread(target=self.send, args=(REQUESTS // clients,)) for _ in range(clients)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return (self.seconds() - start) / REQUESTS * 1000


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
        others = [("a bare route that inserts the same rows", bare, 0.4)]
        if ihatemoney:
            side = stack.enter_context(served("ihatemoney", folder, ihatemoney))
            others.append(("ihatemoney adding a bill", side, 3.0))
        for clients in CLIENTS:
            sides = [ours, *(side for _, side, _ in others)]
            for side in sides:
                side.cost(clients)
            rounds = [[side.cost(clients) for side in sides] for _ in range(ROUNDS)]
            mine, *theirs = (min(column) for column in zip(*rounds, strict=True))
            for (what, _, aim), other in zip(others, theirs, strict=True):
                yield Row(
                    f"save a hand, {clients} at once, beside {what}",
                    f"{mine:.2f} ms",
                    f"{other:.2f} ms",
                    other / mine,
                    aim,
                )


def main() -> None:
    """Print the figures."""
    print(f"Python {sys.version}")
    for row in rows():
        print(
            f"{row.what:<75}{row.ours:>10}{row.beside:>12}   ratio {row.ratio:.2f} (aim {row.aim})",
            flush=True,
        )


if __name__ == "__main__":
    main()
