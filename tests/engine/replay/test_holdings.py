"""The exchange and the hands that it leaves, checked against the deal and the tricks as far as known."""

from typing import Any

import pytest

from engine.errors import Violation
from tests.engine.hands import refusal, scored, six
from tests.engine.replay.test_revokes import CALL_SOLO, FROG, SOLO, changed

CALLER = {"hands": {"Cyd": CALL_SOLO["deal"]["hands"]["Cyd"]}}
FROG_BIDDER = {"Bob": FROG["deal"]["hands"]["Bob"]}


def test_the_exchange_is_read_from_the_tricks_when_the_deal_is_known() -> None:
    """The cards that the bidder no longer had were discarded or returned."""
    for hand in (CALL_SOLO, FROG):
        assert scored(changed(hand, "exchange")).deltas == scored(hand).deltas


def test_a_hand_given_up_before_the_exchange_is_noted_is_judged_by_what_was_played() -> None:
    """The cards that nobody can place are left open."""
    for tricks in (CALL_SOLO["tricks"][:3], CALL_SOLO["tricks"][:10]):
        hand = changed(CALL_SOLO, "exchange", "points", tricks=tricks, conceded="opponents")
        assert scored(hand).outcome == "won"
        assert scored(changed(hand, "deal")).outcome == "won"
    assert (
        scored(changed(CALL_SOLO, "tricks", "points", "exchange", conceded="bidder")).amount == 100
    )


def test_an_exchange_with_other_cards_than_the_deal_says_is_refused() -> None:
    """Taken, given, or laid away."""
    for hand, exchange, code, field in (
        (CALL_SOLO, {"from": "Ann", "returned": "6D"}, "exchange-differs", "exchange.from"),
        (CALL_SOLO, {"from": "widow"}, "exchange-differs", "exchange.from"),
        (CALL_SOLO, {"from": "Bob"}, "exchange-count", "exchange.returned"),
        (CALL_SOLO, {"from": "widow", "returned": "6D"}, "exchange-count", "exchange.returned"),
        (CALL_SOLO, {"from": "Bob", "returned": "KH"}, "card-not-held", "exchange.returned"),
        (CALL_SOLO, {"took": "8H QS KD"}, "no-exchange", "exchange"),
        (FROG, {"took": "KH QD AS"}, "exchange-differs", "exchange.took"),
        (
            FROG,
            {"took": "KH QD TH", "discarded": "AS 7S KH"},
            "card-not-held",
            "exchange.discarded",
        ),
        (FROG, {"discarded": "7S 7S KH"}, "exchange-count", "exchange.discarded"),
        (FROG, {"from": "Ann", "returned": "AS"}, "no-exchange", "exchange"),
        (SOLO, {"from": "Ann", "returned": "AS"}, "no-exchange", "exchange"),
    ):
        violation = refusal(changed(hand, exchange=exchange))
        assert (violation.code, violation.field) == (code, field)


@pytest.mark.parametrize(
    ("called", "giver", "message"),
    [
        ("AD", "widow", "AD was held by Bob, so it did not come from widow."),
        ("AD", "Ann", "AD was held by Bob, so it did not come from Ann."),
        ("KD", "Bob", "KD was in the widow, so it did not come from Bob."),
    ],
)
def test_the_true_place_of_the_called_card_is_named(called: str, giver: str, message: str) -> None:
    """If the whole deal is known."""
    contract = {**CALL_SOLO["contract"], "called": called}
    exchange = {"from": giver} | ({"returned": "6D"} if giver != "widow" else {})
    assert refusal(changed(CALL_SOLO, contract=contract, exchange=exchange)).message == message


def test_an_exchange_is_held_against_what_is_known_without_the_deal() -> None:
    """A card that came from elsewhere, or lay in nobody's widow."""
    whole, unknown = CALL_SOLO["deal"]["hands"], " ".join("?" for _ in range(11))
    for deal, exchange in (
        ({"hands": {**whole, "Ann": unknown}}, {"from": "Ann", "returned": "6D"}),
        (None, {"from": "widow"}),
    ):
        hand = changed(CALL_SOLO, "deal", exchange=exchange) | ({"deal": deal} if deal else {})
        violation = refusal(hand)
        assert (violation.code, violation.field) == ("exchange-differs", "exchange.from")
    for noted in ({"widow": "KH QD 6C"}, {"hands": {"Ann": f"KH {unknown[2:]}"}}):
        violation = refusal(changed(FROG, deal=noted))
        assert (violation.code, violation.field) == ("exchange-differs", "exchange.took")
    laid = {"took": "KH QD TH", "discarded": "QD 7S TD"}
    assert refusal(changed(FROG, "deal", exchange=laid)).code == "card-not-held"


def _noted(hand: dict[str, Any], deal: dict[str, Any], exchange: dict[str, Any]) -> Violation:
    """Refuse an exchange that is recorded with part of a deal, without tricks; the bidder deals."""
    points, dealer = (120, "Cyd") if hand is CALL_SOLO else (63, "Bob")
    noted = {"deal": deal, "exchange": exchange, "points": points, "dealer": dealer}
    return refusal(changed(hand, "tricks", "auction", **noted))


