"""Cards in a row as bytes, a card's number each, so that a table is looked up for all of them at once."""

from collections.abc import Iterable
from itertools import repeat

from engine.cards.card_sets import BITS
from engine.cards.cards import CARDS

Strip = bytes | bytearray

_NO_CARD = 64
_bit_of = BITS.__getitem__


def _numbers(place: int) -> bytes:
    """Say what each character at a place of a spelling adds to the card's number: no card's for most."""
    table = bytearray(repeat(_NO_CARD, 256))
    for card in CARDS:
        table[ord(str(card)[place])] = card % 9 if place == 0 else card - card % 9
    return bytes(table)


_RANKS, _SUITS = _numbers(0), _numbers(1)


def strip_of(texts: Iterable[str]) -> bytes:
    """Read cards that are written as the engine writes them, one space between each two.

    `ValueError` for anything else; `TypeError` for what isn't text. Letters that spell no card get a number
    that no card has.

    >>> list(strip_of(["6S 8S", "6H"])), list(strip_of(["AS"]))
    ([0, 2, 9], [8])
    """
    text = " ".join(texts).encode("ascii")
    ranks = text[::3]
    if text[2::3].strip(b" "):
        raise ValueError("no spaced cards")
    return added(ranks.translate(_RANKS), text[1::3].translate(_SUITS))


def added(one: Strip, other: Strip) -> bytes:
    """Add each byte of one to that of the other; no sum may be above 255.

    >>> list(added(bytes([1, 2]), bytes([0, 250])))
    [1, 252]
    """
    return (number_of(one) + number_of(other)).to_bytes(len(one), "little")


def number_of(strip: Strip) -> int:
    """Read bytes as one number, the first of them as its lowest.

    >>> number_of(bytes([2, 1])) == 2 + 256
    True
    """
    return int.from_bytes(strip, "little")


def set_of(strip: Iterable[int]) -> int:
    """Gather cards that are all different into a set.

    >>> set_of([0, 2])
    5
    """
    return sum(map(_bit_of, strip))
