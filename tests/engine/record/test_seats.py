"""The players of a table: names of a bounded length, cached by their text."""

import pytest

from engine.errors import Refused
from engine.record import seats
from engine.record.hand import HandRecord


def test_a_name_longer_than_any_is_refused_and_never_kept() -> None:
    """Names come from anybody, and the results for a table are cached by them."""
    before = seats._table_problems.cache_info().currsize
    for length in (seats.LONGEST + 1, 10_000):
        (found,) = seats.table_problems(("Ann", "B" * length, "Cyd"))
        assert (found.code, found.where) == ("name-too-long", {"field": "players.2"})
        assert found.message == f"The name of seat 2 has {length:,} characters; it may have 500."
    assert seats._table_problems.cache_info().currsize == before
    assert seats.table_problems(("Ann", "B" * seats.LONGEST, "Cyd")) == ()


def test_a_table_of_thousands_is_refused_and_never_kept() -> None:
    """The message has the number of names; such a list is not cached."""
    before = seats._table_problems.cache_info().currsize
    (found,) = seats.table_problems(tuple(f"P{each}" for each in range(5_000)))
    assert (found.code, found.message) == (
        "players-count",
        "3 to 12 players sit at a table, not 5000.",
    )
    assert seats._table_problems.cache_info().currsize == before


def test_a_record_with_a_long_name_goes_no_further() -> None:
    """It is refused for the name alone."""
    with pytest.raises(Refused, match="The name of seat 1 has 600 characters"):
        HandRecord.from_mapping(
            {"game": "six-bid", "players": ["A" * 600, "Bob", "Cyd"], "dealer": "Bob"}
        )


def test_an_unknown_name_is_repeated_up_to_the_length_of_a_name() -> None:
    """In the message and in the place."""
    violation = seats.unknown_seat("x" * 70_000, ["Ann"], "dealer")
    assert violation.where["seat"] == "x" * 500 + "…"
    assert len(violation.message) < 600
