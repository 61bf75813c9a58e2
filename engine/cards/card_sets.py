"""Sets of cards as integers: bit `n` stands for card `n`. Used inside the engine only."""

from collections.abc import Iterable

from engine.cards.cards import CARDS, RANKS, SPELLINGS, SUITS, Card, Suit

BITS = tuple(1 << card for card in range(len(CARDS)))
"""The bit of each card."""

ALL = (1 << len(CARDS)) - 1
"""All 36 cards."""

_SUIT_MASKS = {
    suit: ((1 << len(RANKS)) - 1) << (place * len(RANKS)) for place, suit in enumerate(SUITS)
}


def mask_of(cards: Iterable[Card]) -> int:
    """Gather cards into a set; one that comes twice counts once.

    >>> mask_of(cards_of(0b101)) == 0b101
    True
    """
    mask = 0
    for card in cards:
        mask |= BITS[card]
    return mask


def sum_spaced(text: str) -> int:
    """Add up the bits of cards that are written with one space between each two.

    The sum is a set only where it has as many bits as there are cards, none of which then came twice.
    `KeyError` for anything other than a card.

    >>> sum_spaced("6S 8S"), sum_spaced("6S 6S").bit_count()
    (5, 1)
    """
    return sum(map(_bit_of, text.split(" ")))


def cards_of(mask: int) -> tuple[Card, ...]:
    """List the cards of a set, suit by suit, each from high to low.

    >>> cards_of(mask_of([Card.parse("6S"), Card.parse("AS"), Card.parse("TD")]))
    (AS, 6S, TD)
    """
    return tuple(card for card in _SHOWN if mask & BITS[card])


_bit_of = {spelling: BITS[card] for spelling, card in SPELLINGS.items()}.__getitem__
_SHOWN = tuple(sorted(CARDS, key=lambda card: (card // len(RANKS), -card)))


def suit_mask(suit: Suit) -> int:
    """Gather the nine cards of a suit."""
    return _SUIT_MASKS[suit]
