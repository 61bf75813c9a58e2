"""German Solo by Altenburg's rules, or Münsterland's Sollo (003 and the rules sheet), for four.

Hands earn scores, not payments: the declarer's side gains or loses, the defenders score nothing.
"""

from collections.abc import Mapping

from engine.cards.cards import FULL, SUITS, Card, Pack, Suit
from engine.cards.dealing import Packets
from engine.cards.ranking import BLACK_QUEENS, MATADOR_RANKS, all_of
from engine.phases.bidding.procedures import Duel, Duty
from engine.rules.bids import Bid
from engine.rules.calling import Calling, OwnCard
from engine.rules.options import choice, switch
from engine.rules.plain_tricks import (
    ALONE_KEYS,
    ANNOUNCED_TOUT,
    OWN_MATADORS,
    PRIME,
    RESULT_KEYS,
    THEIR_MATADORS,
    TOUT,
    MostTricks,
    PlainTricks,
)
from engine.rules.seating import Seating
from engine.rules.settlement import SideScores
from engine.rules.sheet import SCORE, HouseRules, Rules, Sheet, Variant
from engine.rules.tariffs import BaseAndFeats

SOURCE = "003"
FORCE = "force"

DEALT: dict[str, tuple[Pack, Packets, int]] = {
    "altenburg": (Pack(FULL.without(ranks="6").cards, {}), Packets("3-2-3"), 5),
    "sollo": (Pack(FULL.without(ranks="689").cards, {}), Packets("3-3"), 4),
}
"""Each variant's pack (32 cards, or 24 without eights and nines, all without points), its packets, and the
tricks that the declarer's side needs, of 8 or 6. Dealing six cards in two packets of three is our reading;
the source does not mention it."""

VARIANTS = (
    Variant(
        "altenburg",
        "Altenburg",
        "32 cards and eight tricks, of which the declarer's side needs five.",
    ),
    Variant(
        "sollo",
        "Sollo",
        "24 cards, without eights and nines, and six tricks, of which the declarer's side needs four.",
    ),
)

OPTIONS = (
    choice(
        "solo_base",
        {6: "6 points", 2: "2 points"},
        "What a solo counts before anything is added.",
        SOURCE,
    ),
    switch(
        "matadors_own_side_only",
        False,
        "The 2 for the matadors count only when the declarer's own side was dealt them.",
        "sheet",
    ),
    switch("matadors_on_loss", True, "The 2 for the matadors count on a loss, too.", "sheet"),
    switch("clubs_preference", True, "Of two equal bids the one in clubs is higher.", SOURCE),
    choice(
        "eldest_opens",
        {"any": "with any bid", "frage": "with Frage, or passes"},
        "How eldest hand may open.",
        SOURCE,
    ),
    choice(
        "grossfrage_duty",
        {
            "black-queens": "both black queens",
            "spadille-and-a-seven": "the queen of clubs and any seven",
            "none": "nothing",
        },
        "What a player must have been dealt to owe a grossfrage, unless solo is bid.",
        "sheet",
    ),
    switch(
        "called_card_leads",
        True,
        "Whoever holds the called card and leads its suit leads that card.",
        SOURCE,
    ),
)
"""The rules sheet decides that matadors count on a loss: the source mentions a bonus for the winners, but
also subtracts the base value plus any scores on a loss."""

FEATS = {PRIME: 2, TOUT: 4, ANNOUNCED_TOUT: 6, OWN_MATADORS: 2, THEIR_MATADORS: 2}
"""What each feat adds to the contract's base, made or not."""

MATADORS = frozenset((OWN_MATADORS, THEIR_MATADORS))

AN_ACE = Calling(OwnCard.REFUSED, first="A", then="K", plain=True, must_play=True)
"""The declarer calls a plain ace they don't have, or a plain king if they hold all four aces. It must be
played when its suit is led, even by its holder: the source makes no exception."""


DUTIES: Mapping[str, Duty | None] = {
    "black-queens": Duty("grossfrage", "solo", (BLACK_QUEENS,)),
    "spadille-and-a-seven": Duty(
        "grossfrage", "solo", tuple(all_of(f"QC 7{suit.value}") for suit in SUITS)
    ),
    "none": None,
}
"""The cards that oblige their holder to bid, by option. The source names spadille and manille, but the
manille is not known before trumps are (decided in the rules sheet)."""


def _build(house: HouseRules) -> Rules:
    variant = house.variant or "altenburg"
    pack, packets, needed = DEALT[variant]
    tricks = len(pack.cards) // house.seats
    aim, alone_aim = (
        MostTricks(needed, tricks, SOURCE, result_keys=keys) for keys in (RESULT_KEYS, ALONE_KEYS)
    )
    feats = dict(FEATS)
    if house["matadors_own_side_only"]:
        del feats[THEIR_MATADORS]

    duty = DUTIES[house["grossfrage_duty"]]
    winners_only = frozenset() if house["matadors_on_loss"] else MATADORS
    an_ace = AN_ACE._replace(must_lead=house["called_card_leads"])

    def bid(slug: str, title: str, base: int, *, alone: bool = False) -> Bid:
        return Bid(
            slug,
            title,
            SUITS,
            alone_aim if alone else aim,
            BaseAndFeats(title, base, feats, SOURCE, winners_only),
            calls=None if alone else an_ace,
            has_partner=not alone,
            biddable=slug != FORCE,
            partner_names_trump=slug in (FORCE, "grossfrage"),
        )

    return Rules(
        game="german-solo",
        variant=variant,
        seats=house.seats,
        options=house.options,
        bids=(
            bid(FORCE, "Force", 1),
            bid("frage", "Frage", 2),
            bid("grossfrage", "Grossfrage", 3),
            bid("solo", "Solo", house["solo_base"], alone=True),
        ),
        pack=pack,
        seating=Seating(),
        dealing=packets,
        bidding=Duel(
            hold=True,
            preferred=Suit.CLUBS if house["clubs_preference"] else None,
            opening=None if house["eldest_opens"] == "any" else "frage",
        ),
        may_declare_more=True,
        ranking=MATADOR_RANKS,
        duty=duty and duty._replace(ends_when_bid=house.before("grossfrage-duty-lasts")),
        tally=PlainTricks(tricks, stops_after=needed),
        settlement=SideScores(SOURCE),
        moves_on_all_pass=True,
        tricks=tricks,
        all_pass=FORCE,
        forcing=Card.parse("QC"),
    )


GERMAN_SOLO = Sheet(
    slug="german-solo",
    title="German Solo",
    other_names=("Deutsches Solo", "German Ombre", "Sollo"),  # 003
    summary="Four play for tricks; a called ace is the secret partner, and the black queens are trumps.",
    seats=(4,),
    options=OPTIONS,
    build=_build,
    variants=VARIANTS,
    bidder="declarer",
    unit=SCORE,
)
