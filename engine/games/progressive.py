"""Progressive or Denver Solo, after Pennycook or Hoyle (000), for three of 3 to 7 at the table."""

from engine.cards.cards import Suit
from engine.games.three import ALL_PASS, DEAL_PATTERN, HEARTS, half, three_play
from engine.phases.bidding.procedures import DOUBLING
from engine.phases.exchange import Trade
from engine.rules.bids import Bid
from engine.rules.options import amount, choice, group, switch
from engine.rules.pots import FROG_POT, SOLO_POT, WithPots
from engine.rules.settlement import BidderAgainstAll, Settlement
from engine.rules.sheet import HouseRules, Rules, Sheet, Variant
from engine.rules.tariffs import ByTrump, PerPoint
from engine.rules.verdict import Outcome

SOURCE = "000"

VARIANTS = (
    Variant(
        "pennycook",
        "Pennycook",
        "Only the two opponents are paid; where there are pots, both take the same stake.",
        {"pots.solo_factor": 1, "idle_paid_on_loss": False},
    ),
    Variant(
        "hoyle",
        "Hoyle",
        "A loss is paid to those who sit out, too; where there are pots, the solo pot takes a double stake.",
        {"pots.solo_factor": 2, "idle_paid_on_loss": True},
    ),
)

OPTIONS = (
    switch(
        "idle_paid_on_loss",
        False,
        "A lost hand is paid to those who sit out, too, once; doubling never touches them.",
        SOURCE,
    ),
    group(
        "pots",
        (
            amount(
                "stake", 1, (1, 10**6), "What every seat antes to the frog pot each deal.", SOURCE
            ),
            amount(
                "solo_factor", 1, (1, 100), "How many times as much goes to the solo pot.", SOURCE
            ),
            choice(
                "on_loss",
                {"stay": "it stays", "match": "the bidder adds as much as it holds"},
                "What a lost contract does to its pot.",
                "sheet",
            ),
        ),
        "Everybody antes to a frog pot and a solo pot each deal; a won contract takes its pot.",
        SOURCE,
    ),
    ALL_PASS,
    DEAL_PATTERN,
)

CONTRACTS = (
    ("frog", "Frog", HEARTS, 1, FROG_POT),
    ("spade-solo", "Spade solo", (Suit.SPADES,), 2, SOLO_POT),
    ("club-solo", "Club solo", (Suit.CLUBS,), 3, SOLO_POT),
    ("diamond-solo", "Diamond solo", (Suit.DIAMONDS,), 4, SOLO_POT),
    ("heart-solo", "Heart solo", HEARTS, 5, SOLO_POT),
)
"""From low to high: slug, title, trumps, the rate of a point over or under 60, and the pot."""


def _settlement(house: HouseRules) -> Settlement:
    """Return the payments of a bidder against all, with pots if the table plays with them."""
    between_seats = BidderAgainstAll(house["idle_paid_on_loss"], SOURCE)
    pots = house["pots"]
    if not pots:
        return between_seats
    return WithPots(
        between_seats,
        {slug: pot for slug, _, _, _, pot in CONTRACTS},
        stake=pots["stake"],
        solo_factor=pots["solo_factor"],
        match=pots["on_loss"] == "match",
        source=SOURCE,
    )


def _build(house: HouseRules) -> Rules:
    # Exactly 60 is won, but pays nothing.
    bids = tuple(
        Bid(
            slug,
            title,
            trumps,
            half(SOURCE),
            PerPoint(ByTrump(rate), Outcome.WON, SOURCE),
            trade=Trade.WIDOW if slug == "frog" else None,
        )
        for slug, title, trumps, rate, _ in CONTRACTS
    )
    pots = ("pots",) if house["pots"] else ()
    keys = ("contract.doubled", "contract.redoubled", *pots)
    return three_play(house, "progressive", bids, DOUBLING, _settlement(house), keys)


PROGRESSIVE = Sheet(
    slug="progressive",
    title="Progressive Solo",
    other_names=("Denver Solo", "Denver Progressive Solo", "Denver Athletic Club"),  # 001
    summary="Three play, up to four more sit out; frog and four solos, which may be doubled.",
    seats=tuple(range(3, 8)),
    options=OPTIONS,
    build=_build,
    variants=VARIANTS,
)
