"""A test that takes too long, or ends its process, fails by name; the others pass, and the run ends."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.tree import ROOT

LIMIT = 2
"""Seconds that a test of the generated suite may take."""

HOPELESS = LIMIT + 4
"""Seconds after which pytest ends a process that lets no signal through."""

SLOW = {
    "loops": "while True:\n        pass",
    "sleeps": "time.sleep(600)",
    "waits": "subprocess.run(['sleep', '600'])",
    "catches": "while True:\n        with contextlib.suppress(Exception):\n            time.sleep(600)",
}
DEADLY = {
    "dies": "os._exit(1)",
    "is_deaf": "signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGALRM])\n    time.sleep(600)",
}


TRIES = 3
"""How often a run is tried in which pytest-xdist itself wrote to a process that had just died."""

OTHERS = [f"well_{number}" for number in range(6)]

SETTINGS = f"""[pytest]
addopts = -ra -n 2 --dist loadfile --no-loadscope-reorder -p tests.support.limits -p no:schemathesis
  -p no:anyio -p no:hypothesispytest -p no:cacheprovider
faulthandler_timeout = {HOPELESS}
faulthandler_exit_on_timeout = true
"""


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    """A folder of tests: a file for each way to take too long, between two that are well, and others."""
    (tmp_path / "pytest.ini").write_text(SETTINGS)
    for name, body in {**SLOW, **DEADLY, **dict.fromkeys(OTHERS, "pass")}.items():
        tests = (("before", "pass"), (name, body), ("after", "pass"))
        text = "".join(f"def test_{each}():\n    {code}\n\n\n" for each, code in tests)
        imports = "import contextlib, os, signal, subprocess, time\n\n\n"
        (tmp_path / f"test_{name}.py").write_text(imports + text)
    return tmp_path


def run(suite: Path, *names: str) -> tuple[set[str], str]:
    """Run tests as the README does; return the names of those that failed, and all that was printed."""
    files = [f"test_{name}.py" for name in (*names, *OTHERS)]
    for _ in range(TRIES):
        result = subprocess.run(
            [sys.executable, "-m", "pytest", *files],
            cwd=suite,
            env={**os.environ, "PYTHONPATH": str(ROOT), "LEDGER_TEST_LIMIT": str(LIMIT)},
            capture_output=True,
            text=True,
            timeout=120,
        )
        printed = result.stdout + result.stderr
        if "BrokenPipeError" not in printed:
            break
    assert result.returncode == 1, printed
    return set(re.findall(r"^FAILED \S+::test_(\w+)", printed, re.MULTILINE)), printed


def test_each_slow_test_fails_by_name_and_the_others_pass(suite: Path) -> None:
    """In a loop, in a sleep, while it waits for a process, and where it catches all exceptions."""
    failed, printed = run(suite, *SLOW)
    assert failed == set(SLOW)
    assert f"{len(SLOW)} failed, {2 * len(SLOW) + 3 * len(OTHERS)} passed" in printed
    assert f"took longer than {LIMIT} s" in printed


def test_a_test_that_ends_its_worker_fails_by_name_and_the_others_pass(suite: Path) -> None:
    """The other worker takes over the rest of its file, too."""
    failed, printed = run(suite, "dies")
    assert failed == {"dies"}
    assert f"1 failed, {2 + 3 * len(OTHERS)} passed" in printed
    assert "crashed while running 'test_dies.py::test_dies'" in printed


def test_the_run_ends_if_every_worker_dies(suite: Path) -> None:
    """Both tests are named, also the one that no signal reached."""
    failed, _ = run(suite, *DEADLY)
    assert failed == set(DEADLY)
