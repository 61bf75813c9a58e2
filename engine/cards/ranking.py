"""Which card beats which, and which cards may be played: one table for each trump suit."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cache

from engine.cards.card_sets import BITS, mask_of, suit_mask
from engine.cards.cards import CARDS, RANKS, Card, Suit

Law = tuple[tuple[int, int, int], ...]
"""For each card, when a certain card was led: its bit, `must` and its strength, 0 if it cannot win.

A seat may play the card if it holds no other card of `must`.
"""


@dataclass(frozen=True, slots=True, eq=False)
class CardOrder:
    """The cards under one trump suit or none; compared by identity. Tuples are indexed by a card's number.

    `follows` has for each led card the set of cards that follow it, `laws` the law for the cards played to
    it, `free` the same law without any duty to follow or trump. `leads` has for each card the set of which
    the leader may hold no other card. `called` is the set with the card that must be played when its suit is
    led, 0 if there is none (German Solo, 003). `words` names the suit that each card leads.
    """

    follows: tuple[int, ...]
    leads: tuple[int, ...]
    laws: tuple[Law, ...]
    free: tuple[Law, ...]
    trumps: int
    called: int
    words: tuple[str, ...]


class Ranking(ABC):
    """A game's ranking of the cards: the trumps, the winner of a trick and the legal cards."""

    def under(self, trump: Suit | None, called: int = 0, *, must_lead: bool = False) -> CardOrder:
        """Return the order of the cards under a trump suit or none, the same object for the same arguments.

        `called` is the set with the called card that must be played when its suit is led, 0 for none; with
        `must_lead` its holder must also lead it to lead this suit.
        """
        return _cached_order(type(self), trump, called, must_lead)

    @staticmethod
    @abstractmethod
    def order(trump: Suit | None, called: int, *, must_lead: bool) -> CardOrder:
        """Build the order of the cards for the arguments of `under`, which caches it."""

    @staticmethod
    def matadors(trump: Suit) -> int:  # noqa: ARG004
        """Return the set (bits) of highest trumps that are paid for under a trump suit; 0 in most games."""
        return 0


# Cached for the benchmark rules: building an order takes ten times as long as scoring a hand.
@cache
def _cached_order(
    ranking: type[Ranking], trump: Suit | None, called: int, must_lead: bool
) -> CardOrder:
    return ranking.order(trump, called, must_lead=must_lead)


class AceTen(Ranking):
    """A 10 K Q J 9 8 7 6 in every suit; follow suit, if void play a trump, else anything (002)."""

    @staticmethod
    def order(trump: Suit | None, called: int, *, must_lead: bool) -> CardOrder:
        """Build the order for the arguments of `under`: the trump suit's cards are the trumps.

        Without a trump suit a seat follows suit, else plays any card (decided in the rules sheet).
        """
        strengths = {card: RANKS.index(card.rank) for card in CARDS}
        trumps = suit_mask(trump) if trump else 0
        suits = {card: suit_mask(card.suit) for card in CARDS}
        words = tuple(card.suit.word for card in CARDS)
        return _order(strengths, suits, trumps, trumps, called, words, must_lead=must_lead)


class Matadors(Ranking):
    """German Solo: the black queens are always trumps, and the trump 7 ranks between them (003).

    Trumps: ♣Q, the trump 7, ♠Q, then A K (Q) J 10 9 8. Plain suits: A K (Q) J 10 9 8 7. Follow suit;
    there is no duty to trump.

    >>> order = MATADOR_RANKS.under(Suit.HEARTS)
    >>> [card for card in map(Card.parse, ["QC", "7H", "QS", "AH"]) if BITS[card] & order.trumps]
    [QC, 7H, QS, AH]
    """

    @staticmethod
    def order(trump: Suit | None, called: int, *, must_lead: bool) -> CardOrder:
        """Build the order for the arguments of `under`; without a trump suit only ♣Q and ♠Q are trumps."""
        strengths = {card: "6789TJQKA".index(card.rank) for card in CARDS}
        trumps = BLACK_QUEENS | (suit_mask(trump) if trump else 0)
        if trump:
            strengths[_card("Q", Suit.SPADES)] = 20
            strengths[_card("7", trump)] = 21
        strengths[_card("Q", Suit.CLUBS)] = 22
        suits = {
            card: trumps if BITS[card] & trumps else suit_mask(card.suit) & ~trumps
            for card in CARDS
        }
        words = tuple("trumps" if BITS[card] & trumps else card.suit.word for card in CARDS)
        return _order(strengths, suits, trumps, 0, called, words, must_lead=must_lead)

    @staticmethod
    def matadors(trump: Suit) -> int:
        """Return the set (bits) of ♣Q, the trump 7 and ♠Q."""
        return BLACK_QUEENS | BITS[_card("7", trump)]


ACE_TEN_RANKS, MATADOR_RANKS = AceTen(), Matadors()


def _card(rank: str, suit: Suit) -> Card:
    return Card.parse(rank + suit.value)


BLACK_QUEENS = BITS[_card("Q", Suit.CLUBS)] | BITS[_card("Q", Suit.SPADES)]


def _order(
    strengths: dict[Card, int],
    suits: dict[Card, int],
    trumps: int,
    duty: int,
    called: int,
    words: tuple[str, ...],
    *,
    must_lead: bool,
) -> CardOrder:
    """Build an order from each card's strength, the cards that follow it (`suits`) and its suit's name.

    `duty` is the set of trumps that a seat must play if it cannot follow suit; a trump beats any other card.
    """

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
    led_first = called if must_lead else 0
    return CardOrder(
        follows=follows,
        leads=tuple(bit | led_first & suit for bit, suit in zip(BITS, follows, strict=True)),
        laws=tuple(laws[suits[led]] for led in CARDS),
        free=tuple(free[suits[led]] for led in CARDS),
        trumps=trumps,
        called=called,
        words=words,
    )


def all_of(cards: str) -> int:
    """Return the set (bits) of cards written with spaces, `"QC QS"`; `ValueError` if one is not a card."""
    return mask_of(map(Card.parse, cards.split()))
