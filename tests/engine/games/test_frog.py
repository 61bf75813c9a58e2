"""Frog and Straight Solo, rule by rule."""

import pytest

from engine.games import GAMES
from engine.phases.bidding.procedures import Duel, InTurn, OneRound
from tests.engine.hands import deltas, hand, passed, refusal, scored

FROG, STRAIGHT = GAMES["frog"], GAMES["straight-solo"]
BOTH = ("frog", "straight-solo")


def frog(bid: str, points: int, trump: str | None = None, **keys: object) -> dict[str, object]:
    """Write a frog hand that Ann plays."""
    contract = {"bidder": "Ann", "bid": bid} | ({"trump": trump} if trump else {})
    return hand("frog", 3, contract, points=points, **keys)


def straight(bid: str, points: int, trump: str | None = None, **keys: object) -> dict[str, object]:
    """Write a straight-solo hand that Ann plays."""
    return frog(bid, points, trump, **keys) | {"game": "straight-solo"}


@pytest.mark.parametrize("game", BOTH)
def test_three_play(game: str) -> None:
    """No more, no fewer; nobody sits out."""
    assert GAMES[game].seats == (3,)
    for seats in (4, 5):
        assert refusal(hand(game, seats, {"bid": "pass"})).code == "table-size"


def test_frogs_bids_rise_from_frog_to_grand() -> None:
    """Frog, chico, grand."""
    assert [bid.slug for bid in FROG.rules(None, {}, 3).bids] == ["frog", "chico", "grand"]


@pytest.mark.parametrize(
    ("bid", "trump", "rate"), [("frog", "H", 1), ("chico", "S", 2), ("grand", "H", 3)]
)
def test_frog_counts_1_chico_2_and_grand_3_a_point(bid: str, trump: str, rate: int) -> None:
    """The difference from 60, to or from each of the two opponents."""
    assert deltas(frog(bid, 74, trump)) == [28 * rate, -14 * rate, -14 * rate]
    assert deltas(frog(bid, 50, trump)) == [-20 * rate, 10 * rate, 10 * rate]


def test_the_difference_is_never_rounded() -> None:
    """61 is one point."""
    assert scored(frog("frog", 61)).amount == 1
    assert scored(frog("grand", 58)).amount == 6
    assert scored(frog("chico", 62, "C")).explanation == (
        "62 card points, 2 over 60",
        "× 2 a point = 4",
        "Ann is paid by Bob and Cyd",
    )


@pytest.mark.parametrize("bid", ["frog", "chico", "grand"])
def test_60_is_tied_in_frog(bid: str) -> None:
    """Nothing moves."""
    verdict = scored(frog(bid, 60, "H"))
    assert (verdict.outcome, verdict.amount, verdict.transfers) == ("tied", 0, ())


@pytest.mark.parametrize("bid", ["frog", "grand"])
def test_hearts_are_trumps_in_frog_and_grand(bid: str) -> None:
    """They need not be named, and no other suit may be."""
    assert scored(frog(bid, 74)).outcome == "won"
    violation = refusal(frog(bid, 74, "S"))
    assert (violation.code, violation.legal) == ("trump-not-allowed", ("H",))
    assert violation.message == f"{bid.capitalize()}: only hearts can be trumps, not spades."


def test_chico_names_any_suit() -> None:
    """Hearts too, at chico's own rate."""
    assert [scored(frog("chico", 74, trump)).amount for trump in "SHDC"] == [28, 28, 28, 28]
    violation = refusal(frog("chico", 74))
    assert violation.code == "trump-missing"
    assert violation.message == "Chico needs a trump suit: spades, hearts, diamonds or clubs."


def test_option_hearts_in_chico() -> None:
    """Switched off, hearts are left to the other bids."""
    violation = refusal(frog("chico", 74, "H", options={"hearts_in_chico": False}))
    assert (violation.code, violation.legal) == ("trump-not-allowed", ("S", "D", "C"))
    assert violation.message == "Chico: only spades, diamonds or clubs can be trumps, not hearts."
    assert scored(frog("chico", 74, "D", options={"hearts_in_chico": False})).amount == 28


