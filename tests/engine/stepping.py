"""Deals to step through by hand, and short ways to do it."""

from collections.abc import Callable

import pytest

from engine.cards.cards import Card, Suit, read_cards
from engine.errors import Refused, Violation
from engine.games import find
from engine.guide.hand import GuidedHand, begin
from engine.phases.actions import Action
from engine.phases.bidding.auction import Auction
from engine.record import Call, Deal
from tests.engine.hands import NAMES

SUITS_DEALT = {
    "Ann": "AS TS KS QS JS 9S 8S 7S 6S",
    "Bob": "AH TH KH QH JH 9H 8H 7H 6H",
    "Cyd": "AD TD KD QD JD 9D 8D 7D 6D",
    "Dee": "AC TC KC QC JC 9C 8C 7C 6C",
}
"""Four-handed crazy-solo with a whole suit each."""

THREE = {
    "Ann": "AS TS KS QS JS 9S 8S 7S 6S AH TH",
    "Bob": "KH QH JH 9H 8H 7H 6H AC TC KC QC",
    "Cyd": "JC 9C 8C 7C 6C AD TD KD QD JD 9D",
}
"""Three hands of eleven; 8♦ 7♦ 6♦ lie in the widow."""


def at_table(game: str, seats: int, **options: object) -> GuidedHand:
    """Open a hand; the last seat deals."""
    rules = find(game).rules(None, options, seats)
    return begin(rules, rules.table(NAMES[:seats], NAMES[seats - 1]))


def dealt(game: str, hands: dict[str, str], **options: object) -> GuidedHand:
    """Open a hand with the cards dealt."""
    cards = {seat: read_cards(holding) for seat, holding in hands.items()}
    return at_table(game, len(hands), **options).deal(Deal(dict(cards)))


def steps(hand: GuidedHand, *actions: str) -> GuidedHand:
    """Let the seat to act take each action: a call, a card, or a suit."""
    for each in actions:
        action: Action
        if isinstance(hand.phase, Auction):
            action = Call(str(hand.to_act), each)
        else:
            action = Suit.parse(each) if len(each) == 1 else Card.parse(each)
        hand = hand.after(action)
    return hand


def refused(step: Callable[[], object]) -> Violation:
    """Take a step that must be refused."""
    with pytest.raises(Refused) as error:
        step()
    return error.value.violations[0]
