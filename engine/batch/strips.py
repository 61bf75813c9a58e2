"""Cards in a row as bytes, a card's number each, so that a table is looked up for all of them at once."""

from collections.abc import Sequence
from itertools import repeat

from engine.cards.cards import CARDS

Strip = bytes | bytearray

_NO_CARD = 64


def _numbers(place: int) -> bytes:
    """Say what each character at a place of a spelling adds to the card's number: no card's for most."""
    table = bytearray(repeat(_NO_CARD, 256))
    for card in CARDS:
        table[ord(str(card)[place])] = card % 9 if place == 0 else card - card % 9
    return bytes(table)


_RANKS, _SUITS = _numbers(0), _numbers(1)


def strip_of(texts: Sequence[str], size: int) -> bytes:
    """Read texts of so many cards each, written as the engine writes them, one space between each two.

    `ValueError` for anything else; `TypeError` for what isn't text. Letters that spell no card get a number
    that no card has.

    >>> list(strip_of(["6S 8S", "6H AS"], 2))
    [0, 2, 9, 8]
    """
    text = "\n".join(texts).encode("ascii")
    between = (b" " * (size - 1) + b"\n") * len(texts)
    # As many line ends stand between cards as there are texts, so none can stand within a card.
    if text[2::3] + b"\n" != between or len(text) != 3 * len(between) - 1:
        raise ValueError("not so many spaced cards")
    return added(text[::3].translate(_RANKS), text[1::3].translate(_SUITS))


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
