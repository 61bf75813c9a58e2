"""The deal of a record, of which some cards are unknown."""

from collections.abc import Iterable

import pytest

from engine.cards.card_sets import mask_of
from engine.cards.cards import Card, read_cards
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
    complete = widow and tuple(
        None if card == "?" else read_cards(card)[0] for card in widow.split()
    )
    deal = Deal(dict(cards), complete or None)
    known_deal = read_deal(GAMES[game].rules(None, {}, len(seats)), seats, deal, [])
    assert known_deal is not None
    return known_deal


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
    known_deal = partial(
        "german-solo", {seat: hand for seat, hand in HANDS.items() if seat != missing}
    )
    assert known_deal.hands == tuple(mask_of(read_cards(hand)) for hand in HANDS.values())
    assert known_deal.complete


def test_two_unknown_hands_are_not_derived() -> None:
    """Nor from their known cards; three known hands leave the widow."""
    known_deal = partial("six-bid", {"Bob": THREE["Bob"], "Cyd": f"JC {'? ' * 10}"}, "8D 7D 6D")
    assert known_deal == KnownDeal((0, MASKS[1], mask_of(read_cards("JC"))), WIDOW, 0b010, True)
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
    known_deal = partial("six-bid", deal)
    assert (known_deal.hands[0], known_deal.sure, known_deal.widow_sure) == (0, 0b110, False)


def refused(*hands: Iterable[Card]) -> list[str]:
    """Return the codes with which a deal to three players is refused."""
    deal = Deal(dict(zip(THREE, map(tuple, hands), strict=True)))
    problems: list[Violation] = []
    assert read_deal(GAMES["six-bid"].rules(None, {}, 3), tuple(THREE), deal, problems) is None
    return [violation.code for violation in problems]


def test_hands_of_the_wrong_size_are_refused() -> None:
    """Even if they have as many cards together as the game deals."""
    every = [card for hand in THREE.values() for card in read_cards(hand)]
    assert refused(every[:10], every[10:20], every[20:]) == ["deal-size"] * 3


def test_two_hands_with_the_highest_cards_do_not_hide_that_the_third_is_too_short() -> None:
    """Whichever cards it lacks."""
    first, second = read_cards(HIGHEST)[:11], read_cards(HIGHEST)[11:]
    for third in ("6S", "6S 7S 8S 9S JS QS KS TS AS 6H"):
        assert refused(first, second, read_cards(third)) == ["deal-size"]


HIGHEST = "JH QH KH TH AH 6D 7D 8D 9D JD QD KD TD AD 6C 7C 8C 9C JC QC KC TC"
"""Twenty-two of the twenty-three cards that come last in the pack."""


def test_the_same_hand_is_not_dealt_to_two_players() -> None:
    """Whatever the third one was dealt: each card twice is named."""
    twice = read_cards("QS 9H JH QH KH TH KD 8C 9C JC QC")
    third = read_cards("9S TS AS 8H 6H AH 6D 7D 8D JD 6S")
    assert refused(twice, twice, third) == ["card-dealt-twice"] * 11
    thrice = read_cards("9S TS AS 8H JH QH 6D 7D 8D JD KD")
    assert refused(twice, twice, thrice) == ["card-dealt-twice"] * 14
