"""The evening of a hand, and the head of a file of hands."""

import json
from datetime import date, datetime
from io import StringIO
from typing import Any

import pytest

from engine.errors import Refused
from engine.notation.common import Reading, Unreadable
from engine.notation.json_text import read_json, stream_json, write_json, write_jsonl
from engine.notation.toml_stream import read_toml
from engine.notation.toml_text import write_toml
from engine.record import HandRecord
from tests.engine.hands import refusal, six
from tests.engine.notation.test_json_stream import Pieces

EVENING: dict[str, Any] = {
    "club": "Zoë's",
    "title": "New year",
    "date": "2026-01-31",
    "number": 7,
    "seats": ["Ann", "Bob", "Cyd"],
    "seated": [{"seat": "Dee", "hand": 8, "after": "Ann"}, {"seat": "Eve", "hand": 9}],
    "left": [{"seat": "Bob", "hand": 9}],
}
SEATED = [["Ann", "Bob", "Cyd"], ["Ann", "Dee", "Bob", "Cyd"], ["Ann", "Dee", "Cyd", "Eve"]]
KEYS = {"game": "six-bid", "contract": {"bid": "pass"}, "dealer": "Ann"}
TOML = """
game = "six-bid"
contract = {bid = "pass"}
[evening]
club = "Zoë's"
title = "New year"
date = 2026-01-31
number = 7
seats = ["Ann", "Bob", "Cyd"]
seated = [{seat = "Dee", hand = 8, after = "Ann"}, {seat = "Eve", hand = 9}]
left = [{seat = "Bob", hand = 9}]
[[hand]]
dealer = "Ann"
[[hand]]
dealer = "Ann"
[[hand]]
dealer = "Ann"
"""
JSON = json.dumps({"evening": EVENING, **KEYS, "hands": [{}, {}, {}]})


def records(readings: Any) -> list[HandRecord]:
    """Return hands that can all be read."""
    read: list[Reading] = list(readings)
    for one in read:
        assert isinstance(one, HandRecord), one
    return [one for one in read if isinstance(one, HandRecord)]


@pytest.mark.parametrize("readings", [read_toml(TOML), read_json(JSON)], ids=["toml", "json"])
def test_numbers_and_players_of_the_hands_follow_from_the_head(readings: Any) -> None:
    """Dee sits down on Ann's left; Bob leaves when Eve takes the last seat."""
    hands = records(readings)
    assert [hand.evening and hand.evening.number for hand in hands] == [7, 8, 9]
    assert [list(hand.players) for hand in hands] == SEATED
    assert hands[0].to_mapping() == {
        "format": 1.1,
        "game": "six-bid",
        "players": SEATED[0],
        "dealer": "Ann",
        "contract": {"bid": "pass"},
        "evening": EVENING,
    }


def test_an_evening_is_written_at_the_head_and_read_again() -> None:
    """In TOML and JSON; a line of JSON Lines has the evening with its own number."""
    hands = records(read_toml(TOML))
    toml, as_json = write_toml(hands), write_json(hands)
    assert toml.count("club") == as_json.count("club") == 1
    assert as_json.startswith('{"evening": ')
    assert records(read_toml(toml)) == records(read_json(as_json)) == hands
    for hand, line in zip(hands, write_jsonl(hands), strict=True):
        assert records(read_json(line)) == [hand]
    assert records(read_json(write_json(hands[:1]))) == hands[:1]


def test_hands_out_of_order_keep_their_own_evening() -> None:
    """Their numbers do not follow from the first."""
    hands = records(read_toml(TOML))[::-1]
    assert records(read_toml(write_toml(hands))) == hands
    assert records(read_json(write_json(hands))) == hands
    assert write_json(hands).startswith("[")


