"""Calling a card: which one the bidder may name, and what it means to name one of their own."""

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum

from engine.cards.cards import RANKS, Card, Suit
from engine.errors import Violation

Cards = Collection[Card]


class Own(StrEnum):
    """What happens when bidders name a card that they hold themselves."""

    ALONE = "alone"
    """They play alone, and nobody is told (crazy-solo, 002)."""
    REFUSED = "refused"
    """They may not (six-bid: decided in the rules sheet; german-solo, 003)."""
    NO_EXCHANGE = "no-exchange"
    """They may, and then nothing is exchanged (six-bid's house rule `call_own_card`)."""


@dataclass(frozen=True, slots=True)
class Calling:
    """The cards a bid may call.

    `first` are the ranks that may be called; only who holds every card of them calls one of `then`
    instead. With `plain` the trump suit is left out. With `must_play` whoever holds the called card
    must play it when its suit is led. A bid without this part calls no card.
    """

    own: Own
    first: str = RANKS
    then: str = ""
    plain: bool = False
    must_play: bool = False

    def choices(self, deck: Cards, trump: Suit | None, held: Cards | None) -> tuple[Card, ...]:
        """List the cards that may be called, `held` being the bidder's hand where it is known."""
        return tuple(card for card in deck if self.allows(card, deck, trump, held))

    def allows(self, card: Card, deck: Cards, trump: Suit | None, held: Cards | None) -> bool:
        """Whether a card of the deck may be called."""
        if self.plain and card.suit is trump:
            return False
        if self.own is Own.REFUSED and held is not None and card in held:
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
        where = {"field": "contract.called", "card": str(card)}
        code = "called-card-not-allowed"
        if held is not None and card in held and self.own is Own.REFUSED:
            code = "called-own-card"
            message = f"{card} is in the bidder's own hand; call a card that somebody else holds."
        elif self.plain and card.suit is trump:
            message = f"{card} is a trump; the called card must be of another suit."
        else:
            message = f"{card} cannot be called; {_wanted(self.first, self.then)}."
        return Violation(code, message, where, tuple(map(str, legal)))


_NAMES = {"A": "an ace", "K": "a king"}


def _wanted(first: str, then: str) -> str:
    """Say which ranks may be called."""
    ranks, spare = (
        " or ".join(_NAMES.get(rank, f"an {rank}") for rank in each) for each in (first, then)
    )
    more = f", or {spare} when the bidder holds every one of those" if then else ""
    return f"it must be {ranks}{more}"
