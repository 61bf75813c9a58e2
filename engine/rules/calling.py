"""Calling a card: the cards that a bidder may call, and the effect of calling an own card."""

from collections.abc import Collection
from enum import StrEnum
from typing import NamedTuple

from engine.cards.cards import RANKS, Card, Suit
from engine.errors import Violation
from engine.words.sentences import later, say

Cards = Collection[Card]


class OwnCard(StrEnum):
    """The effect of calling a card that the bidder holds."""

    ALONE = "alone"
    """The bidder plays alone, in secret (crazy-solo, 002)."""
    REFUSED = "refused"
    """The call is refused (six-bid: decided in the rules sheet; german-solo, 003)."""
    NO_EXCHANGE = "no-exchange"
    """No card is exchanged (six-bid's house rule `call_own_card`)."""


class Calling(NamedTuple):
    """The cards that a bid may call.

    `first` are the ranks that may be called; a bidder who holds every card of them calls one of the ranks
    `then` instead. With `plain` trumps are excluded. With `must_play` the holder must play the called card
    when its suit is led, and with `must_lead` must lead it when leading that suit.
    """

    own: OwnCard
    first: str = RANKS
    then: str = ""
    plain: bool = False
    must_play: bool = False
    must_lead: bool = False

    def choices(self, deck: Cards, trump: Suit | None, hand: Cards | None) -> tuple[Card, ...]:
        """Return the cards of the deck that may be called, in its order; `hand` is the bidder's, if known."""
        return tuple(card for card in deck if self.allows(card, deck, trump, hand))

    def allows(self, card: Card, deck: Cards, trump: Suit | None, hand: Cards | None) -> bool:
        """Return whether a card of the deck may be called, by its rank, its suit and the bidder's hand.

        Refused are a trump if `plain`, a card of the own hand if `own` is `REFUSED`, and ranks that are
        neither in `first` nor, for a bidder with every card of these, in `then`. Without the hand (`None`),
        rules that depend on it are not applied.
        """
        if self.plain and card.suit is trump:
            return False
        if self.own is OwnCard.REFUSED and hand is not None and card in hand:
            return False
        if card.rank not in self.first + self.then:
            return False
        if self.then and hand is not None:
            all_held = all(other in hand for other in deck if other.rank in self.first)
            return card.rank in (self.then if all_held else self.first)
        return True

    def problem(
        self, card: Card, deck: Cards, trump: Suit | None, hand: Cards | None = None
    ) -> Violation | None:
        """Return the violation if a card of the deck may not be called, else `None`.

        Its valid values are the cards that may be called, as far as the bidder's hand is known.
        """
        if self.allows(card, deck, trump, hand):
            return None
        legal = self.choices(deck, trump, hand)
        if hand is None and card.rank in self.first + self.then:
            # The rank of the call shows whether the bidder held every card of the first ranks.
            group = self.first if card.rank in self.first else self.then
            legal = tuple(choice for choice in legal if choice.rank in group)
        where = {"field": "contract.called", "card": str(card)}
        code = "called-card-not-allowed"
        if hand is not None and card in hand and self.own is OwnCard.REFUSED:
            code = "called-own-card"
            message = say(
                "{card} is in the bidder's own hand; call a card that somebody else holds.",
                card=card,
            )
        elif self.plain and card.suit is trump and card.rank in self.first + self.then:
            message = say("{card} is a trump; the called card must be of another suit.", card=card)
        else:
            single = later("{card} cannot be called; it must be {first:or}.")
            double = later(
                "{card} cannot be called; it must be {first:or}, or {then:or} when the bidder holds"
                " every one of those."
            )
            first, then = map(_ranks, (self.first, self.then))
            message = say(double if then else single, card=card, first=first, then=then)
        return Violation(code, message, where, tuple(map(str, legal)))


_NAMES = {"A": say("an ace"), "K": say("a king")}


def _ranks(ranks: str) -> list[str]:
    """Return the names of ranks for a sentence: "an ace", "a king", or the rank itself."""
    return [_NAMES.get(rank, rank) for rank in ranks]