def test_a_hand_may_state_its_own_players_and_evening() -> None:
    """The seats of a round table may be named from any of them on."""
    own = {"evening": {"number": 3}, "players": ["Zoe", "Bob", "Cyd"], "dealer": "Bob"}
    turned = {"players": ["Cyd", "Ann", "Dee", "Bob"]}
    text = json.dumps({"evening": EVENING, **KEYS, "hands": [own, turned]})
    first, second = records(read_json(text))
    assert (first.players, second.players) == (("Zoe", "Bob", "Cyd"), ("Cyd", "Ann", "Dee", "Bob"))
    assert (second.evening and second.evening.number) == 8


def test_the_first_hand_is_number_1_unless_the_head_says_another() -> None:
    """A refused hand counts, too."""
    text = json.dumps(
        {"evening": {"club": "A"}, **KEYS, "hands": [7, {"players": ["A", "Ann", "C"]}]}
    )
    refused, read = read_json(text)
    assert isinstance(refused, Refused)
    assert isinstance(read, HandRecord)
    assert read.evening is not None
    assert read.evening.number == 2
    toml = '[evening]\nclub = "A"\n[[hand]]\na = 1\na = 2\n[[hand]]\ngame = "six-bid"\n'
    toml += 'players = ["Ann", "Bob", "Cyd"]\ndealer = "Ann"\n'
    refused, read = read_toml(toml)
    assert isinstance(read, HandRecord)
    assert read.evening is not None
    assert read.evening.number == 2


@pytest.mark.parametrize(
    ("changes", "field", "message"),
    [
        (
            {"number": 9},
            "players",
            "Hand 9 of the evening is played by Ann, Dee, Cyd and Eve,"
            " but the hand names Ann, Bob and Cyd.",
        ),
        (
            {"seated": [{"seat": "Bob", "hand": 7}]},
            "evening.seated",
            "Bob takes a seat at hand 7, but has one.",
        ),
        (
            {"left": [{"seat": "Zoe", "hand": 2}]},
            "evening.left",
            "Zoe leaves at hand 2, but has no seat then.",
        ),
        (
            {"seated": [{"seat": "Dee", "hand": 2, "after": "Zoe"}]},
            "evening.seated",
            "Dee takes a seat after Zoe at hand 2, who has none; seated are Ann, Bob, Cyd.",
        ),
    ],
)
def test_players_who_are_not_seated_then_are_refused(
    changes: dict[str, Any], field: str, message: str
) -> None:
    """And so are changes of seats that cannot be."""
    written = six(3, "misere", 0, evening={**EVENING, **changes})
    violation = refusal(written)
    assert (violation.code, violation.field) == ("evening-seats", field)
    assert violation.message == message


def test_a_change_after_the_hand_makes_no_difference_to_it() -> None:
    """Even one that cannot be: it is refused at its own hand."""
    left = [{"seat": "Zoe", "hand": 8}]
    assert HandRecord.from_mapping(six(3, "misere", 0, evening={**EVENING, "left": left}))


def test_players_are_not_checked_without_seats_or_number() -> None:
    """Then the evening is only a heading."""
    for evening in ({"club": "A", "number": 3}, {"seats": ["Zoe"]}):
        written = six(3, "misere", 0, evening=evening)
        assert HandRecord.from_mapping(written).to_mapping() == {**written, "format": 1.1}


