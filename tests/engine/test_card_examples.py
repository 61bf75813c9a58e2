"""Twenty-two hands with every card, and the verdicts they must give, as they were handed to us."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.engine.hands import scored

FOLDER = Path(__file__).parent / "examples"


def _lines(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (FOLDER / name).read_text().splitlines()]


EXAMPLES = list(zip(_lines("hands.jsonl"), _lines("verdicts.jsonl"), strict=True))
WON_AT_THE_TABLE = ("bidder", "bid", "partner", "doubled", "redoubled")


def _answers(hand: dict[str, Any], verdict: dict[str, Any]) -> bool:
    got = scored(hand).to_mapping()
    return {key: got.get(key) for key in verdict} == verdict


@pytest.mark.parametrize(("hand", "verdict"), EXAMPLES)
def test_a_complete_hand_gives_its_verdict(hand: dict[str, Any], verdict: dict[str, Any]) -> None:
    """Outcome, points, pots and every seat's delta."""
    assert _answers(hand, verdict)


@pytest.mark.parametrize(("hand", "verdict"), EXAMPLES)
def test_the_deal_can_be_left_out(hand: dict[str, Any], verdict: dict[str, Any]) -> None:
    """The hands follow from the tricks."""
    assert _answers({key: value for key, value in hand.items() if key != "deal"}, verdict)


@pytest.mark.parametrize(("hand", "verdict"), EXAMPLES)
def test_the_result_can_be_left_out(hand: dict[str, Any], verdict: dict[str, Any]) -> None:
    """Points follow from the tricks, bidder and bid from the auction, the partner from the called card."""
    contract = {
        key: value for key, value in hand["contract"].items() if key not in WON_AT_THE_TABLE
    }
    hand = {key: value for key, value in hand.items() if key != "points"}
    assert _answers({**hand, "contract": contract}, verdict)


@pytest.mark.parametrize(("hand", "verdict"), EXAMPLES)
def test_the_auction_and_the_exchange_can_be_left_out(
    hand: dict[str, Any], verdict: dict[str, Any]
) -> None:
    """The bid is in the contract; the exchanged cards follow from deal and tricks."""
    assert _answers(
        {key: value for key, value in hand.items() if key not in ("auction", "exchange")}, verdict
    )


@pytest.mark.parametrize(("hand", "verdict"), EXAMPLES)
def test_one_hand_of_the_deal_can_be_unknown(hand: dict[str, Any], verdict: dict[str, Any]) -> None:
    """Question marks for each seat's cards in turn change nothing."""
    hands = hand["deal"]["hands"]
    for seat, cards in hands.items():
        unknown = " ".join("?" for _ in cards.split())
        for rest in ({}, {"widow": "? ? ?"}) if "widow" in hand["deal"] else ({},):
            deal = {**hand["deal"], "hands": {**hands, seat: unknown}, **rest}
            assert _answers({**hand, "deal": deal}, verdict)
