"""A bid: its trumps, what it undertakes, what it costs, and whom it calls."""

from dataclasses import dataclass
from typing import NamedTuple

from engine.aims import Aim
from engine.cards import Card, Suit
from engine.tariffs import Tariff

BY_BIDDER = "bidder"
BY_OPPONENTS = "opponents"
PASS = "pass"  # noqa: S105 - the call, no secret


@dataclass(frozen=True, slots=True)
class Bid:
    """One contract that a game offers.

    `trumps` are the suits the bidder may name: none for a bid without trumps, one where the bid
    itself says it. `concessions` says who may give the hand up early. A bid that is `lead_only`
    belongs to whoever is on the lead.
    """

    slug: str
    title: str
    trumps: tuple[Suit, ...]
    aim: Aim
    tariff: Tariff
    calls_card: bool = False
    has_partner: bool = False
    concessions: tuple[str, ...] = ()
    lead_only: bool = False

    @property
    def concedable(self) -> bool:
        """Whether the bidder may give up early, for the price of a loss."""
        return BY_BIDDER in self.concessions

    @property
    def counts(self) -> str:
        """What `points` counts, in plain words."""
        return self.aim.counting.words

    @property
    def needs_points(self) -> bool:
        """Whether the card points must be stated."""
        return "points" in self.aim.asks

    @property
    def needs_tricks_won(self) -> bool:
        """Whether, without points, the number of tricks must be stated, too."""
        return "tricks_won" in self.aim.asks


class Undertaking(NamedTuple):
    """A contract checked against its game: who plays what, with whom."""

    bid: Bid
    bidder: str
    trump: Suit | None
    called: Card | None
    partner: str | None
