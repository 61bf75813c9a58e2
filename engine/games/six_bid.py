"""Six-Bid Solo, after Hoyle (000, 001, 004) or pagat (002), for three of 3 to 7 at the table."""

from typing import NamedTuple

from engine.cards.cards import FULL, SUITS
from engine.games.three import (
    ALL_PASS,
    DEAL_PATTERN,
    HEARTS,
    IN_TRICKS,
    NO_TRUMPS,
    PLAIN_SUITS,
    WITH_WIDOW,
    half,
    three_play,
)
from engine.phases.bidding.procedures import IN_TURN, Duel
from engine.phases.exchange import Trade
from engine.rules.aims import AtLeast, NoPoints
from engine.rules.bids import BY_BIDDER, BY_OPPONENTS, Bid
from engine.rules.calling import Calling, OwnCard
from engine.rules.options import choice, switch
from engine.rules.settlement import BidderAgainstAll
from engine.rules.sheet import HouseRules, Rules, Sheet, Variant
from engine.rules.tariffs import ByTrump, Flat, PerPoint
from engine.rules.verdict import Outcome

FIXED = (BY_OPPONENTS,)
EITHER = (BY_BIDDER, BY_OPPONENTS)

ALL_OR_NOT = ("everything-made", "everything-missed")
GUARANTEE, SPREAD, CALL = 40, 60, ByTrump(100, hearts=150)
"""The prices of these contracts in both variants."""


class Tariffs(NamedTuple):
    """A variant's prices. `level` is the outcome of exactly 60, for which nothing is paid."""

    solo: int
    heart_solo: int
    misere: int
    level: Outcome
    source: str


TARIFFS = {
    "hoyle": Tariffs(solo=1, heart_solo=2, misere=40, level=Outcome.WON, source="000"),
    "pagat": Tariffs(solo=2, heart_solo=3, misere=30, level=Outcome.TIED, source="002"),
}
"""The two tariffs are never mixed (decided in the rules sheet)."""

VARIANTS = (
    Variant(
        "hoyle",
        "Hoyle",
        "Solo counts 1 a point and heart solo 2, a misère 40; exactly 60 is won and pays nothing.",
        {"hearts_in_solo": False},
    ),
    Variant(
        "pagat",
        "Pagat",
        "Solo counts 2 a point and heart solo 3, a misère 30; exactly 60 is tied.",
        {"hearts_in_solo": True},
    ),
)

OPTIONS = (
    switch(
        "hearts_in_solo",
        False,
        "Hearts may be trumps in a plain solo, at the plain solo's rate.",
        "002",
    ),
    switch(
        "idle_paid_on_loss",
        True,
        "A lost hand is paid to everyone at the table, those who sit out included.",
        "000",
    ),
    switch(
        "misere_by_tricks",
        False,
        "Any trick breaks a misère, even one without card points.",
        "sheet",
    ),
    switch(
        "call_own_card",
        False,
        "In call solo the bidder may call a card of their own, and nothing is exchanged.",
        "sheet",
    ),
    ALL_PASS,
    choice(
        "auction",
        {"duel": "two at a time", "rotation": "round the table"},
        "How the bidding goes.",
        "002",
    ),
    DEAL_PATTERN,
)


def _build(house: HouseRules) -> Rules:
    pays = TARIFFS[house.variant or "hoyle"]
    source = pays.source

    def per_point(rate: int) -> PerPoint:
        return PerPoint(ByTrump(rate), pays.level, source)

    def flat(price: int) -> Flat:
        return Flat(ByTrump(price), source)

    sixty = half(source)
    misere = NoPoints(IN_TRICKS, source, by_tricks=house["misere_by_tricks"])
    guarantee = AtLeast(ByTrump(80, hearts=74), WITH_WIDOW, source)
    everything = AtLeast(ByTrump(FULL.total), WITH_WIDOW, source, steps=ALL_OR_NOT)
    own = OwnCard.NO_EXCHANGE if house["call_own_card"] else OwnCard.REFUSED
    solo_suits = SUITS if house["hearts_in_solo"] else PLAIN_SUITS
    return three_play(
        house,
        "six-bid",
        (
            Bid("solo", "Solo", solo_suits, sixty, per_point(pays.solo)),
            Bid("heart-solo", "Heart solo", HEARTS, sixty, per_point(pays.heart_solo)),
            Bid("misere", "Misère", NO_TRUMPS, misere, flat(pays.misere), concessions=EITHER),
            Bid(
                "guarantee", "Guarantee solo", SUITS, guarantee, flat(GUARANTEE), concessions=FIXED
            ),
            Bid(
                "spread-misere",
                "Spread misère",
                NO_TRUMPS,
                misere,
                flat(SPREAD),
                is_spread=True,
                concessions=EITHER,
            ),
            Bid(
                "call-solo",
                "Call solo",
                SUITS,
                everything,
                Flat(CALL, source),
                calls=Calling(own),
                trade=Trade.CALLED,
                concessions=EITHER,
            ),
        ),
        IN_TURN if house["auction"] == "rotation" else Duel(),
        BidderAgainstAll(house["idle_paid_on_loss"], source),
        {"tricks_won"},
    )


SIX_BID = Sheet(
    slug="six-bid",
    title="Six-Bid Solo",
    other_names=("Salt Lake Solo", "American Solo"),  # 000
    summary="Three play, up to four more sit out in turn; six bids from solo to call solo.",
    seats=tuple(range(3, 8)),
    options=OPTIONS,
    build=_build,
    variants=VARIANTS,
)
