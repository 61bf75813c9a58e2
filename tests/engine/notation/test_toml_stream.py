"""TOML as a stream."""

from collections.abc import Iterator
from io import StringIO
from itertools import count, islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import Refused
from engine.notation.common import Unreadable
from engine.notation.toml_stream import read_toml, stream_toml
from engine.notation.toml_text import write_toml, write_toml_stream
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


SHARED = 'game = "six-bid"\nplayers = ["Ann", "Bob", "Cyd"]\ndealer = "Cyd"\n'


@pytest.mark.parametrize(
    ("twice", "key", "line"),
    [
        ("points = 74\npoints = 47", "points", 7),
        ("points = 74\npoints = 47  # the right one", "points", 7),
        ('contract = {bidder = "Ann", bid = "solo", bid = "misere"}', "bid", 6),
        ('note = """\n[[hand]]\n"""\ntricks = [\n]\ntricks = []', "tricks", 11),
        ('contract = {bid = "solo"}\ncontract.trump = "S"', "contract.trump", 7),
        ('deal.hands.Ann = "AS"\n"deal".hands.Ann = "TS"', '"deal".hands.Ann', 7),
        ('contract = {bid = "x"}\ncontract = {bid = "a = {", trump = "S"}', "contract", 7),
        ('[hand.contract]\nbid = "solo"\n[hand.contract]\ntrump = "S"', "contract", 8),
        ('points = 74\npoints = 47\nnote = """\n[[hand]]\n"""', "points", 7),
    ],
)
def test_a_key_written_twice_spoils_its_hand_alone(twice: str, key: str, line: int) -> None:
    """The hands before it and after it are read, wherever in it the key stands."""
    good = '[[hand]]\ncontract = {bid = "pass"}\n'
    before, last = read_toml(SHARED + good + good)
    spoiled, *others = read_toml(f"{SHARED}[[hand]]\n\n{twice}\n{good}{good}")
    assert others == [before, last]
    assert isinstance(spoiled, Refused)
    (violation,) = spoiled.violations
    assert (violation.code, violation.field) == ("key-twice", key)
    assert violation.message == f"Line {line}: {key} appears twice; keep one of them."
    note = '[[hand]]\ncontract = {bid = "pass"}\nnote = """\n[[hand]]\n"""\n'
    noted, other, after = read_toml(f"{SHARED}{note}[[hand]]\n{twice}\n{good}")
    assert (isinstance(noted, HandRecord), isinstance(other, Refused), after) == (True, True, last)
    (alone,) = read_toml(f"{SHARED}[[hand]]\n\n{twice}")  # with nothing behind it
    assert isinstance(alone, Refused)
    assert alone.violations[0].code == "key-twice"


def test_a_key_written_twice_above_all_hands_spoils_them_all() -> None:
    """It is not clear which was meant; and [hand] is no other hand."""
    with pytest.raises(Unreadable, match="line 4, column 15: dealer appears twice"):
        read_toml(SHARED + 'dealer = "Bob"\n[[hand]]\n')
    with pytest.raises(Unreadable, match="two pairs of brackets"):
        read_toml(SHARED + "[[hand]]\npoints = 7\n[hand]\npoints = 7\n")


def test_behind_a_key_written_twice_and_a_string_that_never_ends_nothing_is_read() -> None:
    """Which hands stand there nobody knows, so that the file is unreadable."""
    good = '[[hand]]\ncontract = {bid = "pass"}\n'
    for opened in ('note = """\n', "tricks = [\n", "note = '''\n"):
        stream = stream_toml(
            StringIO(f"{SHARED}{good}[[hand]]\npoints = 7\npoints = 4\n{opened}{good}")
        )
        assert isinstance(next(stream), HandRecord)
        with pytest.raises(Unreadable, match="line 8, column 11: points appears twice"):
            next(stream)
