"""The tricks of many hands checked at once, by arithmetic on columns of bytes.

A column has one byte for the first trick of each hand, then one for the second of each, and so on. Read as
one large number it is compared for all hands in one operation.

Each seat plays its whole hand. So a card that did not follow suit was legal if its seat plays none of the
suits it then had to play in any later trick, and no card has to be taken out of a hand.
"""

from collections.abc import Iterable, Sequence
from itertools import repeat
from typing import NamedTuple

from engine.cards.cards import CARDS
from engine.cards.ranking import CardOrder

_MAX_SEATS = 12
_IS_PLACE = tuple(
    bytes(255 * (place == other) for other in range(256)) for place in range(_MAX_SEATS)
)
"""For each place a translation table to 255 for this place and 0 for any other."""

_STRENGTHS = 128
"""The number of strengths that fit in a byte with one bit to spare."""

_NO_CARD = 64


class CardColumns(NamedTuple):
    """The order of the cards as translation tables for columns of cards.

    `led` maps a card to 36 times the number of its suit, as suits are followed; added to another card, it
    indexes the tables `power` and `denies`. `suits` maps a card to one bit for its suit. `power` is the rank
    of the card's strength among all strengths, 0 if it cannot win. `denies` are the bits of the suits of
    which a seat may hold no other card if it plays this one.
    """

    led: bytes
    suits: bytes
    power: bytes
    denies: bytes

    @classmethod
    def of(cls, order: CardOrder) -> "CardColumns":
        """Build the tables of an order. Raises `ValueError` for more than 128 different strengths."""
        laws = dict(zip(order.follows, order.laws, strict=True))
        suits = tuple(laws)
        strengths = {0, *(power for law in laws.values() for _, _, power in law)}
        ranks = {power: rank for rank, power in enumerate(sorted(strengths))}
        if len(ranks) > _STRENGTHS:
            raise ValueError(f"{len(ranks)} strengths of cards are too many for a byte")
        numbers = [suits.index(suit) for suit in order.follows]
        return cls(
            _table(number * len(CARDS) for number in numbers),
            _table(1 << number for number in numbers),
            _table(ranks[power] for law in laws.values() for _, _, power in law),
            _table(
                sum(1 << number for number, suit in enumerate(suits) if suit & must & ~bit)
                for law in laws.values()
                for bit, must, _ in law
            ),
        )


def _table(values: Iterable[int]) -> bytes:
    """Return the values as bytes, filled up with zeros to a translation table of 256."""
    return bytes(values).ljust(256, b"\0")


class PlayedColumns(NamedTuple):
    """Hands that were played to their end, as columns.

    `turns` holds the cards played first in each trick, those played second, and so on; `winners` the place
    that won each trick. The columns are meaningless for the hands numbered in `illegal`.
    """

    hands: int
    turns: tuple[bytes, ...]
    winners: bytes
    illegal: frozenset[int]


def play_columns(
    tables: CardColumns, seats: int, first: bytes, leaders: bytes, cards: bytes, holders: bytes
) -> PlayedColumns:
    """Check and play complete hands of the same number of seats and tricks, and return them as columns.

    An illegal card, a wrong leader or a card from another seat's hand puts the hand's number into `illegal`;
    nothing is raised. At least one hand is needed.

    Args:
        tables: The order of the cards.
        seats: The number of seats that play a card to each trick.
        first: The place that leads to the first trick, for each hand.
        leaders: The recorded leader of each trick, hand by hand.
        cards: The cards of all tricks, hand by hand, each trick from its leader on.
        holders: The place that held each of these cards.
    """
    hands = len(first)
    tricks = len(leaders) // hands
    turns = tuple([_column(cards, tricks, seats, turn) for turn in range(seats)])
    leader, led = _column(leaders, tricks), turns[0].translate(tables.led)
    leads = [number_of(leader.translate(table)) for table in _IS_PLACE[:seats]]
    greatest, top = number_of(b"\x7f" * len(leader)), number_of(b"\x80" * len(leader))
    denied, suits_played = [0] * seats, [0] * seats
    wrong = best = winner = 0
    for turn in range(seats):
        expected = bytes([(place + turn) % seats for place in range(256)])
        holder = number_of(_column(holders, tricks, seats, turn))
        card_and_led = added(turns[turn], led)
        wrong |= holder ^ number_of(leader.translate(expected))
        denies = number_of(card_and_led.translate(tables.denies))
        suits = number_of(turns[turn].translate(tables.suits))
        for place in range(seats):
            denied[place] |= denies & leads[place - turn]
            suits_played[place] |= suits & leads[place - turn]
        power = number_of(card_and_led.translate(tables.power))
        is_higher = (power + greatest - best) & top
        beats = (is_higher << 1) - (is_higher >> 7)
        best ^= (best ^ power) & beats
        winner ^= (winner ^ holder) & beats
    for denies, suits in zip(denied, suits_played, strict=True):
        wrong |= denies & _later(suits, 8 * hands)
    winners = winner.to_bytes(len(leader), "little")
    wrong |= number_of(leader) ^ number_of(first + winners[:-hands])
    return PlayedColumns(hands, turns, winners, _hands_of(wrong, hands))


