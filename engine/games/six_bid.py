"""Six-Bid Solo, after Hoyle (000, 001, 004) or pagat (002); three of 3 to 7 at the table play."""

from dataclasses import dataclass

from engine.aims import AtLeast, Counting, Everything, Half, NoPoints
from engine.cards import FULL, SUITS, Suit
from engine.contracts import BY_BIDDER, BY_OPPONENTS, Bid
from engine.options import choice, switch
from engine.rotation import Rotation
from engine.settlement import BidderAgainstAll
from engine.sheet import House, Rules, Sheet, Variant
from engine.table import SomePlay
from engine.tariffs import ByTrump, Flat, PerPoint
from engine.verdict import Outcome

WIDOW = 3
ACTIVE = 3
TRICKS = 11

PLAIN_SUITS = (Suit.SPADES, Suit.DIAMONDS, Suit.CLUBS)
HEARTS = (Suit.HEARTS,)
NO_TRUMPS = ()
SAME_DEALER = "same-dealer"

WITH_WIDOW = Counting("card points in tricks and widow")
IN_TRICKS = Counting("card points in tricks", outside=FULL.worths(WIDOW))

FIXED = (BY_OPPONENTS,)
EITHER = (BY_BIDDER, BY_OPPONENTS)


CALL = ByTrump(100, hearts=150)


@dataclass(frozen=True, slots=True)
class Tariffs:
    """What a variant pays. `level` is what exactly 60 counts as, when nothing moves."""

    solo: int
    heart_solo: int
    misere: int
    level: Outcome
    source: str
    guarantee: int = 40
    spread: int = 60
    call: ByTrump = CALL


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
    choice(
        "all_pass",
        {"next-dealer": "the deal moves left", SAME_DEALER: "the same dealer deals again"},
        "When all pass the cards are thrown in, and this says who deals next.",
        "sheet",
    ),
    choice(
        "auction",
        {"duel": "two at a time", "rotation": "round the table"},
        "Two players bid against each other until one passes, or the bidding goes round the table.",
        "002",
    ),
    choice(
        "deal_pattern",
        {"4-3-(3)-4": "4, 3, widow, 4", "4-(3)-3-4": "4, widow, 3, 4"},
        "The packets in which the cards are dealt; the bracket is the widow.",
        "000",
    ),
)


def _build(house: House) -> Rules:
    pays = TARIFFS[house.variant or "hoyle"]
    source = pays.source

    def per_point(rate: int) -> PerPoint:
        return PerPoint(ByTrump(rate), pays.level, source)

    def flat(price: int) -> Flat:
        return Flat(ByTrump(price), source)

    half = Half(FULL.total // 2, WITH_WIDOW, source)
    misere = NoPoints(IN_TRICKS, source, by_tricks=house["misere_by_tricks"] is True)
    guarantee = AtLeast(ByTrump(80, hearts=74), WITH_WIDOW, source)
    everything = Everything(FULL.total, WITH_WIDOW, source)
    solo_suits = SUITS if house["hearts_in_solo"] else PLAIN_SUITS
    return Rules(
        game="six-bid",
        variant=house.variant,
        seats=house.seats,
        options=house.options,
        bids=(
            Bid("solo", "Solo", solo_suits, half, per_point(pays.solo)),
            Bid("heart-solo", "Heart solo", HEARTS, half, per_point(pays.heart_solo)),
            Bid("misere", "Misère", NO_TRUMPS, misere, flat(pays.misere), concessions=EITHER),
            Bid(
                "guarantee",
                "Guarantee solo",
                SUITS,
                guarantee,
                flat(pays.guarantee),
                concessions=FIXED,
            ),
            Bid(
                "spread-misere",
                "Spread misère",
                NO_TRUMPS,
                misere,
                flat(pays.spread),
                concessions=EITHER,
            ),
            Bid(
                "call-solo",
                "Call solo",
                SUITS,
                everything,
                Flat(pays.call, source),
                calls_card=True,
                concessions=EITHER,
            ),
        ),
        pack=FULL,
        seating=SomePlay(ACTIVE),
        settlement=BidderAgainstAll(house["idle_paid_on_loss"] is True, source),
        rotation=Rotation(moves_on_all_pass=house["all_pass"] != SAME_DEALER),
        tricks=TRICKS,
        keys=frozenset({"exchange", "tricks_won"}),
    )


SIX_BID = Sheet(
    slug="six-bid",
    title="Six-Bid Solo",
    summary="Three play, up to four more sit out in turn; six bids from solo to call solo.",
    seats=tuple(range(3, 8)),
    options=OPTIONS,
    build=_build,
    variants=VARIANTS,
)
