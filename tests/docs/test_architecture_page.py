"""ARCHITECTURE.md names every package, and every path it names exists."""

import re

import pytest

from tests.support.tree import ROOT
from tests.test_architecture import LAYERS

PAGE = (ROOT / ".docs" / "ARCHITECTURE.md").read_text(encoding="utf-8")
NAMED = sorted(set(re.findall(r"`([\w/]+/(?:\w+\.py)?)`", PAGE)))


@pytest.mark.parametrize("name", NAMED)
def test_a_place_that_the_page_names_is_there(name: str) -> None:
    """In full, or below the services or the engine."""
    tops = (ROOT, *(ROOT / top for top in (*LAYERS, "ledger/database")))
    assert any((top / name).exists() for top in tops)


@pytest.mark.parametrize("tree", LAYERS)
def test_every_package_is_on_the_page(tree: str) -> None:
    """A newcomer finds each folder in the tables."""
    assert [name for name in LAYERS[tree] if f"{name}/`" not in PAGE] == []
