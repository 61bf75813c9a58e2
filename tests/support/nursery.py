"""The real service without its start: forked from a process that has imported all modules already.

A fork server starts with the first service of a run and ends with the run. Each service is a process of its
own that runs ``solo-ledger serve`` in its folder, with its own settings. It starts in a tenth of a second,
while importing all modules takes one and a half and compiling its templates half a second.
"""

import multiprocessing
import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from multiprocessing.context import ForkServerProcess
from pathlib import Path

_LIVES = multiprocessing.get_context("forkserver")
_LIVES.set_forkserver_preload(["tests.support.preloaded"])


class Life:
    """A process of the fork server's, with the words of `subprocess.Popen`."""

    def __init__(self, process: ForkServerProcess) -> None:
        self._process = process
        assert process.pid is not None
        self.pid: int = process.pid

    def poll(self) -> int | None:
        """Return its status, or the signal's number below zero; None while it lives."""
        return self._process.exitcode

    def wait(self, timeout: float | None = None) -> int:
        """Wait until it has ended, and return its status. Raises ``subprocess.TimeoutExpired``."""
        self._process.join(timeout)
        ended = self.poll()
        if ended is None:
            raise subprocess.TimeoutExpired("solo-ledger serve", timeout or 0)
        return ended

    def send_signal(self, number: int) -> None:
        """Send it a signal; none, once it has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        """Ask it to end."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """End it at once."""
        self.send_signal(signal.SIGKILL)


def begin(
    arguments: Sequence[str], folder: Path, log: Path, environment: Mapping[str, str]
) -> Life:
    """Run ``solo-ledger`` with these arguments in ``folder``; its output goes to ``log``."""
    log.touch()
    process = _LIVES.Process(target=_live, args=(arguments, folder, log, dict(environment)))
    process.start()
    return Life(process)


def _live(arguments: Sequence[str], folder: Path, log: Path, environment: dict[str, str]) -> None:
    os.setsid()
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    with log.open("ab") as file:
        for printed in (sys.stdout, sys.stderr):
            os.dup2(file.fileno(), printed.fileno())
    from ledger.cli import main

    main(list(arguments), prog_name="solo-ledger")
