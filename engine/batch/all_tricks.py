"""All tricks of many hands looked at at once: the same laws as card by card, each checked for whole columns.

Each seat plays its whole hand. So a card that did not follow was legal where its seat shows none of what it
then owed in any later trick, and nothing need be taken out of a hand card by card.

A column has a byte for the first trick of each hand, then one for the second of each, and so on. Read as one
large number, it is reckoned with for all of them at once.
"""

from functools import lru_cache
from typing import NamedTuple

from engine.batch.strips import added, number_of
from engine.cards.ranking import Columns

_PLACES = 12
"""More seats than these are at no table."""
_IS = tuple(bytes(255 * (place == each) for place in range(256)) for each in range(_PLACES))
"""Tables that make of a place all bits where it is a certain one, and none where it is not."""


class Played(NamedTuple):
    """So many hands that were played to their end, by columns.

    `turns` are the cards that were laid first in their tricks, those laid second, and so on; `taken_by` is
    the place that took each trick. Of the hands whose numbers are `illegal` they say nothing.
    """

    hands: int
    turns: tuple[bytes, ...]
    taken_by: bytes
    illegal: frozenset[int]


def play_all(
    columns: Columns, count: int, first: bytes, leaders: bytes, cards: bytes, holders: bytes
) -> Played:
    """Play hands at tables of so many seats to their end.

    `first` has the place that has to lead in each hand, `leaders` hand by hand the one that is said to have
    led each trick. `cards` are those of all tricks, each from its leader on, and `holders` the places that
    held them; each place holds as many of a hand.
    """
    hands = len(first)
    tricks = len(leaders) // hands
    turns = tuple([_column(cards, tricks, count, turn) for turn in range(count)])
    led_by, suits = _column(leaders, tricks), turns[0].translate(columns.led)
    leads = [number_of(led_by.translate(table)) for table in _IS[:count]]
    most, top = _lanes(len(led_by))
    denied, shown = [0] * count, [0] * count
    wrong = best = taken = 0
    for turn, next_to in enumerate(_next_to(count)):
        laid, holder = turns[turn], number_of(_column(holders, tricks, count, turn))
        played = added(laid, suits)
        wrong |= holder ^ number_of(led_by.translate(next_to))
        denies = number_of(played.translate(columns.denies))
        shows = number_of(laid.translate(columns.shows))
        for place in range(count):
            denied[place] |= denies & leads[place - turn]
            shown[place] |= shows & leads[place - turn]
        power = number_of(played.translate(columns.power))
        above = (power + most - best) & top
        beats = (above << 1) - (above >> 7)
        best ^= (best ^ power) & beats
        taken ^= (taken ^ holder) & beats
    for owed, has in zip(denied, shown, strict=True):
        wrong |= owed & _later(has, 8 * hands)
    taken_by = taken.to_bytes(len(led_by), "little")
    wrong |= number_of(led_by) ^ number_of(first + taken_by[:-hands])
    return Played(hands, turns, taken_by, _hands_of(wrong, hands) if wrong else frozenset())


def _column(strip: bytes, tricks: int, count: int = 1, turn: int = 0) -> bytes:
    """Gather what is noted hand by hand, for so many cards of each trick, into the column of one turn."""
    size = tricks * count
    return b"".join([strip[at::size] for at in range(turn, size, count)])


@lru_cache(maxsize=64)
def _next_to(count: int) -> tuple[bytes, ...]:
    """Make tables of whose turn it is, by who leads: first, second, and so on."""
    return tuple([bytes((place + turn) % count for place in range(256)) for turn in range(count)])


@lru_cache(maxsize=512)
def _lanes(size: int) -> tuple[int, int]:
    """Give the numbers of which each byte is the greatest strength, and of which it is the bit above that."""
    return number_of(b"\x7f" * size), number_of(b"\x80" * size)


def _later(shown: int, trick: int) -> int:
    """Gather what is shown in all later tricks, of which there are 15 at most."""
    later = shown >> trick
    for tricks in (1, 2, 4, 8):
        later |= later >> tricks * trick
    return later


def _hands_of(wrong: int, hands: int) -> frozenset[int]:
    """Say in which hands anything is wrong."""
    column = wrong.to_bytes((wrong.bit_length() + 7) // 8, "little")
    return frozenset([at % hands for at, bits in enumerate(column) if bits])
