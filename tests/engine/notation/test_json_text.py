"""JSON and JSON Lines."""

from collections.abc import Iterator

import pytest

from engine.errors import Refused
from engine.notation.common import Unreadable
from engine.notation.json_text import read_json, read_jsonl, write_json, write_jsonl
from engine.record import HandRecord
from tests.engine.hands import crazy, six
from tests.engine.record.test_hand import FULL

RECORDS = [
    HandRecord.from_mapping(written)
    for written in (FULL, six(3, "misere", 0), crazy(4, "solo", 74))
]


def test_a_file_holds_one_hand_or_a_list_of_hands() -> None:
    """Both are written and read again, exactly."""
    assert list(read_json(write_json(RECORDS[:1]))) == RECORDS[:1]
    assert list(read_json(write_json(RECORDS))) == RECORDS
    assert list(read_json(write_json([]))) == []


def test_each_line_holds_a_hand() -> None:
    """Written and read again, exactly; empty lines are passed over."""
    lines = list(write_jsonl(RECORDS))
    assert all(line.endswith("\n") and line.count("\n") == 1 for line in lines)
    assert list(read_jsonl(["\ufeff" + lines[0], "\n", *lines[1:], "  \n"])) == RECORDS


def test_no_character_of_a_hand_ends_its_line() -> None:
    """Not even those that some programs take for an end."""
    record = HandRecord("six-bid", ("A\u2028", "B\u2029", "C\x85\n\x1c"), "A\u2028")
    (line,) = write_jsonl([record])
    assert line.splitlines() == [line.removesuffix("\n")]
    assert list(read_jsonl([line])) == [record]


def test_lines_are_read_as_they_come() -> None:
    """A stream is not gathered first."""
    read = []

    def lines() -> Iterator[str]:
        for number, line in enumerate(write_jsonl(RECORDS)):
            read.append(number)
            yield line

    hands = read_jsonl(lines())
    assert next(hands) == RECORDS[0]
    assert read == [0]


def test_one_bad_hand_does_not_stop_the_next() -> None:
    """It is given as its refusal, in its place."""
    good = next(write_jsonl(RECORDS[1:2]))
    first, second, third = read_jsonl([good, '{"game": 7}\n', good])
    assert (first, third) == (RECORDS[1], RECORDS[1])
    assert isinstance(second, Refused)
    bad, fine = read_json("[7, " + good + "]")
    assert isinstance(bad, Refused)
    assert fine == RECORDS[1]


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("", 1, 1),
        ('{"game": "six-bid",\n "points": }', 2, 12),
        ("[1, 2", 1, 6),
        ("[" * 100_000, 1, 1),
        ('{"points": ' + "9" * 5000 + "}", 1, 1),
    ],
)
def test_a_text_that_is_no_json_is_unreadable_at_line_and_column(
    text: str, line: int, column: int
) -> None:
    """However it fails."""
    with pytest.raises(Unreadable) as unreadable:
        read_json(text)
    assert (unreadable.value.line, unreadable.value.column) == (line, column)
    assert str(unreadable.value).startswith(f"line {line}, column {column}: ")


@pytest.mark.parametrize(
    ("line", "column", "why"),
    [
        ('{"points": }', 12, "Expecting value"),
        ("[" * 100_000, 1, "nested deeper"),
        ('{"points": ' + "9" * 5000 + "}", 1, "more digits"),
    ],
)
def test_a_line_that_is_no_json_is_unreadable(line: str, column: int, why: str) -> None:
    """However it fails, as a whole text is."""
    with pytest.raises(Unreadable, match=why) as unreadable:
        list(read_jsonl(["\n", line]))
    assert (unreadable.value.line, unreadable.value.column) == (2, column)


def test_a_broken_line_is_named_by_its_number() -> None:
    """After the hands before it were given."""
    good = next(write_jsonl(RECORDS[1:2]))
    hands = read_jsonl([good, "\n", '{"game"'])
    assert next(hands) == RECORDS[1]
    with pytest.raises(Unreadable) as unreadable:
        next(hands)
    assert (unreadable.value.line, unreadable.value.column) == (3, 8)


def test_a_stream_that_is_not_utf_8_is_unreadable() -> None:
    """At the line where it fails."""

    def lines() -> Iterator[str]:
        yield next(write_jsonl(RECORDS[1:2]))
        yield b"\xff".decode()

    hands = read_jsonl(lines())
    next(hands)
    with pytest.raises(Unreadable) as unreadable:
        next(hands)
    assert (unreadable.value.line, unreadable.value.message) == (2, "the text is not UTF-8")


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ('{"points": 74, "points": 47}', "points"),
        ('{"game": "six-bid", "contract": {"bid": "solo", "bid": "misere"}}', "contract.bid"),
        (
            '{"game": "six-bid", "options": {"auction": "duel", "auction": "duel"}}',
            "options.auction",
        ),
    ],
)
def test_a_key_written_twice_is_refused(text: str, field: str) -> None:
    """Rather than the last one believed; in a list, and below a head, too."""
    for complete in (
        text,
        f"[{text}]",
        f'{{"hands": [{text}]}}',
        f'{{"evening": {{}}, "hands": [{text}]}}',
    ):
        (hand,) = read_json(complete)
        assert isinstance(hand, Refused)
        assert hand.violations[0].code == "key-twice"
        assert hand.violations[0].field == field


@pytest.mark.parametrize(
    ("head", "field"),
    [
        ('"evening": {}, "game": "frog", "game": "six-bid"', "game"),
        ('"evening": {"number": 1, "number": 2}', "evening.number"),
    ],
)
def test_a_shared_key_written_twice_is_refused_in_every_hand(head: str, field: str) -> None:
    """It concerns all of them."""
    for hand in read_json(f'{{{head}, "hands": [{{"game": "six-bid"}}, {{}}]}}'):
        assert isinstance(hand, Refused)
        assert (hand.violations[0].code, hand.violations[0].field) == ("key-twice", field)


def test_what_json_calls_no_number_is_no_count() -> None:
    """`NaN` is read by Python, but refused as points."""
    (hand,) = read_json(
        '{"game": "six-bid", "players": ["A", "B", "C"], "dealer": "A", "points": NaN}'
    )
    assert isinstance(hand, Refused)
    assert hand.violations[0].field == "points"
