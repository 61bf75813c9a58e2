"""The tables of who beats whom have room for what is looked up in them."""

import pytest

from engine.cards.ranking import PLACES, Columns, Law


def law_of(strengths: int) -> Law:
    """Cards of so many strengths, played to one suit."""
    return tuple((1 << at, 1 << at, at) for at in range(strengths))


def test_a_strength_and_a_place_fit_into_a_byte() -> None:
    """The highest strength with the last place at the table is still a byte."""
    power = Columns.of((1,), (1,), (law_of(21),)).power
    assert max(power) + PLACES - 1 <= 255


def test_a_ranking_of_more_strengths_than_a_byte_holds_is_refused() -> None:
    """Else one card's sum would be carried into the next, and tricks would be won by the wrong player."""
    with pytest.raises(ValueError, match="22 strengths"):
        Columns.of((1,), (1,), (law_of(22),))