def _column(row: bytes, tricks: int, cards: int = 1, turn: int = 0) -> bytes:
    """Return the bytes at place `turn` of each trick as a column: first tricks, then second ones, and so on.

    `row` has `cards` bytes for each trick, hand by hand.
    """
    size = tricks * cards
    return b"".join([row[at::size] for at in range(turn, size, cards)])


def _later(suits: int, trick: int) -> int:
    """Return for each trick the suits (bits) of all later tricks, at most 15, combined; 0 for the last trick.

    `suits` has the suits of each trick, the first one lowest; `trick` is the size of a trick in bits.
    """
    later = suits >> trick
    for tricks in (1, 2, 4, 8):
        later |= later >> tricks * trick
    return later


def _hands_of(wrong: int, hands: int) -> frozenset[int]:
    """Return the numbers of the hands, from 0, with any bit set in a column."""
    column = wrong.to_bytes((wrong.bit_length() + 7) // 8, "little")
    return frozenset([at % hands for at, bits in enumerate(column) if bits])


def _numbers(place: int) -> bytes:
    """Return a translation table from a card's character at `place` (0 or 1) to its part of the number.

    That is the rank, 0 to 8, or nine times the suit. Characters that no card has there become `_NO_CARD`.
    """
    table = bytearray(repeat(_NO_CARD, 256))
    for card in CARDS:
        table[ord(str(card)[place])] = card % 9 if place == 0 else card - card % 9
    return bytes(table)


_RANKS, _SUITS = _numbers(0), _numbers(1)


def parse_cards(texts: Sequence[str], size: int) -> bytes:
    """Return the numbers of cards, a byte each, from texts of `size` cards in canonical spelling.

    Single spaces separate the cards of a text. Raises `ValueError` for anything else and `TypeError` for a
    value that is not text. Letters that spell no card get a number above any card's.

    >>> list(parse_cards(["6S 8S", "6H AS"], 2))
    [0, 2, 9, 8]
    """
    text = "\n".join(texts).encode("ascii")
    separators = (b" " * (size - 1) + b"\n") * len(texts)
    # There are as many line ends between cards as texts, so none is left within a card.
    if text[2::3] + b"\n" != separators or len(text) != 3 * len(separators) - 1:
        raise ValueError(f"not {size} cards with single spaces")
    return added(text[::3].translate(_RANKS), text[1::3].translate(_SUITS))


def added(row: bytes, other: bytes) -> bytes:
    """Return the sum of two rows of bytes, byte by byte; a sum above 255 carries into the next byte.

    >>> list(added(bytes([1, 2]), bytes([0, 250])))
    [1, 252]
    """
    return (number_of(row) + number_of(other)).to_bytes(len(row), "little")


def number_of(row: bytes) -> int:
    """Return a row as one number, its first byte the lowest.

    >>> number_of(bytes([2, 1])) == 2 + 256
    True
    """
    return int.from_bytes(row, "little")
