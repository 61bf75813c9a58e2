"""What the games for three active players share (000, 002 and the rules sheet).

Thirty-six cards, eleven to each of three seats and three to the widow. With more players at the table
the rest sit out, the dealer among them.
"""

from engine.cards.cards import FULL, Suit
from engine.cards.dealing import Packets
from engine.rules.aims import Counting, Half
from engine.rules.card_points import CardPoints
from engine.rules.options import choice
from engine.rules.seating import SomePlay
from engine.rules.sheet import House

WIDOW = 3
TRICKS = 11
THREE_PLAY = SomePlay(3)
POINTS = CardPoints(FULL, TRICKS)

PLAIN_SUITS = (Suit.SPADES, Suit.DIAMONDS, Suit.CLUBS)
HEARTS = (Suit.HEARTS,)
NO_TRUMPS = ()

WITH_WIDOW = Counting("card points in tricks and widow")
IN_TRICKS = Counting("card points in tricks", outside=FULL.worths(WIDOW))

SAME_DEALER = "same-dealer"

ALL_PASS = choice(
    "all_pass",
    {"next-dealer": "the deal moves left", SAME_DEALER: "the same dealer deals again"},
    "When all pass the cards are thrown in, and this says who deals next.",
    "sheet",
)
DEAL_PATTERN = choice(
    "deal_pattern",
    {"4-3-(3)-4": "4, 3, widow, 4", "4-(3)-3-4": "4, widow, 3, 4"},
    "The packets in which the cards are dealt; the bracket is the widow.",
    "000",
)


def half(source: str) -> Half:
    """Take half the card points, 60, widow included."""
    return Half(FULL.total // 2, WITH_WIDOW, source)


def moves_on_all_pass(house: House) -> bool:
    """Whether the deal moves left when all pass: as the table has agreed."""
    return house["all_pass"] != SAME_DEALER


def dealing(house: House) -> Packets:
    """Deal in the packets that the table has agreed on."""
    return Packets(str(house["deal_pattern"]))
