"""Processes that are ready, each on its own, and let go at the same moment."""

import os
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from tests.support import nursery


class Ended(NamedTuple):
    """The end of a process, and its output."""

    status: int
    said: str
    complained: str


READY_SECONDS = 60.0
"""The limit for the preparation of all."""

WAITING = """
import pathlib, time
folder = pathlib.Path(sys.argv[1])
(folder / sys.argv[2]).touch()
while not (folder / "go").exists():
    time.sleep(0.001)
"""


def let_go(prepare: str, act: str, many: int) -> list[Ended]:
    """Run ``prepare`` in as many processes; once all have, let all of them ``act``. Both are Python code."""
    code = f"import sys\n{prepare}\n{WAITING}\n{act}"
    with TemporaryDirectory() as name, ThreadPoolExecutor(many) as pool:
        started = [
            pool.submit(nursery.run, code, [name, str(number)], os.environ)
            for number in range(many)
        ]
        deadline = time.monotonic() + READY_SECONDS
        while len(os.listdir(name)) < many and time.monotonic() < deadline:
            time.sleep(0.01)
        Path(name, "go").touch()
        ended = [each.result() for each in started]
    return [Ended(each.returncode, each.stdout, each.stderr) for each in ended]
