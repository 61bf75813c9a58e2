"""The versions of the hand record's format: 1, and 1.1 with its new keys."""

import pytest

from engine.record import HandRecord
from tests.engine.hands import refusal, six


@pytest.mark.parametrize("version", [1, "1", 1.1, "1.1"])
def test_a_record_without_new_keys_is_written_as_format_1(version: object) -> None:
    """Whichever version it states, as a number or as text."""
    record = HandRecord.from_mapping(six(3, "misere", 0, format=version))
    assert record.to_mapping() == six(3, "misere", 0)
    assert record.to_mapping()["format"] == record.format == 1


def test_an_unknown_format_is_answered_with_those_that_are_read() -> None:
    """Both versions are named, and are the valid values."""
    violation = refusal(six(3, "misere", 0, format=2))
    assert violation.message == (
        "This program reads the formats 1 and 1.1 of the hand record, not 2."
    )
    assert violation.legal == ("1", "1.1")


@pytest.mark.parametrize("version", [2, 1.0, 1.2, "1.10", "one", True, [1], {"version": 1}])
def test_no_other_spelling_of_a_version_is_read(version: object) -> None:
    """A wrong type is refused as a wrong number is."""
    violation = refusal(six(3, "misere", 0, format=version))
    assert (violation.code, violation.field) == ("unknown-format", "format")
