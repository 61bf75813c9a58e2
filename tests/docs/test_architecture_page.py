"""The page on the architecture: every room it names is there, and every room is named."""

import re

import pytest

from tests.support.tree import ROOT, python_files
from tests.test_architecture import ROOMS

PAGE = (ROOT / ".docs" / "ARCHITECTURE.md").read_text(encoding="utf-8")
NAMED = sorted(set(re.findall(r"`([\w/]+/(?:\w+\.py)?)`", PAGE)))


@pytest.mark.parametrize("name", NAMED)
def test_a_place_that_the_page_names_is_there(name: str) -> None:
    """In full, or below the services or the engine."""
    tops = (ROOT, ROOT / "engine", ROOT / "ledger", ROOT / "ledger/services")
    assert any((top / name).exists() for top in tops)


@pytest.mark.parametrize("floor", ROOMS)
def test_every_room_of_a_floor_is_on_the_page(floor: str) -> None:
    """A newcomer finds each folder in the tables."""
    rooms = {path.relative_to(floor).parts[0] for path in python_files(floor)}
    assert [room for room in sorted(rooms) if "." not in room and f"`{room}/`" not in PAGE] == []
