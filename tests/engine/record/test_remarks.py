"""What people add to a hand: the announced result, notes, and the keys of other programs."""

from typing import Any

import pytest
from hypothesis import given

from engine.errors import Refused
from engine.notation.json_text import read_json, write_json
from engine.notation.toml_stream import read_toml
from engine.notation.toml_text import write_toml
from engine.record import HandRecord
from engine.record.remarks import DEEPEST_ADDED, LARGEST_ADDED, LONGEST_NOTE, MOST_ADDED, MOST_NOTES
from tests.engine.hands import hand, refusal, scored, six, violations
from tests.engine.strategies import ADDED

TRICKS = ["AS 9S 7S", "AH ? 7H"]


def test_a_stated_result_that_is_the_verdicts_changes_nothing() -> None:
    """Points, amount and the gains of some seats."""
    plain = scored(six(3, "solo", 74))
    deltas = {seat: plain.deltas[seat] for seat in ("Ann", "Cyd")}
    stated = {"points": 74, "amount": plain.amount, "deltas": deltas}
    written = six(3, "solo", 74, stated=stated, format=1.1)
    assert scored(written) == plain
    assert HandRecord.from_mapping(written).to_mapping() == written


def test_a_stated_result_that_differs_is_refused_with_both_values() -> None:
    """Every number by itself; the verdict's is the valid one."""
    deltas = {"Ann": 28, "Bob": -14, "Cyd": -13}
    stated = {"points": 73, "amount": 13, "deltas": deltas}
    problems = violations(six(3, "solo", 74, stated=stated))
    assert {violation.code for violation in problems} == {"stated-differs"}
    assert [(violation.field, violation.message, violation.legal) for violation in problems] == [
        (
            "stated.points",
            "stated.points: 73 was announced, but the verdict is 74.",
            ("74",),
        ),
        (
            "stated.amount",
            "stated.amount: 13 was announced, but the verdict is 14.",
            ("14",),
        ),
        (
            "stated.deltas",
            "stated.deltas: for Cyd -13 was announced, but the verdict is -14.",
            ("-14",),
        ),
    ]


def test_stated_points_are_refused_if_the_verdict_has_none() -> None:
    """They are never used instead of the verdict's."""
    violation = refusal(hand("six-bid", 3, {"bid": "pass"}, stated={"points": 0}))
    assert (violation.code, violation.legal) == ("stated-differs", ())
    assert violation.message == "stated.points: 0 was announced, but the verdict is nothing."
    assert refusal(six(3, "solo", stated={"points": 74})).code == "points-missing"


@pytest.mark.parametrize(
    ("stated", "code", "field"),
    [
        (7, "ill-typed", "stated"),
        ({"points": "74"}, "ill-typed", "stated.points"),
        ({"deltas": [1]}, "ill-typed", "stated.deltas"),
        ({"deltas": {"Ann": 1.5}}, "ill-typed", "stated.deltas.Ann"),
        ({"deltas": {"Zoe": 1}}, "unknown-seat", "stated.deltas"),
        ({"outcome": "won"}, "unknown-key", "stated.outcome"),
    ],
)
def test_an_ill_typed_stated_result_is_refused(stated: object, code: str, field: str) -> None:
    """At its place."""
    violation = refusal(six(3, "solo", 74, stated=stated))
    assert (violation.code, violation.field) == (code, field)


def test_notes_are_on_tricks_cards_and_calls() -> None:
    """Written in the order of the format, with cards in one spelling."""
    notes: list[dict[str, object]] = [
        {"trick": 1, "card": "9♠", "text": "thought for a minute"},
        {"trick": 2, "card": "8H", "text": "perhaps the unknown card"},
        {"trick": 2, "text": "nobody looked"},
        {"card": "TD", "text": "never came"},
        {"call": 1, "text": "in a loud voice"},
        {"text": "on the hand"},
    ]
    written = six(3, "solo", 74, tricks=TRICKS, auction=[["Ann", "solo"]], notes=notes)
    record = HandRecord.from_mapping(written)
    assert record.to_mapping()["notes"] == [{**notes[0], "card": "9S"}, *notes[1:]]
    assert record.to_mapping()["format"] == 1.1
    for again in (read_json(write_json([record])), read_toml(write_toml([record]))):
        assert list(again) == [record]


def test_a_note_on_a_hand_without_cards_is_not_checked() -> None:
    """Its trick or call is not recorded, and may have been."""
    notes = [{"trick": 11, "card": "AS", "text": ""}, {"call": 9, "text": ""}]
    assert scored(six(3, "solo", 74, notes=notes))


@pytest.mark.parametrize(
    ("note", "message"),
    [
        ({"trick": 3}, "Note 2 is on trick 3, which is not recorded."),
        ({"trick": 1, "card": "8S"}, "Note 2 is on 8S in trick 1, where it was not played."),
        ({"call": 2}, "Note 2 is on call 2, which the auction does not have."),
        (
            {"call": 1, "trick": 1},
            "Note 2 is on a card or trick and on a call; write one note for each.",
        ),
        (
            {"call": 1, "card": "AS"},
            "Note 2 is on a card or trick and on a call; write one note for each.",
        ),
    ],
)
def test_a_note_on_nothing_in_the_record_is_refused(note: dict[str, object], message: str) -> None:
    """With its number."""
    notes = [{"text": "fine"}, {**note, "text": ""}]
    violation = refusal(six(3, "solo", 74, tricks=TRICKS, auction=[["Ann", "solo"]], notes=notes))
    assert (violation.code, violation.field) == ("note-misplaced", "notes.2")
    assert violation.message == message


