"""Everything that .docs/OPERATIONS.md tells an operator to type exists."""

import re

import click
import pytest

from ledger.cli import main
from ledger.runtime import config
from tests.support.tree import ROOT

GUIDE = (ROOT / ".docs" / "OPERATIONS.md").read_text(encoding="utf-8")
TYPED = re.findall(r"(?:^|`)(?:\w+=\S+ )?solo-ledger ([a-z]+)([^`\n]*)", GUIDE, re.MULTILINE)


@pytest.mark.parametrize(("name", "rest"), TYPED)
def test_each_command_of_the_guide_exists_with_its_options(name: str, rest: str) -> None:
    """A renamed option would fail in the middle of an emergency."""
    command = main.get_command(click.Context(main), name)
    assert command
    options = {
        opt for each in command.params if isinstance(each, click.Option) for opt in each.opts
    }
    assert set(re.findall(r"--[a-z-]+", rest)) <= options


def test_each_variable_of_the_guide_is_a_setting() -> None:
    """The program ignores a variable that it does not know."""
    variables = set(re.findall(r"LEDGER_[A-Z_]+", GUIDE))
    assert len(variables) > 5
    assert variables <= set(re.findall(r"LEDGER_[A-Z_]+", config.__doc__ or ""))
