"""The shape of an answer is made out of the value that is answered."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from fractions import Fraction
from typing import Annotated, Any

import pytest
from marshmallow import ValidationError

from engine.words.language import Sentence
from engine.words.sentences import say
from ledger.api.schemas.base import DescribedField, Length, Rows, WholeNumber, shape_of


class Colour(StrEnum):
    """The possible values of a row."""

    RED = "red"
    BLACK = "black"


@dataclass(frozen=True)
class Inner:
    """A value in another."""

    chips: int


@dataclass(frozen=True)
class Outer:
    """A value as a service answers with it."""

    name: Annotated[str | None, "Whose it is."]
    colour: Annotated[str, "Which.", Colour]
    rows: tuple[Inner, ...]
    sums: Mapping[str, int]
    at: datetime
    session_id: int = 0
    secret: str = "kept"

    @property
    def share(self) -> Fraction:
        """The share of each."""
        return Fraction(1, 3)


Shape = shape_of(
    "Outer", Outer, "share", without={"secret"}, session="session_id", more=WholeNumber("No.")
)


def test_a_shape_answers_the_fields_of_its_value() -> None:
    """Each by its type, also in lists, tables and values within; omitted fields are not there."""
    at = datetime(2026, 1, 31, 21, 15, tzinfo=UTC)
    value = Outer("Ann", Colour.RED, (Inner(3),), {"Ann": 3}, at, 7)
    assert Shape().dump(value) == {
        "name": "Ann",
        "colour": "red",
        "rows": [{"chips": 3}],
        "sums": {"Ann": 3},
        "at": "2026-01-31T21:15:00+00:00",
        "share": "0.33",
        "session": 7,
    }


def test_a_shape_is_told_by_its_value() -> None:
    """By the annotations of its fields, and the docstrings of its properties."""
    fields = Shape().fields
    told = {name: field.metadata.get("description") for name, field in fields.items()}
    assert told["name"] == "Whose it is."
    assert told["share"] == "The share of each."
    assert told["more"] == "No."
    assert fields["colour"].metadata["enum"] == ["red", "black"]
    assert fields["name"].allow_none
    assert not fields["colour"].allow_none
    assert all(field.required for field in fields.values())
    assert isinstance(fields["rows"], Rows)


@pytest.mark.parametrize(
    ("refusing", "value"),
    [
        (Rows(WholeNumber(), validate=Length(max=1, error=say("Not {what}.", what="{2}"))), [1, 2]),
        (WholeNumber(error_messages={"invalid": say("Not {what}.", what="{2}")}), "two"),
    ],
)
def test_a_refusal_stays_the_sentence_it_is(refusing: DescribedField, value: Any) -> None:
    """Nothing is filled in that stands in braces, and any language can still say it."""
    with pytest.raises(ValidationError) as refused:
        refusing.deserialize(value)
    (told,) = refused.value.messages
    assert isinstance(told, Sentence)
    assert told == "Not {2}."
