"""Which card beats which, and what must be played to a led card: tables, one for each trump suit."""

from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

from engine.cards.card_sets import BITS, mask_of, suit_mask
from engine.cards.cards import CARDS, RANKS, Card, Suit

Law = tuple[tuple[int, int, int], ...]
"""Of each card, once another was led: its bit, `must` and its strength, 0 where it cannot win. It may be
played by whoever holds no other card of `must`."""

STRENGTHS = 128
"""So many strengths can be told apart in a byte with one bit to spare."""


class Columns(NamedTuple):
    """The laws as tables of bytes, for cards in a row: what each card comes to.

    Suits are as they are followed. `led` gives for a card its suit's number times 36, which together with
    another card says that this was played to it. `shows` gives its suit as one bit. By card and suit led
    together, `power` gives its strength as a rank among all, none being 0; `denies` the suits of which
    whoever plays so holds none any more.
    """

    led: bytes
    shows: bytes
    power: bytes
    denies: bytes

    @classmethod
    def of(
        cls, suits: tuple[int, ...], follows: tuple[int, ...], laws: tuple[Law, ...]
    ) -> "Columns":
        """Make tables of the laws for each suit led, a set of cards.

        Raises ``ValueError`` for more strengths than can be compared in a byte: one card's difference would
        be carried into the next.
        """
        strengths = {0, *(power for law in laws for _, _, power in law)}
        ranks = {power: at for at, power in enumerate(sorted(strengths))}
        if len(ranks) > STRENGTHS:
            raise ValueError(f"{len(ranks)} strengths of cards are too many for a byte")
        numbers = [suits.index(suit) for suit in follows]
        return cls(
            _table(number * len(CARDS) for number in numbers),
            _table(1 << number for number in numbers),
            _table(ranks[power] for law in laws for _, _, power in law),
            _table(
                sum(1 << at for at, suit in enumerate(suits) if suit & must & ~bit)
                for law in laws
                for bit, must, _ in law
            ),
        )


def _table(values: Iterable[int]) -> bytes:
    return bytes(values).ljust(256, b"\0")


class Order(NamedTuple):
    """The cards under one trump suit, or under none.

    `follows` gives for each led card the set of cards that follow it, `laws` what may be played to it,
    `free` the same without any duty; `columns` are the laws for many cards at once. `trumps` are all the
    trumps. `called` is a card that must be played when its suit is led (german-solo, 003), which the columns
    ignore. `words` names the suit that each card leads. A card may be led by a hand that holds no other card
    of its set in `leads`.
    """

    follows: tuple[int, ...]
    leads: tuple[int, ...]
    laws: tuple[Law, ...]
    free: tuple[Law, ...]
    columns: Columns
    trumps: int
    called: int
    words: tuple[str, ...]


class AceTen:
    """A 10 K Q J 9 8 7 6 in every suit; follow suit, if void play a trump, else anything (002)."""

    def under(self, trump: Suit | None, called: int = 0, *, must_lead: bool = False) -> Order:
        """Return the tables; without trumps: follow suit, else anything (decided in the rules sheet)."""
        return _ace_ten(trump, called, must_lead=must_lead)

    def matadors(self, trump: Suit) -> int:  # noqa: ARG002
        """Give the set of highest trumps that are paid for: there are none."""
        return 0


ACE_TEN_RANKS = AceTen()


class Matadors:
    """German Solo: the black queens are always trumps, and the trump 7 ranks between them (003).

    Trumps: ♣Q, the trump 7, ♠Q, then A K (Q) J 10 9 8. Plain suits: A K (Q) J 10 9 8 7. Follow suit;
    there is no duty to trump.

    >>> order = MATADOR_RANKS.under(Suit.HEARTS)
    >>> [card for card in map(Card.parse, ["QC", "7H", "QS", "AH"]) if BITS[card] & order.trumps]
    [QC, 7H, QS, AH]
    """

    def under(self, trump: Suit | None, called: int = 0, *, must_lead: bool = False) -> Order:
        """Return the tables for a trump suit."""
        return _german(trump, called, must_lead=must_lead)

    def matadors(self, trump: Suit) -> int:
        """♣Q, the trump 7 and ♠Q."""
        return BLACK_QUEENS | BITS[_card("7", trump)]


MATADOR_RANKS = Matadors()

Ranking = AceTen | Matadors
"""Puts the cards in order under a trump suit."""


def _card(rank: str, suit: Suit) -> Card:
    return Card.parse(rank + suit.value)


BLACK_QUEENS = BITS[_card("Q", Suit.CLUBS)] | BITS[_card("Q", Suit.SPADES)]
_GERMAN_RANKS = "6789TJQKA"


@cache
def _ace_ten(trump: Suit | None, called: int, *, must_lead: bool) -> Order:
    plain = {card: RANKS.index(card.rank) for card in CARDS}
    trumps = suit_mask(trump) if trump else 0
    suits = {card: suit_mask(card.suit) for card in CARDS}
    words = tuple(card.suit.word for card in CARDS)
    return _order(plain, suits, trumps, trumps, called, words, must_lead=must_lead)


@cache
def _german(trump: Suit | None, called: int, *, must_lead: bool) -> Order:
    strengths = {card: _GERMAN_RANKS.index(card.rank) for card in CARDS}
    trumps = BLACK_QUEENS | (suit_mask(trump) if trump else 0)
    if trump:
        strengths[_card("Q", Suit.SPADES)] = 20
        strengths[_card("7", trump)] = 21
    strengths[_card("Q", Suit.CLUBS)] = 22
    suits = {
        card: trumps if BITS[card] & trumps else suit_mask(card.suit) & ~trumps for card in CARDS
    }
    words = tuple("trumps" if BITS[card] & trumps else card.suit.word for card in CARDS)
    return _order(strengths, suits, trumps, 0, called, words, must_lead=must_lead)


def _order(
    strengths: dict[Card, int],
    suits: dict[Card, int],
    trumps: int,
    duty: int,
    called: int,
    words: tuple[str, ...],
    *,
    must_lead: bool,
) -> Order:
    """Work the tables out; `duty` are the trumps that must be played by a player who cannot follow."""

    def must(bit: int, suit: int) -> int:
        if bit & suit:
            return called & suit or bit
        return bit | suit | (0 if bit & duty else duty)

    def power(card: Card, suit: int) -> int:
        if BITS[card] & trumps:
            return 100 + strengths[card]
        return 1 + strengths[card] if BITS[card] & suit else 0

    def law(suit: int, *, free: bool) -> Law:
        return tuple(
            (bit, bit if free else bit | must(bit, suit), power(card, suit))
            for card, bit in zip(CARDS, BITS, strict=True)
        )

    laws, free = (
        {suit: law(suit, free=free) for suit in set(suits.values())} for free in (False, True)
    )
    follows = tuple(suits[card] for card in CARDS)
    owed = called if must_lead else 0
    return Order(
        follows=follows,
        leads=tuple(bit | owed & suit for bit, suit in zip(BITS, follows, strict=True)),
        laws=tuple(laws[suits[led]] for led in CARDS),
        free=tuple(free[suits[led]] for led in CARDS),
        columns=Columns.of(tuple(laws), follows, tuple(laws.values())),
        trumps=trumps,
        called=called,
        words=words,
    )


def all_of(cards: str) -> int:
    """Gather cards that are written out, such as `"QC QS"`."""
    return mask_of(map(Card.parse, cards.split()))
