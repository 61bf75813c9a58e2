"""Frog (002) and Straight Solo, which is Frog without its lowest bid; both for three."""

from collections.abc import Mapping

from engine.cards.cards import SUITS
from engine.games.three import ALL_PASS, DEAL_PATTERN, HEARTS, PLAIN_SUITS, half, three_play
from engine.phases.bidding.auction import Procedure
from engine.phases.bidding.procedures import IN_TURN, Duel, OneRound
from engine.phases.exchange import Trade
from engine.rules.bids import Bid
from engine.rules.options import choice, switch
from engine.rules.settlement import BidderAgainstAll
from engine.rules.sheet import HouseRules, Rules, Sheet
from engine.rules.tariffs import ByTrump, PerPoint
from engine.rules.verdict import Outcome

SOURCE = "002"

AUCTION = choice(
    "auction",
    {
        "rotation": "round the table until all but one have passed",
        "duel": "two at a time",
        "one-round": "one call each",
    },
    "How the bidding goes.",
    "sheet",
)
"""The source only lists the bids; the procedures are decided in the rules sheet."""

PROCEDURES: Mapping[str, Procedure] = {"rotation": IN_TURN, "duel": Duel(), "one-round": OneRound()}

FROG_OPTIONS = (
    switch("hearts_in_chico", True, "Hearts may be trumps in chico, too, at chico's rate.", SOURCE),
    choice(
        "grand_multiplier",
        {3: "3 a point", 4: "4 a point"},
        "What grand counts for each point over or under 60.",
        "sheet",
    ),
    ALL_PASS,
    AUCTION,
    DEAL_PATTERN,
)
"""Grand counts 3 a point in the source (002); the choice of 4 comes from the rules sheet."""

STRAIGHT_OPTIONS = (
    switch(
        "hearts_in_solo",
        True,
        "Hearts may be trumps in a plain solo, too, at the plain solo's rate.",
        "sheet",
    ),
    ALL_PASS,
    AUCTION,
    DEAL_PATTERN,
)


def _tariff(rate: int) -> PerPoint:
    """Return a tariff of `rate` for each point above or below 60, not rounded; exactly 60 is tied."""
    return PerPoint(ByTrump(rate), Outcome.TIED, SOURCE)


def _build_frog(house: HouseRules) -> Rules:
    chico = SUITS if house["hearts_in_chico"] else PLAIN_SUITS
    grand = house["grand_multiplier"]
    return _rules(
        house,
        "frog",
        Bid("frog", "Frog", HEARTS, half(SOURCE), _tariff(1), trade=Trade.WIDOW),
        Bid("chico", "Chico", chico, half(SOURCE), _tariff(2)),
        Bid("grand", "Grand", HEARTS, half(SOURCE), _tariff(grand)),
    )


def _build_straight(house: HouseRules) -> Rules:
    solo = SUITS if house["hearts_in_solo"] else PLAIN_SUITS
    return _rules(
        house,
        "straight-solo",
        Bid("solo", "Solo", solo, half(SOURCE), _tariff(2)),
        Bid("heart-solo", "Heart solo", HEARTS, half(SOURCE), _tariff(3)),
    )


def _rules(house: HouseRules, game: str, *bids: Bid) -> Rules:
    """Return the rules for three with these bids; only opponents are paid, never idle players."""
    return three_play(
        house,
        game,
        bids,
        PROCEDURES[house["auction"]],
        BidderAgainstAll(idle_paid_on_loss=False, source=SOURCE),
    )


FROG = Sheet(
    slug="frog",
    title="Frog",
    summary="Three play; frog takes up the widow, chico and grand leave it face down.",
    seats=(3,),
    options=FROG_OPTIONS,
    build=_build_frog,
)

STRAIGHT_SOLO = Sheet(
    slug="straight-solo",
    title="Straight Solo",
    summary=(
        "Experimental: the sources say only that it is Frog without the frog. Three play, solo or"
        " heart solo."
    ),
    seats=(3,),
    options=STRAIGHT_OPTIONS,
    build=_build_straight,
    experimental=True,
)
