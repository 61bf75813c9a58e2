"""The real service, started again and again: each life a process of its own, its modules read only once.

`python -m tests.support.nursery PORT` imports the service, then waits. For each line it reads it forks;
the child does what `solo-ledger serve` does (migrates, listens with waitress, serves) over the books
that the `LEDGER_…` variables name, and its process id is printed. When it is dead, `dead` and
how it ended is printed, and the next one may be born. So a life begins in a tenth of a second,
where reading all modules anew takes one and a half.
"""

import os
import signal
import subprocess
import sys
import traceback
from pathlib import Path

from tests.support.tree import ROOT


class Nursery:
    """Starts lives and kills them; used in a `with`, so that none outlives it."""

    def __init__(self, folder: Path, port: int) -> None:
        self.folder = folder
        own = {k: v for k, v in os.environ.items() if not k.startswith("LEDGER_")}
        own |= {"LEDGER_DATA_DIR": str(folder), "PYTHONPATH": str(ROOT)}
        with (folder / "nursery.log").open("ab") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "tests.support.nursery", str(port)],
                cwd=folder,
                env=own,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )
        self._alive: int | None = None

    @property
    def log(self) -> str:
        """What the lives have printed."""
        return (self.folder / "nursery.log").read_text(encoding="utf-8", errors="replace")

    def start(self) -> None:
        """Begin a life; it listens soon."""
        assert self._process.stdin is not None
        self._process.stdin.write("live\n")
        self._process.stdin.flush()
        self._alive = int(self._answer())

    def kill(self) -> None:
        """End it at once, as a power cut would. Raises ``AssertionError`` if it had ended by itself."""
        assert self._alive is not None
        os.kill(self._alive, signal.SIGKILL)
        self._alive = None
        assert self._answer() == f"dead {-signal.SIGKILL}", self.log

    def __enter__(self) -> "Nursery":
        return self

    def __exit__(self, *_: object) -> None:
        if self._alive is not None:
            os.kill(self._alive, signal.SIGKILL)
        self._process.communicate()

    def _answer(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline().strip()


def main(port: int) -> None:
    """Let one life follow another, as long as there are lines to read."""
    from ledger import config, server

    for _ in sys.stdin:
        child = os.fork()
        if child == 0:
            try:
                server.listen(config.load(), "127.0.0.1", port).run()
            except BaseException:
                traceback.print_exc()
            finally:
                os._exit(1)
        print(child, flush=True)
        _, status = os.waitpid(child, 0)
        print("dead", os.waitstatus_to_exitcode(status), flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]))
