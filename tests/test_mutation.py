"""`python -m tests.mutation` finds mutants that no test notices; its list of equivalents is up to date."""

import subprocess
import sys

import pytest

from tests.mutation.__main__ import equivalent
from tests.mutation.mutants import mutants_of
from tests.support.tree import ROOT


def _run(tests: str) -> subprocess.CompletedProcess[str]:
    """Try a few mutants of a module with these tests."""
    command = ["-m", "tests.mutation", "engine/rules/seating.py", "--share", "0.1", "--jobs", "1"]
    return subprocess.run(
        [sys.executable, *command, "--tests", tests],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


@pytest.mark.parametrize("key", sorted(equivalent()), ids=str)
def test_a_listed_mutant_exists(key: tuple[str, ...]) -> None:
    """After its line or function has changed, its reason must be checked again."""
    assert key in {mutant.key for mutant in mutants_of(key[0])}


@pytest.mark.parametrize(("tests", "kills"), [("cards/test_cards", False), ("rules", True)])
def test_the_command_reports_mutants_that_no_test_notices(tests: str, kills: bool) -> None:
    """All survive the tests of another module, and none or few the module's own."""
    run = _run(f"tests/engine/{tests}" + ("/test_seating.py" if kills else ".py"))
    *survivors, counts = run.stdout.splitlines()
    assert ("killed" in counts) is kills
    assert run.returncode == ("survived" in counts)
    assert any(line.startswith("engine/rules/seating.py:") for line in survivors) is bool(
        run.returncode
    )


def test_the_command_counts_no_mutant_as_killed_by_tests_that_are_not_there() -> None:
    """A wrong path ends it with a message, as every mutant would fail."""
    run = _run("tests/engine/test_nothing.py")
    assert run.returncode == 2
    assert "run the tests without a mutant first" in run.stdout
    assert "killed" not in run.stdout
