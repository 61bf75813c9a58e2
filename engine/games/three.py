"""Shared parts of the games for three active players (000, 002 and the rules sheet).

Each of three players gets eleven of the 36 cards, the widow three. Further players sit out, including the
dealer.
"""

from collections.abc import Iterable

from engine.cards.cards import FULL, Suit
from engine.cards.dealing import Packets
from engine.phases.bidding.auction import Procedure
from engine.rules.aims import Counting, Half
from engine.rules.bids import Bid
from engine.rules.card_points import CardPoints
from engine.rules.options import choice
from engine.rules.seating import Seating
from engine.rules.settlement import Settlement
from engine.rules.sheet import HouseRules, Rules
from engine.rules.tariffs import ByTrump

WIDOW = 3
TRICKS = 11

PLAIN_SUITS = (Suit.SPADES, Suit.DIAMONDS, Suit.CLUBS)
HEARTS = (Suit.HEARTS,)
NO_TRUMPS = ()

WITH_WIDOW = Counting("card points in tricks and widow")
IN_TRICKS = Counting("card points in tricks", outside=FULL.worths(WIDOW))

SAME_DEALER = "same-dealer"

ALL_PASS = choice(
    "all_pass",
    {"next-dealer": "the deal moves left", SAME_DEALER: "the same dealer deals again"},
    "When all pass, the cards are thrown in.",
    "sheet",
)
DEAL_PATTERN = choice(
    "deal_pattern",
    {"4-3-(3)-4": "4, 3, widow, 4", "4-(3)-3-4": "4, widow, 3, 4"},
    "The packets in which the cards are dealt.",
    "000",
)


def half(source: str) -> Half:
    """Return the aim of half the card points, 60, with those of the widow counted for the bidder."""
    return Half(ByTrump(FULL.total // 2), WITH_WIDOW, source)


def three_play(
    house: HouseRules,
    game: str,
    bids: tuple[Bid, ...],
    bidding: Procedure,
    settlement: Settlement,
    keys: Iterable[str] = (),
) -> Rules:
    """Return the rules of a game for three active players, built from its own parts and the shared ones.

    Shared are the full pack, eleven tricks, the count of card points, and the house rules for packets and
    all-pass.
    """
    return Rules(
        game=game,
        variant=house.variant,
        seats=house.seats,
        options=house.options,
        bids=bids,
        pack=FULL,
        seating=Seating(3),
        dealing=Packets(house["deal_pattern"]),
        bidding=bidding,
        tally=CardPoints(FULL, TRICKS),
        settlement=settlement,
        moves_on_all_pass=house["all_pass"] != SAME_DEALER,
        tricks=TRICKS,
        keys=frozenset(keys),
    )
