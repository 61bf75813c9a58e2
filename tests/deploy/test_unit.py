"""The systemd unit: systemd's own checker likes it, and its command runs as it stands."""

import os
import re
import shlex
import shutil
import signal
import stat
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import pytest

from tests.support.server import free_port, wait_until_healthy
from tests.support.tree import ROOT

UNIT = ROOT / ".deploy" / "solo-ledger.service"
PROGRAM = "/opt/solo-ledger/bin/solo-ledger"


def settings(section: str) -> dict[str, list[str]]:
    """Return the settings in a section of the unit; some names come more than once."""
    results: dict[str, list[str]] = defaultdict(list)
    here = ""
    for line in UNIT.read_text().splitlines():
        here = line if line.startswith("[") else here
        name, equals, said = line.partition("=")
        if here == f"[{section}]" and equals and not line.startswith("#"):
            results[name].append(said)
    return results


def test_its_memory_has_a_bound_above_what_the_service_takes() -> None:
    """An unforeseen need ends this service, not its machine; systemd starts it again."""
    assert settings("Service")["MemoryMax"] == ["1G"]
    assert settings("Service")["Restart"] == ["on-failure"]


def test_its_command_serves_under_its_settings_and_stops_when_told(tmp_path: Path) -> None:
    """Only the folders and the port are put in. Its files are its own user's; TERM ends it in order."""
    service = settings("Service")
    own = dict(each.split("=", 1) for each in service["Environment"])
    assert own["LEDGER_DATA_DIR"] == f"/var/lib/{service['StateDirectory'][0]}"
    port, here = free_port(), tmp_path / "state"
    own |= {"LEDGER_DATA_DIR": str(here), "LEDGER_PORT": str(port), "PATH": os.environ["PATH"]}
    program, *arguments = shlex.split(service["ExecStart"][0])
    assert program == PROGRAM
    with (tmp_path / "log").open("wb") as log:
        process = subprocess.Popen(
            [str(Path(sys.executable).with_name("solo-ledger")), *arguments],
            env=own,
            umask=int(service["UMask"][0], 8),
            stdout=log,
            stderr=log,
        )
    try:
        wait_until_healthy(process, f"http://127.0.0.1:{port}", tmp_path / "log")
    finally:
        process.terminate()
        ended = process.wait(int(service["TimeoutStopSec"][0]))
    assert ended == -signal.SIGTERM  # which systemd takes for a clean end
    books = here / "ledger.sqlite"
    assert stat.S_IMODE(books.stat().st_mode) == 0o600
    assert not books.with_name("ledger.sqlite-wal").exists()
    assert '"path":"/health"' in (tmp_path / "log").read_text()


def test_systemd_reads_it(tmp_path: Path) -> None:
    """Where systemd is: no unknown name, no bad value. Elsewhere each line is at least of a known form."""
    if analyze := shutil.which("systemd-analyze"):
        copy = tmp_path / UNIT.name
        copy.write_text(UNIT.read_text().replace(PROGRAM, sys.executable))
        result = subprocess.run(
            [analyze, "verify", "--man=no", str(copy)],
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )
        assert (result.returncode, UNIT.name in result.stderr) == (0, False), result.stderr
    for line in UNIT.read_text().splitlines():
        assert re.fullmatch(r"(#.*|\[\w+\]|[A-Z][A-Za-z]*=.*|)", line), line


@pytest.mark.parametrize("name", ["DynamicUser", "NoNewPrivileges", "ProtectHome", "PrivateTmp"])
def test_it_shuts_the_service_off_from_the_rest(name: str) -> None:
    """A fault in the code that reads strangers' requests reaches nothing but the ledger."""
    service = settings("Service")
    assert service[name] == ["yes"]
    assert service["ProtectSystem"] == ["strict"]
    assert service["CapabilityBoundingSet"] == [""]