@pytest.mark.parametrize(
    ("deal", "exchange", "field"),
    [
        ({"hands": {"Ann": "AC KC ? ? ? ? ? ? ? ? ?"}}, {"discarded": "AC 7S KH"}, "discarded"),
        ({"hands": FROG_BIDDER, "widow": "KH QD TH"}, {"discarded": "6C 7S KH"}, "discarded"),
        ({"hands": FROG_BIDDER}, {"took": "KH QD TH", "discarded": "6C 7S KH"}, "discarded"),
    ],
)
def test_cards_laid_away_were_the_bidders_though_nobody_noted_the_play(
    deal: dict[str, Any], exchange: dict[str, Any], field: str
) -> None:
    """A card that was dealt to another, or is not among those the bidder is known to have had."""
    violation = _noted(FROG, deal, exchange)
    assert (violation.code, violation.field) == ("card-not-held", f"exchange.{field}")
    good = {**exchange, "discarded": "QD 7S KH"}
    bare = changed(FROG, "tricks", "auction", deal=deal, exchange=good, points=63)
    assert scored(bare).points == 63


@pytest.mark.parametrize(
    ("deal", "exchange", "field"),
    [
        ({"hands": {"Ann": "AC KC ? ? ? ? ? ? ? ? ?"}}, {"returned": "AC"}, "returned"),
        ({"widow": "AC ? ?"}, {"returned": "AC"}, "returned"),
        (CALLER, {"returned": "KH"}, "returned"),
        ({}, {"from": "Cyd"}, "from"),
    ],
)
def test_the_called_card_came_from_an_opponent_and_an_own_one_went_back(
    deal: dict[str, Any], exchange: dict[str, Any], field: str
) -> None:
    """Not from the bidder, nor for a card that lay elsewhere."""
    whole = {"from": "Bob", "returned": "6D", **exchange}
    violation = _noted(CALL_SOLO, deal, whole)
    assert violation.field == f"exchange.{field}"
    known = (
        ["6D", "AS", "TS", "AH", "7C", "8C", "9C", "QC", "KC", "TC", "AC", "AD"]
        if deal is CALLER
        else []
    )
    assert sorted(violation.legal) == sorted(["Ann", "Bob", "widow"] if field == "from" else known)


def test_who_sat_out_gave_no_card() -> None:
    """Nor would a page offer it."""
    exchange = {"from": "Dee", "returned": "6C"}
    violation = refusal(six(4, "call-solo", 120, called="AH", exchange=exchange))
    assert violation.message == "Dee cannot have given AH; it came from Bob, Cyd or the widow."
    assert (violation.field, violation.legal) == ("exchange.from", ("Bob", "Cyd", "widow"))


def test_a_giver_whose_cards_are_known_had_the_called_one() -> None:
    """A widow or a hand without it gave nothing."""
    widow = _noted(CALL_SOLO, {"widow": "6S 7S 8S"}, {"from": "widow"})
    bob = "6S 7S 8S 9S JS QS 6H 7H 8H 9H JH"
    hand = _noted(CALL_SOLO, {"hands": {"Bob": bob}}, {"from": "Bob", "returned": "6D"})
    assert (widow.code, hand.code) == ("exchange-differs", "exchange-differs")
    assert (widow.message, hand.message) == (
        "AD did not come from widow.",
        "AD did not come from Bob.",
    )


@pytest.mark.parametrize(
    ("hand", "deal", "exchange"),
    [
        (CALL_SOLO, {"hands": {"Ann": "KH 7D ? ? ? ? ? ? ? ? ?"}}, {"from": "widow"}),
        (CALL_SOLO, {"widow": "AD QS KD"}, {"from": "widow"}),
        (FROG, FROG["deal"], {"took": "KH QD TH", "discarded": "6S 7S KH"}),
        (FROG, {"hands": FROG_BIDDER}, {"took": "KH QD TH", "discarded": "6S 7S KH"}),
    ],
)
def test_an_exchange_that_the_known_cards_allow_is_accepted(
    hand: dict[str, Any], deal: dict[str, Any], exchange: dict[str, Any]
) -> None:
    """From a widow that is unknown or contains the called card; with the pack's first card discarded."""
    points = 120 if hand is CALL_SOLO else 63
    bare = changed(hand, "tricks", "auction", deal=deal, exchange=exchange, points=points)
    assert scored(bare).points == points


def test_a_bidders_hand_is_known_with_the_widow_and_what_was_laid_away() -> None:
    """Though both other hands are unknown, a card the bidder had laid away cannot be played."""
    deal = {"hands": {"Bob": FROG["deal"]["hands"]["Bob"]}, "widow": FROG["deal"]["widow"]}
    assert scored(changed(FROG, deal=deal)).points == 63
    assert scored(changed(FROG, deal={"hands": deal["hands"]})).points == 63
    laid = {**FROG["exchange"], "discarded": "QD 7S TD"}
    assert refusal(changed(FROG, deal=deal, exchange=laid)).code == "card-not-held"


def test_what_changed_hands_in_call_solo_hangs_on_the_called_card() -> None:
    """Without it neither exchange nor deal can be followed; the tricks alone can."""
    contract = {"bidder": "Cyd", "bid": "call-solo", "trump": "C"}
    for left_out in ((), ("exchange",), ("deal",)):
        violation = refusal(changed(CALL_SOLO, *left_out, contract=contract))
        assert (violation.code, violation.field) == ("called-missing", "contract.called")
    assert scored(changed(CALL_SOLO, "deal", "exchange", contract=contract)).points == 120
