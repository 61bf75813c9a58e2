"""Hands changed at random lead to a verdict or a refusal that can be printed."""

import copy
import json
import random
from typing import Any

import pytest

from engine.cards.cards import CARDS
from engine.errors import Refused
from engine.record import HandRecord
from engine.scoring.score import score
from tests.engine.playing import dice
from tests.engine.replay.test_revokes import HANDS

WORDS: tuple[object, ...] = (
    *("?", "widow", "spit", "pass", "double", "redouble", "hold", "blind", "solo", "frog"),
    *("call-solo", "misere", "force", "Ann", "Zoe", "bidder", "opponents", "S", "", "AS AS"),
    *(None, True, 0, 1, -3, 7, 120, [], {}),
    *map(str, CARDS),
)


def spoil(hand: Any, rng: random.Random) -> None:
    """Leave something out of a hand, put it there twice or elsewhere, or put another thing there."""
    places: list[tuple[Any, Any]] = []

    def gather(table: Any) -> None:
        keys = table if isinstance(table, dict) else range(len(table))
        for key in keys:
            places.append((table, key))
            if isinstance(table[key], dict | list):
                gather(table[key])

    gather(hand)
    table, key = rng.choice(places)
    way = rng.randrange(5)
    if way == 0:
        del table[key]
    elif way == 1 and isinstance(table[key], str) and " " in table[key]:
        cards = table[key].split()
        cards[rng.randrange(len(cards))] = rng.choice(["?", *map(str, CARDS)])
        table[key] = " ".join(rng.sample(cards, rng.choice([len(cards), len(cards) - 1])))
    elif way == 2 and isinstance(table, list):
        table.insert(key, copy.deepcopy(table[key]))
    elif way == 3 and isinstance(table, list):
        other = rng.randrange(len(table))
        table[key], table[other] = table[other], table[key]
    else:
        table[key] = rng.choice(WORDS)


@pytest.mark.parametrize("hand", HANDS)
def test_a_spoiled_hand_is_scored_or_refused(hand: dict[str, Any]) -> None:
    """Each refusal has a code of the catalogue, a sentence and a place; nothing else is raised."""
    rng = dice(json.dumps(hand))
    refusals = 0
    for _ in range(100):
        spoiled = copy.deepcopy(hand)
        for _ in range(rng.choice([1, 1, 2, 3])):
            spoil(spoiled, rng)
        try:
            assert json.dumps(score(HandRecord.from_mapping(spoiled)).to_mapping())
        except Refused as refused:
            refusals += 1
            for violation in refused.violations:
                assert json.dumps(violation.to_mapping())
                assert violation.message.endswith((".", "?"))
                assert violation.where
    assert refusals > 50
