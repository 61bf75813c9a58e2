"""Records mutated at random, as values and as text, are read or refused, never anything else.

`MUTATED_RECORDS=100000` tries more of them than the suite does.
"""

import copy
import json
import os
import random
from collections.abc import Iterable
from typing import Any

import pytest

from engine.cards.cards import CARDS
from engine.cards.languages import LANGUAGES
from engine.errors import Refused
from engine.notation.common import Reading, Unreadable, read_hand
from engine.notation.json_text import read_json, write_json
from engine.notation.toml_stream import read_toml
from engine.notation.toml_text import write_toml
from engine.record import HandRecord
from engine.scoring.score import score
from tests.engine.hands import six
from tests.engine.notation.test_json_schema import is_valid
from tests.engine.playing import dice
from tests.engine.record.test_evening import EVENING, JSON, TOML
from tests.engine.record.test_hand import FULL
from tests.engine.replay.test_revokes import HANDS
from tests.engine.test_spoiled_hands import WORDS, spoil

MUTATIONS = int(os.environ.get("MUTATED_RECORDS", "1200"))
PARTS = 6
"""The mutations are divided among so many tests, for processes that share them."""

REMARKS: dict[str, Any] = {
    "stated": {"points": 74, "amount": 14, "deltas": {"Ann": 28}},
    "evening": EVENING,
    "notes": [{"trick": 1, "card": "AS", "text": "a"}, {"call": 1, "text": "b"}],
    "x-a": {"b": [1, 2.5, "c", {"d": True}]},
}


def with_text_tricks(hand: dict[str, Any]) -> dict[str, Any]:
    """Return a hand with its tricks as text, and remarks that may contradict it."""
    tricks = [trick["cards"] for trick in hand.get("tricks", [])]
    remarks = {**REMARKS, "evening": {"club": "A", "number": 7}, "notes": [{"text": "a"}]}
    return {**hand, **({"tricks": tricks} if tricks else {}), **remarks, "format": 1.1}


RECORDS = (*HANDS, FULL, six(3, "misere", 0, **REMARKS), *map(with_text_tricks, HANDS))
ODD: tuple[object, ...] = (
    *WORDS,
    *(1.1, "1.1", -0.0, 1e308, 10**18, "\ud800", "\0", "x" * 70_000, "a\u0301" * 300, "DK", "SA"),
    *([[[[[[[[]]]]]]]], {"a": {"b": {"c": {"d": {"e": {"f": {}}}}}}}, ["AS"] * 300, "AS," * 500),
    *(spelling for ranks, suits in LANGUAGES for spelling in (*ranks, *suits)),
)
TEXTS = (
    *(json.dumps(record) for record in RECORDS),
    *(write_toml([HandRecord.from_mapping(record)]) for record in (*HANDS, FULL)),
    *(JSON, TOML),
)
PIECES = ("", '"', "'", "[", "]", "{", "}", ",", ":", "=", "\\", "\n", "[[hand]]", "null", "9" * 30)


def mutated_value(rng: random.Random) -> object:
    """Return a record in which one to four things are left out, moved or replaced."""
    record = copy.deepcopy(rng.choice(RECORDS))
    for _ in range(rng.choice([1, 1, 2, 4])):
        spoil(record, rng)
        if rng.random() < 0.2 and isinstance(record, dict) and record:
            record[rng.choice([*record, "x-b", "tricks"])] = copy.deepcopy(rng.choice(ODD))
        if not record:
            break
    return record


def mutated_text(rng: random.Random) -> str:
    """Return a file in which one to four places were cut, replaced or repeated."""
    text = rng.choice(TEXTS)
    for _ in range(rng.choice([1, 1, 2, 4])):
        start = rng.randrange(len(text) + 1)
        end = min(len(text), start + rng.choice([0, 1, 1, 5, 40]))
        word = rng.choice([*PIECES, text[start:end] * 2, str(rng.choice(CARDS))])
        text = text[:start] + word + text[end:]
    return text


def readings(rng: random.Random) -> Iterable[Reading]:
    """Read one mutated record or file; nothing if it is neither JSON nor TOML."""
    if rng.random() < 0.6:
        value = mutated_value(rng)
        reading = read_hand(value)
        if isinstance(reading, HandRecord):
            assert is_valid(value)
        return [reading]
    text = mutated_text(rng)
    try:
        return list(read_json(text) if text.lstrip()[:1] in ("{", "[") else read_toml(text))
    except Unreadable:
        return []


def answered(reading: Reading) -> bool:
    """Score a hand; return whether it was read, after writing it and reading it again."""
    try:
        if isinstance(reading, Refused):
            raise reading
        assert json.dumps(score(reading).to_mapping())
    except Refused as refused:
        for violation in refused.violations:
            assert json.dumps(violation.to_mapping())
            assert len(violation.message) < 5_000
    if isinstance(reading, Refused):
        return False
    assert list(read_json(write_json([reading]))) == [reading]
    assert list(read_toml(write_toml([reading]))) == [reading]
    return True


@pytest.mark.parametrize("part", range(PARTS))
def test_a_mutated_record_is_read_or_refused(part: int) -> None:
    """Never a traceback; what is read matches the schema and is written as it was read."""
    read = 0
    for number in range(MUTATIONS // PARTS):
        rng = dice(f"mutated record {part}.{number}")
        read += sum(map(answered, readings(rng)))
    assert read > MUTATIONS // PARTS // 10
