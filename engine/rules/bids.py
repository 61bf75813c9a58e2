"""A bid: its trumps, aim, tariff and called card."""

from typing import NamedTuple

from engine.cards.cards import Card, Suit
from engine.phases.exchange import Trade
from engine.record.results import MADE, RESULT, ResultKey
from engine.rules.aims import Aim
from engine.rules.calling import Calling
from engine.rules.tariffs import Flat, Tariff

CONCEDED = RESULT["conceded"]
BY_BIDDER, BY_OPPONENTS = CONCEDED.words


class Bid(NamedTuple):
    """One contract that a game offers.

    `trumps` are the suits the bidder may name: none in a bid without trumps, one if the bid implies it.
    `concessions` are the sides that may give the hand up early. A `lead_only` bid belongs to the player on
    the lead.

    For the play: `trade` is the exchange of cards before it; in a bid that `is_spread` the next active seat
    left of the bidder leads, and the bidder's hand is laid open; a bid that is not `biddable` is not called
    in the auction (a forced or blind bid); with `partner_names_trump` the holder of the called card shows it
    and names trump.
    """

    slug: str
    title: str
    trumps: tuple[Suit, ...]
    aim: Aim
    tariff: Tariff
    calls: Calling | None = None
    has_partner: bool = False
    concessions: tuple[str, ...] = ()
    lead_only: bool = False
    trade: Trade | None = None
    is_spread: bool = False
    biddable: bool = True
    partner_names_trump: bool = False

    @property
    def calls_card(self) -> bool:
        """Whether the bidder names a called card in this bid."""
        return self.calls is not None

    @property
    def takes_widow(self) -> bool:
        """Whether the bidder takes the widow and discards as many cards."""
        return self.trade is Trade.WIDOW

    @property
    def takes_called(self) -> bool:
        """Whether the bidder gets the called card from its holder in exchange for another one."""
        return self.trade is Trade.CALLED

    @property
    def is_flat(self) -> bool:
        """Whether the bid has one price, for which no points need to be counted."""
        return isinstance(self.tariff, Flat)

    @property
    def counts(self) -> str:
        """The words for the points that the bid counts, such as "card points in tricks"."""
        return self.aim.counting.words

    def allows_trump(self, trump: Suit | None) -> bool:
        """Return whether a trump suit is valid in this bid.

        `None` is valid if the bid has no trumps, or only one suit to choose.
        """
        return trump in self.trumps or (trump is None and len(self.trumps) < 2)

    @property
    def result_keys(self) -> tuple[str, ...]:
        """The paths of the record's keys that decide the result, as the aim names them."""
        return self.aim.result_keys

    @property
    def questions(self) -> tuple[ResultKey, ...]:
        """The result keys that a form asks for, in order; `conceded` offers only the sides that may concede.

        If every card counts for one of the sides, the other side's points are among them as an alternative.
        With one price only `made` and, if a side may concede, `conceded` are asked for.
        """
        keys = {MADE} if self.is_flat else {*self.result_keys}
        if self.concessions:
            keys.add(CONCEDED.path)
        if self.aim.counting.counts_all:
            keys |= {key.path for key in RESULT.values() if key.other_side_of in keys}
        sides = tuple(choice for choice in CONCEDED.choices if choice.value in self.concessions)
        return tuple(
            key._replace(choices=sides) if key is CONCEDED else key
            for key in RESULT.values()
            if key.asked_if and key.path in keys
        )


class Undertaking(NamedTuple):
    """A contract that was checked against the rules, with its trump suit filled in."""

    bid: Bid
    bidder: str
    trump: Suit | None
    called: Card | None
    partner: str | None
    doubled: tuple[str, ...] = ()
    redoubled: tuple[str, ...] = ()
