"""The real service as a process of its own, started the way people start it, or forked: see `nursery`."""

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.support.nursery import Life, begin
from tests.support.tree import ROOT

START_SECONDS = 30.0
"""How long the service may take until `/health` answers: generous, for a busy machine."""

STOP_SECONDS = 10.0
"""How long it may take to end after SIGTERM before it is killed."""

HEALTH = "/health"

LOG = "server.log"
"""What a service has printed, in its folder."""


class ServerError(AssertionError):
    """The service ended, or did not answer in time; carries its log."""


class Server:
    """A running service: its address, its folder, its log, its process."""

    def __init__(self, process: subprocess.Popen[bytes] | Life, url: str, folder: Path) -> None:
        self.process = process
        self.url = url
        self.folder = folder

    @property
    def log(self) -> str:
        """Everything the service has printed so far."""
        return _read(self.folder / LOG)

    def stop(self) -> None:
        """End the service and wait for it; kill it where it does not end by itself."""
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                self.kill()

    def kill(self) -> None:
        """End the service and its processes at once, as a power cut would."""
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            self.process.kill()
        self.process.wait(STOP_SECONDS)


def free_port() -> int:
    """Find a TCP port on the loopback address that nothing listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def start_server(
    folder: Path,
    *,
    database_url: str | None = None,
    arguments: Sequence[str] = (),
    environment: Mapping[str, str] | None = None,
    code: Path = ROOT,
    port: int | None = None,
) -> Server:
    """Start `python -m ledger serve` on a free port and wait until it answers.

    `folder` takes its data and its log, and it runs there. Without `database_url` it makes its
    own database there. `code` is the folder that the `ledger` package is imported from.
    No `LEDGER_…` variable of the person running the tests reaches it.
    """
    port = port or free_port()
    own = _environment(folder, database_url, environment)
    with (folder / LOG).open("ab") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "ledger", "serve", "--port", str(port), *arguments],
            cwd=folder,
            env=own | {"PYTHONPATH": str(code), "PYTHONUNBUFFERED": "1"},
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    return answering(Server(process, address(port), folder))


def fork_server(
    folder: Path,
    *,
    database_url: str | None = None,
    arguments: Sequence[str] = (),
    environment: Mapping[str, str] | None = None,
    port: int | None = None,
) -> Server:
    """Start the same with all its modules read already; it answers soon: see `answering`."""
    port = port or free_port()
    process = begin(
        ["serve", "--port", str(port), *arguments],
        folder,
        folder / LOG,
        _environment(folder, database_url, environment),
    )
    return Server(process, address(port), folder)


def address(port: int) -> str:
    """Return the address of a service on a port."""
    return f"http://127.0.0.1:{port}"


def _environment(
    folder: Path, database_url: str | None, more: Mapping[str, str] | None
) -> dict[str, str]:
    own = {k: v for k, v in os.environ.items() if not k.startswith("LEDGER_")}
    own["LEDGER_DATA_DIR"] = str(folder)
    if database_url is not None:
        own["LEDGER_DATABASE_URL"] = database_url
    return own | dict(more or {})


def answering(server: Server) -> Server:
    """Return the service once it answers; end it where it does not."""
    try:
        wait_until_healthy(server.process, server.url, server.folder / LOG)
    except BaseException:
        server.kill()
        raise
    return server


def wait_until_healthy(process: subprocess.Popen[bytes] | Life, url: str, log: Path) -> None:
    """Wait until the service at an address answers. Raises ``ServerError`` with its log."""
    # An empty ProxyHandler: a proxy set in the environment has no business on the loopback.
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        if (status := process.poll()) is not None:
            raise ServerError(f"The service ended with status {status}. Its log:\n{_read(log)}")
        try:
            with opener.open(url + HEALTH, timeout=5) as answer:
                if answer.status == 200:
                    return
        except (urllib.error.URLError, OSError):
            pass
        time.sleep(0.02)
    raise ServerError(
        f"{HEALTH} did not answer 200 within {START_SECONDS:.0f} s. Its log:\n{_read(log)}"
    )


def _read(log: Path) -> str:
    return log.read_text(encoding="utf-8", errors="replace")