def test_option_grand_multiplier() -> None:
    """Grand may count 4."""
    assert scored(frog("grand", 74, options={"grand_multiplier": 4})).amount == 56
    assert scored(frog("chico", 74, "S", options={"grand_multiplier": 4})).amount == 28
    assert refusal(frog("grand", 74, options={"grand_multiplier": 5})).legal == ("3", "4")


def test_straight_solo_is_experimental_and_says_so() -> None:
    """Wherever it is offered: in the sheet's flag and in its summary."""
    assert STRAIGHT.experimental
    assert "Experimental" in STRAIGHT.summary
    assert [sheet.slug for sheet in GAMES.values() if sheet.experimental] == ["straight-solo"]


def test_straight_solo_has_solo_at_2_and_heart_solo_at_3() -> None:
    """And no frog."""
    assert [bid.slug for bid in STRAIGHT.rules(None, {}, 3).bids] == ["solo", "heart-solo"]
    assert deltas(straight("solo", 70, "C")) == [40, -20, -20]
    assert deltas(straight("heart-solo", 50)) == [-60, 30, 30]
    assert scored(straight("solo", 60, "C")).outcome == "tied"
    assert refusal(straight("frog", 70)).code == "unknown-bid"


def test_straight_solos_hearts_in_solo_is_frogs_hearts_in_chico() -> None:
    """Allowed unless the table switches it off."""
    assert scored(straight("solo", 70, "H")).amount == 20
    refused = refusal(straight("solo", 70, "H", options={"hearts_in_solo": False}))
    assert refused.code == "trump-not-allowed"


@pytest.mark.parametrize("game", BOTH)
def test_the_bidding_goes_round_unless_the_table_chose_otherwise(game: str) -> None:
    """By rotation until all but one have passed; options: duel, one-round."""
    assert isinstance(GAMES[game].rules(None, {}, 3).bidding, InTurn)
    assert isinstance(GAMES[game].rules(None, {"auction": "duel"}, 3).bidding, Duel)
    assert isinstance(GAMES[game].rules(None, {"auction": "one-round"}, 3).bidding, OneRound)


@pytest.mark.parametrize("game", BOTH)
def test_all_pass_is_thrown_in_and_the_deal_moves_left(game: str) -> None:
    """Or the same dealer deals again, as the table has agreed."""
    verdict = scored(passed(game, 3))
    assert (verdict.outcome, set(verdict.deltas.values())) == ("passed-out", {0})
    assert verdict.next == ("Ann", "Bob")
    again = scored(passed(game, 3, options={"all_pass": "same-dealer"}))
    assert again.next == ("Cyd", "Ann")


def test_straight_solo_has_no_widow_to_exchange_with() -> None:
    """Only frog takes it up."""
    exchange = {"took": "6S 7S 8S", "discarded": "6S 7S 8S"}
    assert refusal(straight("solo", 70, "C", exchange=exchange)).code == "not-in-this-game"


THREE_ACES = {"took": "AS AD AC", "discarded": "AS AD AC"}


def test_the_points_must_agree_with_the_cards_laid_away() -> None:
    """33 points lie there: fewer cannot be, nor 34, since no trick holds one point."""
    for points in (20, 34):
        violation = refusal(frog("frog", points, exchange=THREE_ACES))
        assert (violation.code, violation.field) == ("points-against-aside", "points")
        assert "33" in violation.message
    assert scored(frog("frog", 33, exchange=THREE_ACES)).outcome == "lost"
    assert scored(frog("frog", 35, exchange=THREE_ACES)).outcome == "lost"


def test_the_points_must_agree_with_the_widow() -> None:
    """Where it is noted and counts for the bidder."""
    deal = {"widow": "AS AD AC"}
    assert refusal(frog("grand", 20, deal=deal)).code == "points-against-aside"
    assert scored(frog("grand", 60, deal=deal)).outcome == "tied"
    part = {"widow": "AS AD ?"}
    assert scored(frog("grand", 20, deal=part)).outcome == "lost"
