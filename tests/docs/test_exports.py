"""The page on exports lists every format and every column, in order."""

import re

import pytest

from ledger.keeping.exports import tables
from ledger.keeping.exports.formats import FORMATS
from tests.support.tree import ROOT

PAGE = (ROOT / ".docs" / "EXPORTS.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["hands", "entries", "balances", "statistics", "evenings"])
def test_the_page_lists_the_columns_of_a_table_in_order(name: str) -> None:
    """Each of them once; words in brackets explain one."""
    section = PAGE.partition(f"### {name.capitalize()}\n\n")[2].partition("\n\n")[0]
    headings = re.findall(r"`(\w+)`", re.sub(r"\([^)]*\)", "", section))
    assert headings == [column.heading for column in getattr(tables, name.upper()).columns]


def test_the_page_lists_the_formats() -> None:
    """And only those that there are."""
    rows = re.findall(r"^\| ((?:`[\w-]+` ?)+)\|", PAGE.partition("## CSV")[0], re.MULTILINE)
    assert re.findall(r"`([\w-]+)`", "".join(rows)) == [*FORMATS]
