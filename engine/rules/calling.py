"""Calling a card: which one the bidder may name, and what it means to name one of their own."""

from collections.abc import Collection
from enum import StrEnum
from typing import NamedTuple

from engine.cards.cards import RANKS, Card, Suit
from engine.errors import Violation
from engine.words.sentences import later, say

Cards = Collection[Card]


class OwnCard(StrEnum):
    """What happens when bidders name a card that they hold themselves."""

    ALONE = "alone"
    """They play alone, and nobody is told (crazy-solo, 002)."""
    REFUSED = "refused"
    """They may not (six-bid: decided in the rules sheet; german-solo, 003)."""
    NO_EXCHANGE = "no-exchange"
    """They may, and then nothing is exchanged (six-bid's house rule `call_own_card`)."""


class Calling(NamedTuple):
    """The cards a bid may call.

    `first` are the ranks that may be called; only who holds every card of them calls one of `then`
    instead. With `plain` the trump suit is left out. With `must_play` whoever holds the called card
    must play it when its suit is led, and with `must_lead` lead it if they lead that suit. A bid without
    this part calls no card.
    """

    own: OwnCard
    first: str = RANKS
    then: str = ""
    plain: bool = False
    must_play: bool = False
    must_lead: bool = False

    def choices(self, deck: Cards, trump: Suit | None, held: Cards | None) -> tuple[Card, ...]:
        """List the cards that may be called, `held` being the bidder's hand where it is known."""
        return tuple(card for card in deck if self.allows(card, deck, trump, held))

    def allows(self, card: Card, deck: Cards, trump: Suit | None, held: Cards | None) -> bool:
        """Whether a card of the deck may be called."""
        if self.plain and card.suit is trump:
            return False
        if self.own is OwnCard.REFUSED and held is not None and card in held:
            return False
        if self.then and held is not None:
            # Every one of the first ranks in one hand: then, and only then, one of the others.
            all_held = all(each in held for each in deck if each.rank in self.first)
            return card.rank in (self.then if all_held else self.first)
        return card.rank in self.first or card.rank in self.then

    def problem(
        self, card: Card, deck: Cards, trump: Suit | None, held: Cards | None = None
    ) -> Violation | None:
        """Say why a card of the deck may not be called, or nothing when it may."""
        if self.allows(card, deck, trump, held):
            return None
        legal = self.choices(deck, trump, held)
        if held is None and card.rank in self.first + self.then:
            # If every ace had been the bidder's, no ace would have been called, and the other way round.
            group = self.first if card.rank in self.first else self.then
            legal = tuple(each for each in legal if each.rank in group)
        where = {"field": "contract.called", "card": str(card)}
        code = "called-card-not-allowed"
        if held is not None and card in held and self.own is OwnCard.REFUSED:
            code = "called-own-card"
            message = say(
                "{card} is in the bidder's own hand; call a card that somebody else holds.",
                card=str(card),
            )
        elif self.plain and card.suit is trump and card.rank in self.first + self.then:
            message = say(
                "{card} is a trump; the called card must be of another suit.", card=str(card)
            )
        else:
            only = later("{card} cannot be called; it must be {first:or}.")
            spare = later(
                "{card} cannot be called; it must be {first:or}, or {then:or} when the bidder holds"
                " every one of those."
            )
            first, then = map(_ranks, (self.first, self.then))
            message = say(spare if then else only, card=str(card), first=first, then=then)
        return Violation(code, message, where, tuple(map(str, legal)))


_NAMES = {"A": say("an ace"), "K": say("a king")}


def _ranks(ranks: str) -> list[str]:
    """Name the ranks of which a card may be called."""
    return [_NAMES.get(rank, rank) for rank in ranks]
