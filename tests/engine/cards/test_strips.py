"""Cards in a row as bytes."""

import pytest

from engine.cards.cards import CARDS, write_cards
from engine.cards.strips import strip_of


def test_each_card_is_its_number() -> None:
    """However many there are, in one text or in several."""
    assert strip_of([write_cards(CARDS)]) == bytes(CARDS)
    assert strip_of([write_cards(CARDS[:7]), write_cards(CARDS[7:])]) == bytes(CARDS)


@pytest.mark.parametrize("text", ["ASxKS", "A♠ KS", "AS  KS"])
def test_what_is_not_spaced_cards_cannot_be_read(text: str) -> None:
    """As nobody wrote it that writes as the engine does."""
    with pytest.raises(ValueError, match=r"spaced|ascii"):
        strip_of([text])


@pytest.mark.parametrize("text", ["as", "1S", "AX", "SA", "??", "  "])
def test_what_is_no_card_has_no_cards_number(text: str) -> None:
    """So that it is in no pack."""
    assert all(number not in CARDS for number in strip_of([text]))
