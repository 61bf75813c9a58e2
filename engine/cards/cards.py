"""Suits, the 36 cards as small integers with names, and packs of them.

A card's number is nine times its suit plus its strength, six lowest and ace highest, so that the
higher card of a suit is the greater number and a set of cards fits the bits of an integer.
"""

import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import accumulate
from typing import Self

from engine.cards.languages import JOINTS, LANGUAGES, LONGEST
from engine.cards.languages import SUITS as SUIT_WORDS

RANKS = "6789JQKTA"
"""From low to high in the ace-ten games: the ten ranks above the king."""

ACE_TEN = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2}
"""The card points of each rank; every other rank is worth nothing (002)."""


class Suit(StrEnum):
    """One of the four suits; its value is the letter a record uses.

    >>> Suit.HEARTS.symbol, Suit.HEARTS.word, str(Suit.HEARTS)
    ('♥', 'hearts', 'H')
    """

    SPADES = "S"
    HEARTS = "H"
    DIAMONDS = "D"
    CLUBS = "C"

    @property
    def symbol(self) -> str:
        """The suit's sign, one of ♠ ♥ ♦ ♣."""
        return _SYMBOLS[self]

    @property
    def word(self) -> str:
        """The suit's English name, in lower case: `hearts`."""
        return _WORDS[self]

    @property
    def is_red(self) -> bool:
        """Whether the suit is red: hearts or diamonds."""
        return self in (Suit.HEARTS, Suit.DIAMONDS)

    @classmethod
    def parse(cls, text: str) -> "Suit":
        """Return the suit that a text names: a letter, a sign or a word of any language, in either case.

        Words of German cards are read as the French suit they stand for. Raises `ValueError` for other text.

        >>> Suit.parse("♥"), Suit.parse("Hearts"), Suit.parse("bells"), Suit.parse("Pik")
        (<Suit.HEARTS: 'H'>, <Suit.HEARTS: 'H'>, <Suit.DIAMONDS: 'D'>, <Suit.SPADES: 'S'>)
        """
        suit = _SUIT_SPELLINGS.get(text.lower())
        if suit is None:
            letter = SUIT_WORDS.get(_folded(text))
            if letter is None:
                raise ValueError(f"{text!r} is not a suit")
            suit = cls(letter)
        return suit


_SYMBOLS = {Suit.SPADES: "♠", Suit.HEARTS: "♥", Suit.DIAMONDS: "♦", Suit.CLUBS: "♣"}
SUITS = tuple(Suit)
_WORDS = {suit: suit.name.lower() for suit in SUITS}
_EMOJI = "\ufe0f"  # phones append this to a suit sign to have it drawn in colour
_GERMAN = {
    Suit.CLUBS: ("a", "acorn", "acorns"),
    Suit.SPADES: ("l", "leaf", "leaves"),
    Suit.HEARTS: (),
    Suit.DIAMONDS: ("b", "bell", "bells"),
}
"""German suits, which stand for French ones (003)."""
_SPELLINGS = {
    suit: (
        *(suit.value.lower(), suit.symbol, suit.symbol + _EMOJI),
        *(suit.word, suit.word.removesuffix("s")),
        *_GERMAN[suit],
    )
    for suit in SUITS
}
_SUIT_SPELLINGS = {spelling: suit for suit in SUITS for spelling in _SPELLINGS[suit]}
_RANK_SPELLINGS = {"T": ("t", "10"), "Q": ("q", "o", "ober"), "J": ("j", "u", "unter")}
"""How a rank is spelled besides its own letter: Ober and Unter are the German queen and jack (003)."""


def _folded(text: str) -> str:
    """Return a text in lower case and compatible characters (NFKC), without emoji marks.

    A text longer than `LONGEST` becomes an empty string.
    """
    if len(text) > LONGEST:
        return ""
    return unicodedata.normalize("NFKC", text.replace(_EMOJI, "")).lower()


class AmbiguousCard(ValueError):
    """Raised for a text that means several cards: in other languages, or with the suit first.

    `cards` are the candidates, in ascending order.
    """

    def __init__(self, text: str, cards: "tuple[Card, ...]") -> None:
        super().__init__(text)
        self.cards = cards

    def __str__(self) -> str:
        return f"{self.args[0]!r} can be {' or '.join(map(str, self.cards))}"


