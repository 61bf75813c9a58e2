"""Processes that are ready, each on its own, and let go at the same moment."""

import os
import subprocess
import sys
from typing import NamedTuple

from tests.support.tree import ROOT


class Ended(NamedTuple):
    """The end of a process, and its output after it was let go."""

    status: int
    said: str
    complained: str


def let_go(prepare: str, act: str, many: int) -> list[Ended]:
    """Run ``prepare`` in as many processes; once all have, let all of them ``act``. Both are Python code."""
    code = f"import sys\n{prepare}\nprint('ready', flush=True); sys.stdin.readline()\n{act}"
    started = [
        subprocess.Popen(
            [sys.executable, "-c", code],
            cwd=ROOT,
            env=dict(os.environ),
            text=True,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        for _ in range(many)
    ]
    for process in started:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in started:
        assert process.stdin is not None
        process.stdin.write("\n")
        process.stdin.flush()
    said = [process.communicate(timeout=60) for process in started]
    return [Ended(p.returncode, *each) for p, each in zip(started, said, strict=True)]
