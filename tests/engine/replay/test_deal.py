"""The deal of a record, of which some cards are unknown."""

import pytest

from engine.cards.card_sets import mask_of
from engine.cards.cards import read_cards
from engine.errors import Violation
from engine.games import GAMES
from engine.record import Deal
from engine.replay.deal import KnownDeal, read_deal
from tests.engine.games.german_table import HANDS
from tests.engine.stepping import THREE

MASKS = tuple(mask_of(read_cards(hand)) for hand in THREE.values())
WIDOW = mask_of(read_cards("8D 7D 6D"))


def partial(game: str, hands: dict[str, str], widow: str | None = None) -> KnownDeal:
    """Read a deal of these hands; a `?` is an unknown card."""
    seats = tuple(THREE) if game == "six-bid" else tuple(HANDS)
    cards = {
        seat: tuple(None if card == "?" else read_cards(card)[0] for card in hand.split())
        for seat, hand in hands.items()
    }
    whole = widow and tuple(None if card == "?" else read_cards(card)[0] for card in widow.split())
    deal = Deal(dict(cards), whole or None)
    known = read_deal(GAMES[game].rules(None, {}, len(seats)), seats, deal, [])
    assert known is not None
    return known


@pytest.mark.parametrize("missing", list(THREE))
def test_the_one_unknown_hand_has_the_rest_of_the_cards(missing: str) -> None:
    """If the widow is known; otherwise neither of them is."""
    hands = {seat: hand for seat, hand in THREE.items() if seat != missing}
    assert partial("six-bid", hands, "8D 7D 6D") == KnownDeal(MASKS, WIDOW, 0b111, True)
    at = list(THREE).index(missing)
    known = tuple(0 if place == at else mask for place, mask in enumerate(MASKS))
    assert partial("six-bid", hands) == KnownDeal(known, 0, 0b111 ^ 1 << at, False)


@pytest.mark.parametrize("missing", list(HANDS))
def test_without_a_widow_the_other_hands_are_enough(missing: str) -> None:
    """In German Solo."""
    known = partial("german-solo", {seat: hand for seat, hand in HANDS.items() if seat != missing})
    assert known.hands == tuple(mask_of(read_cards(hand)) for hand in HANDS.values())
    assert known.complete


def test_two_unknown_hands_are_not_derived() -> None:
    """Nor from their known cards; three known hands leave the widow."""
    known = partial("six-bid", {"Bob": THREE["Bob"], "Cyd": f"JC {'? ' * 10}"}, "8D 7D 6D")
    assert known == KnownDeal((0, MASKS[1], mask_of(read_cards("JC"))), WIDOW, 0b010, True)
    for widow in (None, "? ? ?"):
        assert partial("six-bid", THREE, widow) == KnownDeal(MASKS, WIDOW, 0b111, True)


@pytest.mark.parametrize(("high", "clubs"), [("9H", "6C"), ("TC", "JC")])
def test_unknown_cards_leave_the_rest_of_a_deal_as_it_is(high: str, clubs: str) -> None:
    """Also if the other hands have all high cards of the pack."""
    deal = {
        "Ann": "? " * 11,
        "Bob": f"{high} JH QH KH TH AH 6D 7D 8D 9D JD",
        "Cyd": f"QD KD TD AD {clubs} 7C 8C 9C {'6C' if clubs == 'JC' else 'JC'} QC KC",
    }
    known = partial("six-bid", deal)
    assert (known.hands[0], known.sure, known.widow_sure) == (0, 0b110, False)


def test_hands_of_the_wrong_size_are_refused() -> None:
    """Even if they have as many cards together as the game deals."""
    every = [card for hand in THREE.values() for card in read_cards(hand)]
    deal = Deal({"Ann": tuple(every[:10]), "Bob": tuple(every[10:20]), "Cyd": tuple(every[20:])})
    problems: list[Violation] = []
    assert read_deal(GAMES["six-bid"].rules(None, {}, 3), tuple(THREE), deal, problems) is None
    assert [violation.code for violation in problems] == ["deal-size"] * 3
