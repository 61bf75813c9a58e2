"""The evenings of every `evenings.toml` next to the tests of the services."""

from collections.abc import Mapping
from typing import Any

from tests.ledger.evenings import CardClub
from tests.ledger.services.scenarios import evenings, play


@evenings
def test_an_evening_comes_to_what_its_file_says(row: Mapping[str, Any], any_club: CardClub) -> None:
    """Each step and each check, in order."""
    play(any_club, row)
