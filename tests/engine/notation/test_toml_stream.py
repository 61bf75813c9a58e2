"""TOML as a stream."""

from collections.abc import Iterator
from io import StringIO
from itertools import count, islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import Refused
from engine.notation import (
    Unreadable,
    read_toml,
    stream_toml,
    write_toml,
    write_toml_stream,
)
from engine.record import HandRecord
from tests.engine.hands import crazy, six
from tests.engine.record.test_hand import FULL
from tests.engine.strategies import hands

RECORDS = [
    HandRecord.from_mapping(written)
    for written in (FULL, six(3, "misere", 0), crazy(4, "solo", 74))
]
HEAD = 'game = "six-bid"\nplayers = ["Ann", "Bob", "Cyd"]\n'


def streamed(text: str) -> list[HandRecord | Refused]:
    """Read a text as a stream of lines."""
    return list(stream_toml(StringIO(text)))


@given(st.lists(hands(), max_size=4))
def test_a_stream_is_read_as_the_whole_file_is(records: list[HandRecord]) -> None:
    """With keys that all share above the first hand, and without."""
    assert streamed(write_toml(records)) == records
    assert streamed("".join(write_toml_stream(records))) == records
    assert list(read_toml("".join(write_toml_stream(records)))) == records


def test_every_key_goes_through_a_stream() -> None:
    """Cards, notes and times included."""
    assert streamed("".join(write_toml_stream(RECORDS))) == RECORDS


def test_hands_are_read_as_they_come() -> None:
    """An evening without end is no trouble, neither read nor written."""

    def lines() -> Iterator[str]:
        yield from HEAD.splitlines(keepends=True)
        for number in count():
            yield from ("[[hand]]\n", 'dealer = "Ann"\n', f"points = {number % 100}\n")

    first = list(islice(stream_toml(lines()), 3))
    assert [hand.points for hand in first if isinstance(hand, HandRecord)] == [0, 1, 2]
    endless = write_toml_stream(RECORDS[0] for _ in count())
    assert next(endless) == next(endless)


def test_the_words_inside_a_note_begin_no_hand() -> None:
    """A text of several lines may hold anything."""
    text = (
        f"\ufeff{HEAD}[[hand]] # the first\ndealer = \"Ann\"\nnote = '''\n[[hand]]\n[[hand]]\n'''\n"
        '[[ "hand" ]]\r\ndealer = "Bob"\r\n'
    )
    first, second = streamed(text)
    assert isinstance(first, HandRecord)
    assert first.note == "[[hand]]\n[[hand]]\n"
    assert isinstance(second, HandRecord)
    assert second.dealer == "Bob"


def test_a_text_that_never_ends_is_not_read_again_at_every_hand() -> None:
    """A hundred thousand lines after it are named unreadable at once."""
    text = f'{HEAD}[[hand]]\nnote = """\n' + "[[hand]]\n" * 100_000
    with pytest.raises(Unreadable) as unreadable:
        streamed(text)
    assert unreadable.value.line == 100_005


def test_one_bad_hand_does_not_stop_the_next_of_a_stream() -> None:
    """It is given as its refusal, in its place."""
    bad, good = streamed(f'{HEAD}[[hand]]\n[[hand]]\ndealer = "Ann"\n')
    assert isinstance(bad, Refused)
    assert isinstance(good, HandRecord)
    (number,) = streamed("hand = [7]")
    assert isinstance(number, Refused)
    assert streamed("") == []


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("points = \n", 4, 10),
        ('dealer = "Ann', 4, 14),
        ("[[hand]]\npoints = [\n[[hand]]\n", 6, 3),
        ('[[hand]]\ndealer = "Ann"\n[options]\n', 4, 1),
        ('[[hand]]\nnote = """\n[[hand]]\n', 7, 1),
    ],
)
def test_what_is_no_toml_is_named_by_its_line_in_the_whole_stream(
    text: str, line: int, column: int
) -> None:
    """The hands before it have been read."""
    stream = stream_toml(StringIO(f"{HEAD}[[hand]]\n{text}"))
    with pytest.raises(Unreadable) as unreadable:
        list(stream)
    assert (unreadable.value.line, unreadable.value.column) == (line, column)


@pytest.mark.parametrize("text", ["[hand]\npoints = 3", HEAD])
def test_a_stream_without_hands_is_unreadable(text: str) -> None:
    """As a whole file is."""
    with pytest.raises(Unreadable, match=r"\[\[hand\]\]"):
        streamed(text)


def test_bytes_that_are_no_text_are_unreadable_at_their_line() -> None:
    """Wherever they stand."""

    def lines() -> Iterator[str]:
        yield HEAD
        raise UnicodeDecodeError("utf-8", b"\xff", 0, 1, "invalid start byte")

    with pytest.raises(Unreadable, match="not UTF-8") as unreadable:
        list(stream_toml(lines()))
    assert unreadable.value.line == 2
