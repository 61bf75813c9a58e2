"""Everything that .docs/TESTING.md names exists."""

import ast
import re

import pytest

from tests.support.tree import ROOT

PAGE = (ROOT / ".docs" / "TESTING.md").read_text(encoding="utf-8")
NAMED = re.findall(r"`(tests/[\w/]+\.py)(?:::(\w+))?`", PAGE)


@pytest.mark.parametrize(("file", "test"), NAMED)
def test_what_the_page_names_exists(file: str, test: str) -> None:
    """Each file, and in it each test."""
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    names = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    assert not test or test in names


def test_every_trial_is_listed() -> None:
    """A new trial guards against a failure that the page should list."""
    trials = {str(file.relative_to(ROOT)) for file in ROOT.glob("tests/trials/trial_*.py")}
    assert trials <= {file for file, _ in NAMED}


def test_every_row_names_a_test() -> None:
    """No failure is listed without something that guards against it."""
    rows = [line for line in PAGE.splitlines() if line.startswith("|") and "**" not in line][2:]
    assert [row for row in rows if "`tests/" not in row] == []
