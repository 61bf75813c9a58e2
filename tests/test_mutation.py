"""`python -m tests.mutation` finds mutants that no test notices; its list of equivalents is up to date."""

import subprocess
import sys

import pytest

from tests.mutation.__main__ import equivalent
from tests.mutation.mutants import mutants_of
from tests.support.tree import ROOT


@pytest.mark.parametrize("key", sorted(equivalent()), ids=str)
def test_a_listed_mutant_exists(key: tuple[str, ...]) -> None:
    """After its line or function has changed, its reason must be checked again."""
    assert key in {mutant.key for mutant in mutants_of(key[0])}


def test_the_command_reports_mutants_that_no_test_notices() -> None:
    """Of a small module with the tests of another, all mutants survive; with its own tests, none does."""
    for tests, status, text in (
        ("tests/engine/cards/test_cards.py", 1, "survived"),
        ("tests/engine/rules/test_seating.py", 0, "killed"),
    ):
        command = ["-m", "tests.mutation", "engine/rules/seating.py", "--tests", tests]
        run = subprocess.run(
            [sys.executable, *command, "--share", "0.1", "--jobs", "1"],
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        assert (run.returncode, run.stdout.splitlines()[-1].split(" ", 1)[1]) == (status, text)
