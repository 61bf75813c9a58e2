"""Sets of cards as integers: bit `n` stands for card `n`. Used inside the engine only."""

from collections.abc import Iterable

from engine.cards.cards import CARDS, RANKS, SUITS, Card, Suit

BITS = tuple(1 << card for card in range(len(CARDS)))
"""The bit of each card."""

ALL = (1 << len(CARDS)) - 1
"""All 36 cards."""

_SUIT_MASKS = {
    suit: ((1 << len(RANKS)) - 1) << (place * len(RANKS)) for place, suit in enumerate(SUITS)
}


def mask_of(cards: Iterable[Card]) -> int:
    """Return the cards as a set: an integer with the bit of each card; repeated cards count once.

    >>> mask_of(cards_of(0b101)) == 0b101
    True
    """
    mask = 0
    for card in cards:
        mask |= BITS[card]
    return mask


def cards_of(mask: int) -> tuple[Card, ...]:
    """Return the cards of a set (bits) by suit, ♠ ♥ ♦ ♣, each from ace to six; `()` for 0.

    >>> cards_of(mask_of([Card.parse("6S"), Card.parse("AS"), Card.parse("TD")]))
    (AS, 6S, TD)
    """
    return tuple([card for card in _DISPLAY_ORDER if mask & BITS[card]]) if mask else ()


_DISPLAY_ORDER = tuple(sorted(CARDS, key=lambda card: (card // len(RANKS), -card)))


def suit_mask(suit: Suit) -> int:
    """Return the set (bits) of the nine cards printed with a suit."""
    return _SUIT_MASKS[suit]