@pytest.mark.parametrize(
    ("notes", "code", "field"),
    [
        ("text", "ill-typed", "notes"),
        (["text"], "ill-typed", "notes.1"),
        ([{"text": 7}], "ill-typed", "notes.1.text"),
        ([{"text": "x" * (LONGEST_NOTE + 1)}], "ill-typed", "notes.1.text"),
        ([{"trick": 0, "text": ""}], "ill-typed", "notes.1.trick"),
        ([{"call": "1", "text": ""}], "ill-typed", "notes.1.call"),
        ([{"card": "1S", "text": ""}], "unknown-card", "notes.1.card"),
        ([{"trick": 1}], "missing-key", "notes.1.text"),
        ([{"text": ""}] * (MOST_NOTES + 1), "ill-typed", "notes"),
    ],
)
def test_an_ill_typed_note_is_refused(notes: object, code: str, field: str) -> None:
    """At its place."""
    violation = refusal(six(3, "solo", 74, notes=notes))
    assert (violation.code, violation.field) == (code, field)


@given(ADDED)
def test_the_keys_of_other_programs_are_preserved(added: dict[str, Any]) -> None:
    """In both notations, with types and order; and they change no verdict."""
    written = six(3, "solo", 74, **added)
    record = HandRecord.from_mapping(written)
    expected = {**six(3, "solo", 74), **added, "format": 1.1}
    assert repr(record.to_mapping()) == repr(expected)
    for (again,) in (read_json(write_json([record])), read_toml(write_toml([record]))):
        assert isinstance(again, HandRecord)
        assert repr(again.to_mapping()) == repr(expected)
    assert scored(written) == scored(six(3, "solo", 74))


def test_a_kept_value_is_no_part_of_the_mapping_it_was_read_from() -> None:
    """Changing the mapping later does not change the record."""
    value = {"list": [1]}
    record = HandRecord.from_mapping(six(3, "solo", 74, **{"x-a": value}))
    value["list"].append(2)
    assert record.to_mapping()["x-a"] == {"list": [1]}


def _nested(depth: int) -> object:
    return [_nested(depth - 1)] if depth else 1


def _tables(depth: int) -> object:
    return {"a": _tables(depth - 1)} if depth else 1


@pytest.mark.parametrize(
    ("value", "field"),
    [
        ("\ud800", "x-a"),
        ({"\ud800": 1}, "x-a.\\ud800"),
        (LARGEST_ADDED + 1, "x-a"),
        (float("inf"), "x-a"),
        (float("nan"), "x-a"),
        ([None], "x-a.1"),
        ({"b": {"c": object()}}, "x-a.b.c"),
        (_nested(DEEPEST_ADDED + 1), "x-a" + ".1" * DEEPEST_ADDED),
        (_tables(DEEPEST_ADDED + 1), "x-a" + ".a" * DEEPEST_ADDED),
        ([0] * 201, "x-a"),
        ({str(number): 0 for number in range(201)}, "x-a"),
    ],
)
def test_a_value_that_no_notation_can_keep_is_refused(value: object, field: str) -> None:
    """At its place inside the key."""
    violation = refusal(six(3, "solo", 74, **{"x-a": value}))
    assert (violation.code, violation.field) == ("ill-typed", field)
    for deepest in (_nested(DEEPEST_ADDED), _tables(DEEPEST_ADDED)):
        assert HandRecord.from_mapping(six(3, "solo", 74, **{"x-a": deepest}))


def test_a_record_built_in_python_adds_only_keys_of_other_programs() -> None:
    """A key of the format among them would replace its value when the record is written."""
    with pytest.raises(Refused) as refused:
        HandRecord("six-bid", ("Ann", "Bob", "Cyd"), "Ann", added={"x-a": 1, "game": "frog"})
    (violation,) = refused.value.violations
    assert (violation.code, violation.field) == ("unknown-key", "game")


@pytest.mark.parametrize(
    "added",
    [
        {"x-a": "x" * MOST_ADDED},
        {"x-" + "a" * MOST_ADDED: 1},
        {"x-a": [["xxxxxxxx"] * 100] * 10},
        {f"x-{number}": [0] * 150 for number in range(10)},
        {"x-a": {"a" * MOST_ADDED: {}}},
    ],
)
def test_the_keys_of_other_programs_are_bounded_together(added: dict[str, object]) -> None:
    """Texts, keys and other values count."""
    violation = refusal(six(3, "solo", 74, **added))
    assert (violation.code, violation.field) == ("added-too-long", next(iter(added)))
    assert "10,000 characters" in violation.message


def test_a_key_without_a_value_counts_as_missing() -> None:
    """As every other key does."""
    record = HandRecord.from_mapping(six(3, "solo", 74, **{"x-a": None}))
    assert record.to_mapping() == six(3, "solo", 74)


def test_only_a_record_itself_has_the_keys_of_other_programs() -> None:
    """Its parts do not."""
    assert refusal(six(3, "solo", 74, pots={"frog": 1, "solo": 1, "x-a": 1})).code == "unknown-key"
