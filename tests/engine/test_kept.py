"""Caches change no result: hands scored in a row, and each by itself with empty caches.

The smaller form of a comparison with the engine as it was before anything was kept: 15,000 hands at every
depth and 9,000 spoiled ones, answered and refused in the same words.
"""

import json
import random
from collections.abc import Iterator

import pytest

from engine.errors import Refused
from engine.games import GAMES
from engine.guide import unfinished
from engine.notation.common import Reading
from engine.notation.json_text import read_jsonl
from tests.engine.playing import HOUSES, House, dice, play, written
from tests.engine.test_random_changes import CHANGES

HANDS = 3


def answer(hand: Reading) -> dict[str, object]:
    """Return the verdict, the state of an unfinished hand, or the refusal."""
    try:
        if isinstance(hand, Refused):
            raise hand
        return unfinished.answer(hand).to_mapping()
    except Refused as refused:
        return refused.to_mapping()


def forget() -> None:
    """Forget everything that was worked out for any table."""
    for sheet in GAMES.values():
        sheet._built.clear()


def records(house: House, rng: random.Random) -> Iterator[dict[str, object]]:
    """Hands of a table, some spoiled; each again as another table's, where the same was played."""
    for _ in range(HANDS):
        record = written(house, play(house, rng, speak=True))
        yield record.to_mapping()
        for change in CHANGES:
            spoiled = change(record, rng)
            if spoiled is not None:
                yield spoiled.to_mapping()


@pytest.mark.parametrize("house", HOUSES, ids=str)
def test_hands_in_a_row_are_answered_as_each_by_itself(house: House) -> None:
    """Also when they come a second time, and when names change between them."""
    lines = [json.dumps(each) for each in records(house, dice(f"kept at {house}"))]
    lines += [line.replace("Ann", "Łukasz").replace("Bob", "Ann") for line in lines]
    cold: list[dict[str, object]] = []
    for line in lines:
        forget()
        cold += map(answer, read_jsonl([line]))
    assert [answer(hand) for hand in read_jsonl(lines)] == cold