@pytest.mark.parametrize(
    ("evening", "code", "field"),
    [
        ("Tuesday", "ill-typed", "evening"),
        ({"club": 7}, "ill-typed", "evening.club"),
        ({"title": "x" * 501}, "ill-typed", "evening.title"),
        ({"date": "2026-06-31"}, "ill-typed", "evening.date"),
        ({"date": "20260131"}, "ill-typed", "evening.date"),
        ({"date": datetime(2026, 1, 31)}, "ill-typed", "evening.date"),  # noqa: DTZ001 - no day
        ({"date": 7}, "ill-typed", "evening.date"),
        ({"number": 0}, "ill-typed", "evening.number"),
        ({"number": "7"}, "ill-typed", "evening.number"),
        ({"seats": [7]}, "ill-typed", "evening.seats.1"),
        ({"seats": ["x" * 501]}, "ill-typed", "evening.seats.1"),
        ({"seats": ["x"] * 13}, "ill-typed", "evening.seats"),
        ({"seated": [{"seat": "Ann"}]}, "missing-key", "evening.seated.1.hand"),
        ({"left": [{"seat": "Ann", "hand": 1, "after": "Bob"}]}, "unknown-key", None),
        ({"weather": "fine"}, "unknown-key", "evening.weather"),
    ],
)
def test_an_ill_typed_evening_is_refused(evening: object, code: str, field: str | None) -> None:
    """At its place, in a hand and in the head of a file."""
    violation = refusal(six(3, "misere", 0, evening=evening))
    assert (violation.code, violation.field) == (code, field or "evening.left.1.after")
    text = {"evening": evening, "hands": [six(3, "misere", 0)]}
    if isinstance(evening, dict) and isinstance(evening.get("date"), datetime):
        return
    (refused,) = read_json(json.dumps(text))
    assert isinstance(refused, Refused)
    assert violation in refused.violations


def test_a_day_of_toml_is_written_as_text() -> None:
    """As JSON has no days."""
    written = six(3, "misere", 0, evening={"date": date(2026, 1, 31)})
    assert HandRecord.from_mapping(written).to_mapping()["evening"] == {"date": "2026-01-31"}


@pytest.mark.parametrize("size", [1, 3, 64])
def test_where_a_piece_of_a_file_with_a_head_ends_makes_no_difference(size: int) -> None:
    """Hands are yielded as they come."""
    for text in (JSON, json.dumps(json.loads(JSON), indent=1)):
        assert list(stream_json(Pieces(text, size))) == list(stream_json(StringIO(text)))
    with pytest.raises(Unreadable, match="belong above hands"):
        list(stream_json(Pieces('{"hands": [], "a": 1}', size)))


def test_a_hand_that_begins_with_its_evening_is_a_hand() -> None:
    """Without the key `hands`, or if that is no list."""
    written = {"evening": EVENING, **six(3, "misere", 0)}
    assert records(read_json(json.dumps(written))) == [HandRecord.from_mapping(written)]
    (refused,) = read_json(json.dumps({**written, "hands": 7}))
    assert isinstance(refused, Refused)
    assert [one.code for one in refused.violations] == ["unknown-key"]
    twice = json.dumps(written)[:-1] + ', "note": "a", "note": "b"}'
    (refused,) = read_json(twice)
    assert isinstance(refused, Refused)
    assert [one.code for one in refused.violations] == ["key-twice"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"evening" 7}', "line 1, column 12: Expecting ':' delimiter"),
        ('{"evening": {} "game"', "line 1, column 16: Expecting ',' delimiter"),
        ('{"evening": {}, game', "line 1, column 17: Expecting property name enclosed in double"),
        ('{"evening": {}, "hands": [] ,', "line 1, column 29: keys that all hands share belong"),
        ('{"evening": {}, "hands": []} 7', "line 1, column 30: Extra data"),
        ('{"evening": {}, "hands": [7 8]}', "line 1, column 29: Expecting ',' delimiter"),
        ('{"evening":', "line 1, column 12: Expecting value"),
    ],
)
def test_a_head_that_is_not_json_is_refused_with_its_place(text: str, message: str) -> None:
    """As any other text is."""
    with pytest.raises(Unreadable) as unreadable:
        list(read_json(text))
    assert str(unreadable.value).startswith(message)


def test_an_evening_needs_a_hand() -> None:
    """As other keys that hands share do."""
    with pytest.raises(Unreadable, match="there is no hand in this file"):
        list(read_toml('[evening]\nclub = "A"\n'))
    assert list(read_json('{"evening": {}, "hands": []}')) == []
