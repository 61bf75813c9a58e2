"""The three depths of a record lead to the same verdict."""

import random
from dataclasses import replace

import pytest

from engine.errors import Refused
from engine.games import find
from engine.record import Deal, HandRecord
from engine.replay.replay import replay
from engine.scoring.score import score
from tests.engine.playing import HOUSES, House, dice, play, written


def result_only(record: HandRecord) -> HandRecord:
    """Return the record without cards, with the values that followed from them."""
    rules = find(record.game).rules(record.rules, record.options, len(record.players))
    plan = rules.plan(record.players, record.dealer, record.active)
    told = replay(rules, plan, record, [])
    result = told.result._asdict()
    announced = result.pop("announced_tout")
    assert announced is None
    for key in ("tricks_won", "points_against"):
        if key not in rules.keys and rules.pack.total:
            del result[key]
    bare = replace(record, deal=None, spit=None, auction=None, exchange=None, tricks=None)
    return replace(bare, contract=told.contract, **result)


@pytest.mark.parametrize("house", HOUSES, ids=str)
def test_the_result_alone_is_scored_as_the_whole_hand_is(house: House) -> None:
    """Contract and result, as they follow from the cards, lead to the same verdict."""
    rng = dice(f"depths of {house}")
    for _ in range(25):
        record = written(house, play(house, rng))
        assert score(result_only(record)) == score(record)


@pytest.mark.parametrize("house", HOUSES, ids=str)
def test_stating_what_the_cards_tell_changes_nothing(house: House) -> None:
    """A record may state everything twice, as long as it agrees."""
    rng = dice(f"said twice at {house}")
    for _ in range(25):
        record = written(house, play(house, rng))
        bare = result_only(record)
        said = {
            key: getattr(bare, key)
            for key in ("contract", "points", "tricks_won", "matadors", "first_tricks_won")
        }
        assert score(replace(record, **said)) == score(record)


MUST_BE_SAID = {
    "called-missing",
    "matadors-missing",
    "contract-missing",
    "bidder-missing",
    "partner-missing",
}
"""What the cards left on record may no longer tell."""


def forgotten(record: HandRecord, rng: random.Random) -> HandRecord:
    """Remove at random cards of the deal, whole hands, the auction, the exchange, the leaders."""
    deal = record.deal
    if deal is not None and deal.hands is not None and rng.random() < 0.8:
        hands = {
            seat: tuple(card if rng.random() < 0.7 else None for card in cards)
            for seat, cards in deal.hands.items()
            if rng.random() < 0.7
        }
        complete = {seat: deal.hands[seat] for seat in hands if rng.random() < 0.5}
        deal = rng.choice([None, Deal(hands | complete, rng.choice([None, deal.widow]))])
    tricks = record.tricks
    if tricks and rng.random() < 0.4:
        tricks = tuple(trick._replace(leader=None) for trick in tricks)
    left_out = {key: None for key in ("spit", "auction", "exchange") if rng.random() < 0.4}
    return replace(record, deal=deal, tricks=tricks, **left_out)  # type: ignore[arg-type]


@pytest.mark.parametrize("house", HOUSES, ids=str)
def test_what_was_not_noted_makes_no_true_hand_false(house: House) -> None:
    """Any part of a legal hand is scored as the whole, or refused for a missing value."""
    rng = dice(f"forgotten at {house}")
    scored = 0
    for _ in range(8):
        record = written(house, play(house, rng, speak=True))
        for _ in range(4):
            try:
                deltas = score(forgotten(record, rng)).deltas
            except Refused as refused:
                asked = {each.code for each in refused.violations}
            else:
                asked, scored = MUST_BE_SAID, scored + (deltas == score(record).deltas)
                assert deltas == score(record).deltas
            assert asked & MUST_BE_SAID
    assert scored > 8
