"""The tables of who beats whom have room for what is looked up in them."""

import pytest

from engine.cards.ranking import STRENGTHS, Columns, Law


def law_of(strengths: int) -> Law:
    """Cards of so many strengths, played to one suit."""
    return tuple((1 << at, 1 << at, at) for at in range(strengths))


def test_a_strength_leaves_a_bit_of_its_byte_free() -> None:
    """So that one can be taken from another without taking from the next card's; none at all is 0."""
    power = Columns.of((1,), (1,), (law_of(STRENGTHS),)).power
    assert (max(power), power[0]) == (127, 0)


def test_a_ranking_of_more_strengths_than_can_be_compared_is_refused() -> None:
    """Else one card's difference would be carried into the next, and the wrong player would win a trick."""
    with pytest.raises(ValueError, match="129 strengths"):
        Columns.of((1,), (1,), (law_of(STRENGTHS + 1),))
