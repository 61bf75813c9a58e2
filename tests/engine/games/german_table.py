"""A table of German Solo for the tests: fixed hands, and short ways to go through them."""

import pytest

from engine.cards.cards import Card, Suit, read_cards
from engine.errors import Refused
from engine.games import GAMES
from engine.guide.hand import GuidedHand, begin
from engine.guide.transcript import write_down
from engine.record import Call, Deal
from engine.rules.verdict import Verdict
from engine.scoring.score import score
from tests.engine.hands import NAMES

SHEET = GAMES["german-solo"]
PLAYERS = NAMES[:4]
ANN, BOB, CYD, DEE = PLAYERS

HANDS = {
    ANN: "QC 7D AD KD AS KS 8H 9C",
    BOB: "AH KH QH JH TH 9H 7H 8C",
    CYD: "QS QD JD TD 9D 8D AC KC",
    DEE: "JS TS 9S 8S 7S JC TC 7C",
}
"""Ann holds spadille, with diamonds trumps manille too; Cyd holds baste."""


TWO_QUEENS = {**HANDS, ANN: "QC 7D AD KD AS KS QS 9C", CYD: "8H QD JD TD 9D 8D AC KC"}


STRONG = {
    ANN: "8H 7D AD KD AS KS 9C TC",
    BOB: "QC 7H QS AH KH QH JH 8C",
    CYD: "TH QD JD TD 9D 8D AC KC",
    DEE: "9H JS TS 9S 8S 7S JC 7C",
}
"""With hearts trumps Bob has the seven highest of them, and the eight of clubs."""

FIRST_FIVE = "8H 7H TH 9H QC 8D 7S 7D QS 9D 8S 9C AH TD 9S TC KH JD TS KS"
ALL_BUT_ONE = f"{FIRST_FIVE} QH QD JS KD JH KC JC AD 8C AC 7C AS"


def opened(hands: dict[str, str] = HANDS, **options: object) -> GuidedHand:
    """Deal these hands; Dee deals, so that Ann speaks and leads first."""
    rules = SHEET.rules(None, options, 4)
    dealt = {seat: read_cards(cards) for seat, cards in hands.items()}
    return begin(rules, rules.table(PLAYERS, DEE)).deal(Deal(dealt))


def called(hand: GuidedHand, *calls: tuple[str, str]) -> GuidedHand:
    """Make calls."""
    for seat, call in calls:
        hand = hand.after(Call(seat, call))
    return hand


def passed(hand: GuidedHand, *seats: str) -> GuidedHand:
    """Let seats pass."""
    return called(hand, *((seat, "pass") for seat in seats))


def named(hand: GuidedHand, *names: str) -> GuidedHand:
    """Name suits (a letter) and cards (two) in turn."""
    for name in names:
        hand = hand.after(Suit(name) if len(name) == 1 else Card.parse(name))
    return hand


def played(hand: GuidedHand, cards: str) -> GuidedHand:
    """Play cards in turn."""
    for card in read_cards(cards):
        hand = hand.after(card)
    return hand


def frage(trump: str = "D", ace: str = "AH") -> GuidedHand:
    """Ann plays a frage."""
    return named(passed(called(opened(), (ANN, "frage")), BOB, CYD, DEE), trump, ace)


def written(hand: GuidedHand) -> dict[str, object]:
    """Write the hand down."""
    return write_down(hand).to_mapping()


def verdict(hand: GuidedHand) -> Verdict:
    """Write the hand down and score it."""
    return score(write_down(hand))


def refused(hand: GuidedHand, step: object) -> str:
    """The code with which a step is refused."""
    with pytest.raises(Refused) as error:
        hand.after(step)  # type: ignore[arg-type]
    return error.value.violations[0].code


def solo(cards: str) -> GuidedHand:
    """Bob plays a solo in hearts as far as these cards go."""
    hand = called(passed(opened(STRONG), ANN), (BOB, "solo"))
    return played(named(passed(hand, CYD, DEE), "H"), cards)
