"""The exchange of cards between the auction and the play, card by card.

Frog: the bidder takes up the widow and discards as many cards, which count for the bidder (002). Call solo:
the bidder gets the called card and returns any card to its former holder (000, 002); if it lies in the widow,
or with the bidder where that is allowed, nothing is exchanged.
"""

from enum import StrEnum
from typing import NamedTuple

from engine.cards.card_sets import BITS, cards_of
from engine.cards.cards import Card
from engine.errors import Refused, Violation
from engine.words.sentences import say

NOBODY = -1


class Trade(StrEnum):
    """The cards that are exchanged between the auction and the play."""

    WIDOW = "widow"
    """The bidder takes up the widow and discards as many cards, which count for the bidder (002)."""
    CALLED = "called"
    """The holder of the called card gives it and gets any card of the bidder's in return (000, 002)."""


class Exchanging(NamedTuple):
    """The exchange in progress, as a frozen value. Seats are counted from eldest hand.

    `owed` is the number of cards the bidder must still give away, to the seat `giver`, or `NOBODY` if they
    are discarded. `parted` are those given away so far.
    """

    seats: tuple[str, ...]
    hands: tuple[int, ...]
    bidder: int
    owed: int
    giver: int = NOBODY
    parted: tuple[Card, ...] = ()

    @classmethod
    def begin(
        cls,
        trade: Trade | None,
        seats: tuple[str, ...],
        hands: tuple[int, ...],
        bidder: int,
        *,
        widow: int = 0,
        called: Card | None = None,
    ) -> "Exchanging":
        """Return the exchange with the widow taken up, or the called card given, before a card is given away.

        `bidder` is a place; `hands` and `widow` are sets of cards (bits). The exchange is over at once if
        there is no trade, or no other seat holds the called card.
        """
        after = list(hands)
        if trade is Trade.WIDOW:
            after[bidder] |= widow
            return cls(seats, tuple(after), bidder, widow.bit_count())
        if trade is Trade.CALLED and called is not None:
            bit = BITS[called]
            for giver, hand in enumerate(hands):
                if hand & bit and giver != bidder:
                    after[giver] ^= bit
                    after[bidder] |= bit
                    return cls(seats, tuple(after), bidder, 1, giver)
        return cls(seats, hands, bidder, 0)

    @property
    def over(self) -> bool:
        """Whether the bidder owes no more cards."""
        return not self.owed

    @property
    def to_act(self) -> str | None:
        """The bidder's name; `None` if no cards are owed."""
        return self.seats[self.bidder] if self.owed else None

    @property
    def legal(self) -> tuple[Card, ...]:
        """Every card the bidder may give away: the whole hand (002); empty if none is owed."""
        return cards_of(self.hands[self.bidder]) if self.owed else ()

    def after(self, *cards: Card) -> "Exchanging":
        """Return the exchange after the bidder gives away one or several cards.

        They go to the seat that gave the called card, or are discarded. Raises `Refused` with the first that
        is not in the bidder's hand, or not owed.
        """
        state = self
        for card in cards:
            if not (state.owed and state.hands[state.bidder] & BITS[card]):
                raise Refused([state._problem(card)])
            hands = list(state.hands)
            hands[state.bidder] ^= BITS[card]
            if state.giver != NOBODY:
                hands[state.giver] |= BITS[card]
            state = state._replace(
                hands=tuple(hands), owed=state.owed - 1, parted=(*state.parted, card)
            )
        return state

    def _problem(self, card: Card) -> Violation:
        """Return the violation of a card that the bidder may not give away."""
        bidder = self.seats[self.bidder]
        key = "discarded" if self.giver == NOBODY else "returned"
        where: dict[str, str | int] = {
            "field": f"exchange.{key}",
            "seat": bidder,
            "card": str(card),
        }
        if not self.owed:
            message = say(
                "{seat} has no cards left to give, but gave {card}.", seat=bidder, card=card
            )
            return Violation("not-now", message, where)
        message = say("{seat} gave {card}, but did not hold it.", seat=bidder, card=card)
        return Violation("card-not-held", message, where, tuple(map(str, self.legal)))