class Card(int):
    """One of 36 preset cards, `Card(0)` to `Card(35)`; written as rank and suit, `TD`.

    >>> card = Card.parse("10♦")
    >>> str(card), card.rank, card.suit.word, card is Card(int(card))
    ('TD', 'T', 'diamonds', True)
    """

    __slots__ = ()

    def __new__(cls, number: int) -> Self:
        """Return the preset card with this number, always the same object; `ValueError` outside 0 to 35."""
        if not 0 <= number < len(_CARDS):
            raise ValueError(f"there is no card {number}")
        return _CARDS[number]  # type: ignore[return-value]

    def __getnewargs__(self) -> tuple[int]:
        return (int(self),)

    @property
    def suit(self) -> Suit:
        """The suit printed on the card."""
        return SUITS[self // len(RANKS)]

    @property
    def rank(self) -> str:
        """The rank's letter, one of `A T K Q J 9 8 7 6`."""
        return RANKS[self % len(RANKS)]

    def __str__(self) -> str:
        return _TEXTS[self]

    def __repr__(self) -> str:
        return _TEXTS[self]

    def __format__(self, spec: str) -> str:
        return format(_TEXTS[self], spec)

    @classmethod
    def parse(cls, text: str) -> "Card":
        """Return the card that a text names: `TD`, `10D`, `T♦`, `10♦` in either case, or a German card.

        Other texts are read in every language, also with the suit first. Raises `AmbiguousCard` if they mean
        several cards, and `ValueError` if they mean none.

        >>> Card.parse("10♦"), Card.parse("oa"), Card.parse("Unter-Leaves"), Card.parse("7bells")
        (TD, QC, JS, 7D)
        >>> Card.parse("SA"), Card.parse("Herz-Dame"), Card.parse("HB"), Card.parse("ace of spades")
        (AS, QH, JH, AS)
        """
        card = SPELLINGS.get(text)
        if card is None:
            card = SPELLINGS.get(text.lower())
        return _card_in_words(text) if card is None else card


_CARDS: tuple[Card, ...] = tuple(int.__new__(Card, number) for number in range(36))
_TEXTS = tuple(RANKS[number % 9] + SUITS[number // 9].value for number in range(36))
CARDS = _CARDS
SPELLINGS = {_TEXTS[card]: card for card in CARDS} | {
    rank + joint + suit: card
    for card in CARDS
    for rank in _RANK_SPELLINGS.get(card.rank, (card.rank.lower(),))
    for suit in _SPELLINGS[card.suit]
    for joint in ("", "-")
}


def _card_in_words(text: str) -> Card:
    """Return the card that a text means in any language.

    Raises `AmbiguousCard` if it means several, and `ValueError` if it means none.
    """
    folded = _folded(text)
    pairs = [(folded[:at], folded[at:]) for at in range(1, len(folded))]
    pairs += [
        (first, then.removeprefix(joint))
        for first, then in pairs
        for joint in JOINTS
        if then.startswith(joint)
    ]
    cards = {
        Card(RANKS.index(ranks[rank]) + len(RANKS) * SUITS.index(Suit(suits[suit])))
        for ranks, suits in LANGUAGES
        for first, then in pairs
        for rank, suit in ((first, then), (then, first))
        if rank in ranks and suit in suits
    }
    if len(cards) > 1:
        raise AmbiguousCard(text, tuple(sorted(cards)))
    for card in cards:
        return card
    raise ValueError(f"{text!r} is not one of the 36 cards")


_DEALT_SPELLINGS: dict[str, Card | None] = {**SPELLINGS, "?": None}


@dataclass(frozen=True)
class Pack:
    """The cards in play and the card points of each rank.

    `mask` is the set of the cards, `total` all their card points. `least_most[n]` holds the fewest and the
    most card points of `n` cards. `countable` is every number of card points that some of the cards can have.
    In a full pack 1 and 119 are not among them, so such a count is a miscount.

    >>> FULL.total, len(FULL.cards), 119 in FULL.countable, 118 in FULL.countable
    (120, 36, False, True)
    >>> FULL.least_most[0], FULL.least_most[3], FULL.least_most[36]
    ((0, 0), (0, 33), (120, 120))
    """

    cards: tuple[Card, ...]
    worth: Mapping[str, int] = field(default_factory=lambda: ACE_TEN, hash=False)
    mask: int = field(init=False, compare=False)
    total: int = field(init=False, compare=False)
    least_most: tuple[tuple[int, int], ...] = field(init=False, compare=False)
    countable: frozenset[int] = field(init=False, compare=False)
    _suit_points: tuple[int, ...] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        points = sorted(map(self.points, self.cards))
        least, most = accumulate(points, initial=0), accumulate(points[::-1], initial=0)
        sums, suit_points = {0}, [0]
        for number in points:
            sums |= {number + other for other in sums}
        for rank in RANKS:
            suit_points += [self.worth.get(rank, 0) + other for other in suit_points]
        for name, value in {
            "mask": sum(1 << card for card in self.cards),
            "total": sum(points),
            "least_most": tuple(zip(least, most, strict=True)),
            "countable": frozenset(sums),
            "_suit_points": tuple(suit_points),
        }.items():
            object.__setattr__(self, name, value)

    def points(self, card: Card) -> int:
        """Return the card points of a card's rank, 0 if it has none; the card need not be in the pack."""
        return self.worth.get(card.rank, 0)

    def without(self, *, ranks: str = "", cards: str = "") -> "Pack":
        """Return a new pack without the cards of some ranks, `"67"`, and without single cards, `"6S 7C"`.

        Cards that are not in the pack are ignored. Raises `ValueError` for text that is not a card.
        """
        removed = {Card.parse(text) for text in cards.split()}
        rest = (card for card in self.cards if card.rank not in ranks and card not in removed)
        return Pack(tuple(rest), self.worth)

    def count(self, mask: int) -> int:
        """Return the sum of the card points of a set of cards (bits), which need not be in this pack.

        >>> FULL.count(FULL.mask), FULL.count(0b101)
        (120, 0)
        """
        of = self._suit_points
        return of[mask & 511] + of[mask >> 9 & 511] + of[mask >> 18 & 511] + of[mask >> 27]

    def worths(self, size: int) -> frozenset[int]:
        """Return every sum of card points that exactly `size` cards of the pack can have, as in a widow.

        >>> max(FULL.worths(3)), 1 in FULL.worths(3), 29 in FULL.worths(3)
        (33, False, False)
        """
        sums: list[set[int]] = [{0}] + [set() for _ in range(size)]
        for card in self.cards:
            for count in range(size, 0, -1):
                sums[count] |= {self.points(card) + other for other in sums[count - 1]}
        return frozenset(sums[size])


FULL = Pack(CARDS)
"""All 36 cards."""


def read_cards(value: str | Iterable[str]) -> tuple[Card, ...]:
    """Return the cards of one string, separated as in `split_cards`, or of separate texts, in their order.

    Raises `ValueError` if a text is not a card.

    >>> read_cards("AS 10d"), read_cards("AS, 10d")
    ((AS, TD), (AS, TD))
    """
    texts = value.split() if isinstance(value, str) else list(value)
    try:
        return tuple(map(SPELLINGS.__getitem__, texts))
    except KeyError:
        texts = split_cards(value) if isinstance(value, str) else texts
        return tuple([Card.parse(text) for text in texts])


def split_cards(text: str) -> list[str]:
    """Return the words of a text, split at white space, commas and semicolons, also East Asian ones.

    >>> split_cards("AS, 10d;7H")
    ['AS', '10d', '7H']
    """
    return text.translate(_SEPARATORS).split()


_SEPARATORS = str.maketrans(dict.fromkeys(",;、，；", " "))


def read_dealt(value: str) -> tuple[Card | None, ...]:
    """Return the cards of a string, separated as in `split_cards`, with `None` for each `?`.

    Raises `ValueError` if a text is neither a card nor `?`.

    >>> read_dealt("AS ? 10D")
    (AS, None, TD)
    """
    texts = value.split()
    try:
        return tuple(map(_DEALT_SPELLINGS.__getitem__, texts))
    except KeyError:
        return tuple([None if text == "?" else Card.parse(text) for text in split_cards(value)])


def write_cards(cards: Iterable[Card | None]) -> str:
    """Return cards as one string with spaces, `TD AS`, in their order; `None` is written as `?`."""
    return " ".join(["?" if card is None else _TEXTS[card] for card in cards])
