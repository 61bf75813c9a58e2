"""The deal in progress: packet after packet, card by card, to the seats and the widow."""

from itertools import groupby
from typing import NamedTuple

from engine.cards.card_sets import BITS, cards_of
from engine.cards.dealing import WIDOW
from engine.errors import Refused, Violation
from engine.phases.actions import DealtCard
from engine.words.sentences import say, word


class HandingOut(NamedTuple):
    """The deal in progress, as a frozen value. `places` holds the destination of each card, in order.

    `hands` holds the cards dealt so far to each seat, from eldest hand, and then those of the widow.
    """

    seats: tuple[str, ...]
    dealer: str
    pack: int
    places: tuple[str, ...]
    hands: tuple[int, ...]
    dealt_count: int = 0

    @classmethod
    def begin(
        cls, seats: tuple[str, ...], dealer: str, pack: int, packets: tuple[tuple[str, int], ...]
    ) -> "HandingOut":
        """Return the deal with no card dealt; `packets` are the places and sizes in dealing order.

        `seats` begin with eldest hand; `pack` is the set of cards (bits) to deal.
        """
        places = tuple(place for place, count in packets for _ in range(count))
        return cls(seats, dealer, pack, places, (0,) * (len(seats) + 1))

    @property
    def over(self) -> bool:
        """Whether every card has been dealt."""
        return self.dealt_count == len(self.places)

    @property
    def to_act(self) -> str | None:
        """The dealer's name; `None` if all cards are dealt."""
        return None if self.over else self.dealer

    @property
    def left(self) -> int:
        """The set (bits) of cards still to be dealt."""
        return self.pack & ~sum(self.hands)

    @property
    def packets(self) -> tuple[tuple[str, int], ...]:
        """The packets still to be dealt: a place and its number of cards each, in order.

        Neighbouring packets of one place are one.
        """
        rest = groupby(self.places[self.dealt_count :])
        return tuple((place, sum(1 for _ in cards)) for place, cards in rest)

    @property
    def legal(self) -> tuple[DealtCard, ...]:
        """Each `DealtCard` that may be next: the place in turn with each card left, by suit from ace to six.

        Empty if all are dealt.
        """
        if self.over:
            return ()
        place = self.places[self.dealt_count]
        return tuple(DealtCard(place, card) for card in cards_of(self.left))

    def after(self, action: DealtCard) -> "HandingOut":
        """Return the deal after one more card.

        Raises `Refused` if its place is not the next in the packets, or the card is not in the pack or was
        dealt.
        """
        place, card = action
        number = self.dealt_count + 1
        next_place = None if self.over else self.places[self.dealt_count]
        field = "deal.widow" if place == WIDOW else f"deal.hands.{place}"
        where: dict[str, str | int] = {"field": field, "card": str(card)}
        if place != next_place:
            message = say(
                "Card {number} of the deal goes to {due}, not to {place}.",
                number=number,
                due=_place_name(next_place),
                place=_place_name(place),
            )
            if next_place is None:
                message = say(
                    "All cards are dealt; {place} gets no more.", place=_place_name(place)
                )
            raise Refused(
                [
                    Violation(
                        "deal-order", message, where, () if next_place is None else (next_place,)
                    )
                ]
            )
        if not self.pack & BITS[card]:
            message = say("{card} is not in the pack.", card=card)
            raise Refused([Violation("card-not-in-pack", message, where)])
        if not self.left & BITS[card]:
            message = say("{card} was already dealt.", card=card)
            raise Refused([Violation("card-dealt-twice", message, where)])
        at = len(self.seats) if place == WIDOW else self.seats.index(place)
        hands = list(self.hands)
        hands[at] |= BITS[card]
        return self._replace(hands=tuple(hands), dealt_count=number)


def _place_name(place: str | None) -> str | None:
    """Return a place that cards are dealt to for a message: a seat's name, or the widow as a word."""
    return word(WIDOW) if place == WIDOW else place
