"""Crazy Solo, for 3 to 12 players (002 and the rules sheet)."""

from engine.cards.cards import FULL, SUITS, Pack, Suit
from engine.cards.dealing import Singly
from engine.phases.bidding.procedures import OneRound
from engine.rules.aims import Counting, Half
from engine.rules.bids import Bid
from engine.rules.calling import Calling, OwnCard
from engine.rules.card_points import CardPoints
from engine.rules.options import choice, switch
from engine.rules.seating import BLIND, Seating
from engine.rules.settlement import GangSplit
from engine.rules.sheet import HouseRules, Rules, Sheet
from engine.rules.tariffs import ByTrump, PerPoint
from engine.rules.verdict import Outcome

SOURCE = "002"

STACK = 150
"""The chips each player starts with (002)."""

PACKS: dict[int, Pack] = {
    5: FULL.without(cards="6S"),
    7: FULL.without(cards="6S"),
    8: FULL.without(ranks="6"),
    10: FULL.without(ranks="6", cards="7S 7C"),
    11: FULL.without(cards="6S 6C 6D"),
}
"""The packs with fewer than 36 cards, by number of players."""

SHORT = FULL.without(ranks="678")

PLAIN_SUITS = (Suit.SPADES, Suit.DIAMONDS, Suit.CLUBS)
HEARTS = (Suit.HEARTS,)

OPTIONS = (
    switch(
        "hearts_in_solo",
        True,
        "Hearts may be trumps in a plain solo or go-alone, too, at the rate for hearts.",
        "sheet",
    ),
    choice(
        "rounding",
        {5: "to the nearest 5", 0: "not rounded"},
        "How each payment is rounded.",
        SOURCE,
    ),
    switch(
        "short_deck",
        False,
        "Three players leave out the sixes, sevens and eights and play with 24 cards.",
        SOURCE,
    ),
)

TWO_SIDES = Counting("card points of caller and partner")
ALONE = Counting("card points of the caller")


def _build(house: HouseRules) -> Rules:
    pack = SHORT if house.seats == 3 and house["short_deck"] else PACKS.get(house.seats, FULL)
    nearest = house["rounding"]
    # Each point counts 3 if hearts are trumps, in any bid.
    tariff = PerPoint(ByTrump(2, hearts=3), Outcome.TIED, SOURCE, nearest)
    any_suit = SUITS if house["hearts_in_solo"] else PLAIN_SUITS
    with_partner = house.seats > 3
    tricks = len(pack.cards) // house.seats

    def bid(
        slug: str, title: str, trumps: tuple[Suit, ...], *, alone: bool = False, blind: bool = False
    ) -> Bid:
        partner = with_partner and not alone
        return Bid(
            slug,
            title,
            trumps,
            Half(ByTrump(60), TWO_SIDES if partner else ALONE, SOURCE),
            tariff,
            Calling(OwnCard.ALONE) if partner else None,
            partner,
            lead_only=blind,
            biddable=not blind,
        )

    partnered = (bid("solo", "Solo", any_suit), bid("solo-in-hearts", "Solo in hearts", HEARTS))
    return Rules(
        game="crazy-solo",
        variant=house.variant,
        seats=house.seats,
        options=house.options,
        bids=(
            *(partnered if with_partner else ()),
            bid("go-alone", "Go alone", any_suit, alone=True),
            bid("go-alone-in-hearts", "Go alone in hearts", HEARTS, alone=True),
            bid(BLIND, "Blind", HEARTS, blind=True),
        ),
        pack=pack,
        seating=Seating(),
        dealing=Singly(spit=0 if house.seats == 3 else len(FULL.cards) - len(pack.cards)),
        bidding=OneRound(repeats={"solo-in-hearts": house.seats}, opening=BLIND),
        tally=CardPoints(pack, tricks),
        settlement=GangSplit(SOURCE),
        moves_on_all_pass=False,
        tricks=tricks,
        keys=frozenset({"spit", "blind_round"}),
    )


CRAZY_SOLO = Sheet(
    slug="crazy-solo",
    title="Crazy Solo",
    summary="Three to twelve play; whoever holds the card the caller names is the secret partner.",
    seats=tuple(range(3, 13)),
    options=OPTIONS,
    build=_build,
    stack=STACK,
    bidder="caller",
)
