"""Cards in a row as bytes."""

import pytest

from engine.batch.strips import strip_of
from engine.cards.cards import CARDS, write_cards


def test_each_card_is_its_number() -> None:
    """However many there are, in one text or in several."""
    assert strip_of([write_cards(CARDS)], 36) == bytes(CARDS)
    thirds = [write_cards(CARDS[at : at + 12]) for at in (0, 12, 24)]
    assert strip_of(thirds, 12) == bytes(CARDS)


@pytest.mark.parametrize(
    "texts",
    [
        ["ASxKS"],
        ["A♠ KS"],
        ["AS  KS"],
        ["AS KS "],
        ["AS KS QS"],
        ["AS"],
        ["AS\nKS"],
        ["AS KS", "QS"],
        ["AS KS QS", "TS"],
        ["AS KS\nQS TS", ""],
    ],
    ids=repr,
)
def test_what_is_not_so_many_spaced_cards_cannot_be_read(texts: list[str]) -> None:
    """As nobody wrote it that writes as the engine does: each text has two."""
    with pytest.raises(ValueError, match=r"spaced|ascii"):
        strip_of(texts, 2)


@pytest.mark.parametrize("texts", [["as"], ["1S"], ["AX"], ["SA"], ["??"], ["  "], ["A\n", "KS"]])
def test_what_is_no_card_has_no_cards_number(texts: list[str]) -> None:
    """So that it is in no pack."""
    assert strip_of(texts, 1)[0] not in CARDS
