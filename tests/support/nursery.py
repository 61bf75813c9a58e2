"""The real service and its commands without their start: forked from a process that has imported all modules.

A fork server starts with the first of them and ends with the run. Each is a process of its own, with its own
folder and settings. A service starts in a tenth of a second, while importing all modules takes one and a half
and compiling its templates half a second.
"""

import multiprocessing
import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.support.tree import ROOT

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
    return _begin(COMMAND, arguments, folder, (log, log), environment)


def run(
    code: str, arguments: Sequence[str], environment: Mapping[str, str], timeout: float = 60
) -> subprocess.CompletedProcess[str]:
    """Run code as ``python -c`` would, in the folder of the source, and return its status and output."""
    with TemporaryDirectory() as name:
        printed = Path(name, "stdout"), Path(name, "stderr")
        status = _begin(code, arguments, ROOT, printed, environment).wait(timeout)
        output, errors = (each.read_text(encoding="utf-8") for each in printed)
    return subprocess.CompletedProcess(arguments, status, output, errors)


COMMAND = "import sys; from ledger.cli import main; main(sys.argv[1:], prog_name='solo-ledger')"
"""Runs the command line."""


def _begin(
    code: str,
    arguments: Sequence[str],
    folder: Path,
    printed: tuple[Path, Path],
    environment: Mapping[str, str],
) -> Life:
    for file in printed:
        file.touch()
    given = (code, arguments, folder, printed, dict(environment))
    process = _LIVES.Process(target=_live, args=given)
    process.start()
    return Life(process)


def _live(
    code: str,
    arguments: Sequence[str],
    folder: Path,
    printed: tuple[Path, Path],
    environment: dict[str, str],
) -> None:
    os.setsid()
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    for stream, place in zip((sys.stdout, sys.stderr), printed, strict=True):
        with place.open("ab") as file:
            os.dup2(file.fileno(), stream.fileno())
    sys.argv = ["-c", *arguments]
    exec(code, {"__name__": "__main__"})  # noqa: S102 - code of a test
