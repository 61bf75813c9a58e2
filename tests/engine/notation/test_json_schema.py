"""The JSON Schema of hand records: it accepts every record that is read, and refuses what it can express."""

import json
from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import Refused
from engine.errors.codes import CODES, examples
from engine.notation.json_schema import (
    DESCRIPTIONS,
    DRAFT,
    properties_of,
    record_properties,
    record_schema,
)
from engine.record import HandRecord
from engine.record.fields import FIELDS
from engine.record.hand import KEYS
from engine.record.results import RESULT
from tests.engine.hands import six
from tests.engine.playing import HOUSES, dice
from tests.engine.record.test_evening import EVENING
from tests.engine.record.test_hand import FULL
from tests.engine.strategies import hands
from tests.engine.test_kept import records
from tests.engine.test_properties import noted

SCHEMA = json.loads(json.dumps(record_schema()))
VALIDATOR = jsonschema_rs.validator_for(SCHEMA)
EXPRESSED = {
    *("ill-typed", "unknown-key", "missing-key", "unknown-format", "players-count"),
    "name-too-long",
}
"""The codes of refusals that the schema expresses."""


def is_valid(record: object) -> bool:
    """Return whether a record matches the schema."""
    return bool(VALIDATOR.is_valid(json.loads(json.dumps(record))))


def test_the_schema_is_a_schema() -> None:
    """Of the draft that it names, and the same for everybody."""
    assert SCHEMA["$schema"] == DRAFT
    jsonschema_rs.meta.validate(SCHEMA)
    assert record_schema() == record_schema()


@settings(max_examples=500)
@given(hands())
def test_legal_hands_of_every_game_match(record: HandRecord) -> None:
    """By contract and result."""
    assert is_valid(record.to_mapping())


@settings(max_examples=300)
@given(noted())
def test_records_with_any_keys_match(record: HandRecord) -> None:
    """Whether or not a game would allow them; those of other programs included."""
    assert is_valid(record.to_mapping())


@pytest.mark.parametrize("house", HOUSES, ids=str)
def test_played_hands_match(house: Any) -> None:
    """With all their cards, and with those that were spoiled but can still be read."""
    for record in records(house, dice(f"schema of {house}")):
        assert is_valid(record)


def test_every_spelling_of_a_value_matches() -> None:
    """Cards as lists, tricks as text, the format as text, and null for a missing key."""
    assert is_valid(FULL)
    assert is_valid(six(3, "misere", 0, format="1.1", evening=EVENING, note=None))
    tricks = ["AS 9S 7S", ["AH", "?"], {"cards": ["TD"], "leader": None}]
    assert is_valid(six(3, "misere", 0, tricks=tricks, blind_round=False))
    added = {"x-a": {"b": [1, "c", 2.5]}}
    written = six(3, "misere", 0, notes=[{"text": "", "call": None}], **added)
    HandRecord.from_mapping(written)
    assert is_valid(written)


@pytest.mark.parametrize("code", CODES)
def test_an_example_of_a_refusal_matches_unless_the_schema_expresses_it(code: str) -> None:
    """Every example of the codes that it expresses is refused; of the others only those that are no JSON."""
    example = examples()[code]
    if isinstance(example, str):
        return  # a text that is no JSON object, such as one with a key twice
    assert is_valid(example) is (code not in EXPRESSED)


@pytest.mark.parametrize(
    "change",
    [
        {"points": "74"},
        {"points": 7.5},
        {"points": 10**10},
        {"players": "Ann Bob Cyd"},
        {"players": ["Ann", "Bob", 3]},
        {"options": []},
        {"options": {"auction": None}},
        {"deal": {"hands": {"Ann": 5}}},
        {"auction": ["pass"]},
        {"auction": [["Ann", "redouble", "Bob", "Cyd"]]},
        {"tricks": [7]},
        {"tricks": ["AS"] * 201},
        {"contract": {"alone": "yes"}},
        {"blind_round": True},
        {"blind_round": {"heartless": 3}},
        {"matadors": "both"},
        {"conceded": "Ann"},
        {"pots": {"frog": 3}},
        {"stated": {"deltas": {"Ann": "1"}}},
        {"notes": [{"trick": 0, "text": ""}]},
        {"notes": [{"trick": 1}]},
        {"evening": {"number": 0}},
        {"evening": {"seated": [{"seat": "Ann"}]}},
        {"claimed": {"by": "Ann", "after": -1}},
        {"irregular": [{"what": "revoke", "settled": "forgotten"}]},
        {"dealer": None},
        {"score": 7},
    ],
    ids=str,
)
def test_a_value_of_another_kind_does_not_match(change: dict[str, Any]) -> None:
    """The engine refuses each of them, too."""
    written = six(3, "misere", 0) | change
    assert not is_valid(written)
    with pytest.raises(Refused):
        HandRecord.from_mapping(written)


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(), st.lists))
def test_only_a_table_is_a_record(value: object) -> None:
    """Nothing else matches."""
    assert not is_valid(value)


def test_the_keys_of_a_record_are_those_of_its_schema() -> None:
    """The schema of each key, which the API's document has, lacks only null."""
    assert {*record_properties()} == {*SCHEMA["properties"]} == {*KEYS}
    for key, schema in record_properties().items():
        assert SCHEMA["properties"][key]["description"] == schema["description"]


def test_every_key_is_described_once() -> None:
    """Results by their own table, everything else here; a description is a sentence."""
    for part, described in DESCRIPTIONS.items():
        keys = KEYS if part is HandRecord else FIELDS[part]
        assert {*described} | ({*keys} & {*RESULT}) == {*keys}
        for schema in properties_of(part, keys).values():
            assert schema["description"].endswith((".", "`"))
    assert {*FIELDS} - {*DESCRIPTIONS} == set()
