"""The compact line: one spelling for each hand, and errors that name the place."""

import re
import statistics
from collections.abc import Callable, Iterator
from dataclasses import replace
from urllib.parse import quote, unquote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.cards.cards import CARDS
from engine.errors import Refused, Violation
from engine.notation.common import Unreadable
from engine.notation.compact import read, read_compact, write, write_compact
from engine.notation.compact_parts import PARTS, NoNotation, TableSeats
from engine.notation.compact_text import (
    DEEPEST,
    LONGEST_LINE,
    LineReader,
    NoLine,
    check_of,
    write_value,
)
from engine.record import HandRecord
from engine.scoring.score import score
from tests.engine.hands import six
from tests.engine.notation.unordered import in_order
from tests.engine.playing import HOUSES, House, dice, play, written
from tests.engine.strategies import hands
from tests.engine.test_properties import noted

SOLO = HandRecord.from_mapping(six(3, "heart-solo", 74))
LINE = "six-bid/Ann,Bob,Cyd@c/c:aheart-solo+H/points=74/tr1g"
THREE = HandRecord("six-bid", ("Ann", "Bob", "Cyd"), "Cyd")


def sealed(body: str) -> str:
    """Append the check characters to a line without them."""
    return f"{body}/{check_of(body)}"


def refusal(line: str) -> Violation:
    """Read a line that must be refused for one reason."""
    with pytest.raises(Refused) as refused:
        read(line)
    (violation,) = refused.value.violations
    return violation


def played(house: House, count: int) -> Iterator[HandRecord]:
    """Play hands at random."""
    rng = dice(f"line {house}")
    for _ in range(count):
        yield written(house, play(house, rng, speak=True))


def test_a_result_is_a_short_line() -> None:
    """Names and contract can be read in it."""
    assert write(SOLO) == LINE
    assert read(f"  {LINE}\n").contract == SOLO.contract._replace(trump=CARDS[9].suit)  # type: ignore[union-attr]
    assert score(read(LINE)) == score(SOLO)


@pytest.mark.parametrize("house", HOUSES, ids=str)
def test_a_hand_has_the_same_verdict_and_line_when_it_is_read_again(house: House) -> None:
    """A whole hand fits into a URL: 300 characters, or 400 with a spit deal."""
    lengths = []
    for record in played(house, 8):
        line = write(record)
        repeated = read(line)
        assert score(repeated) == score(record)
        assert write(repeated) == line
        assert len(f"https://example.org/replay#{line}") <= (400 if record.spit else 300)
        lengths += [] if record.spit else [len(line)]
    assert statistics.median(lengths) <= (237 if house.game == "crazy-solo" or house.pots else 200)


@settings(max_examples=150)
@given(noted())
def test_every_record_round_trips_as_a_line(record: HandRecord) -> None:
    """With any keys, whether or not a game allows them, and with names in any script."""
    record = HandRecord.from_mapping(record.to_mapping())  # words in the spelling of the format
    line = write(record)
    assert in_order(read(line)) == in_order(record)
    assert write(read(line)) == line
    assert unquote(line) == line == unquote(quote(line))
    assert re.fullmatch(r"[A-Za-z0-9$!+,./:=?@()_-]*", re.sub(r"[^\x00-\x7f]", "", line))


@settings(max_examples=100)
@given(hands())
def test_a_result_round_trips_as_a_line(record: HandRecord) -> None:
    """With house rules, pots and blind rounds; only two doubles may change their order."""
    line, verdict = write(record), score(record)
    repeated = score(read(line))
    in_any_order = repeated._replace(steps=verdict.steps, transfers=verdict.transfers)
    assert in_any_order == verdict
    assert sorted(repeated.explanation) == sorted(verdict.explanation)
    assert sorted(repeated.transfers) == sorted(verdict.transfers)
    assert write(read(line)) == line


@pytest.mark.parametrize(
    ("game", "seats", "more", "part"),
    [
        ("six-bid", 4, {"active": ["Ann", "Cyd", "Dee"]}, "@d=acd/"),
        ("six-bid", 3, {"note": "Zoë said 7, +1"}, "/note=Zoë+said+7$2c.+$2b.1/"),
        ("six-bid", 3, {"note": ""}, "/note=$./"),
        ("six-bid", 3, {"note": "74"}, "/note=$37.4/"),
        ("six-bid", 3, {"points": -3}, "/points=-3/"),
        ("six-bid", 3, {"made": False}, "/made=!0/"),
        ("six-bid", 3, {"options": {}}, "six-bid/Ann,Bob,Cyd@c/"),
        ("x", 3, {"options": {"b": {}, "a": {"c": 1}}}, "/options=(a=(c=1),b=(=))/"),
        ("x", 3, {"rules": "1,2"}, "x,1$2c.2/"),
        ("crazy-solo", 4, {"blind_round": {"done": ["Ann"], "heartless": 2}}, "/b:a2/"),
        ("crazy-solo", 4, {"blind_round": {}}, "/b:/"),
        ("crazy-solo", 4, {"blind_round": {"done": ["Zoë"]}}, "/blind_round=(done=(Zoë))/"),
        ("x", 3, {"deal": {"hands": {"Bob": "7H ? AS TS"}, "widow": "6C"}}, "/d:bSATH7?wC6/"),
        ("x", 3, {"auction": [["Ann", "pass"], ["Bob", "double"]]}, "/a:a-bx,/"),
        ("x", 3, {"auction": [["Ann", "redouble", "Bob"]]}, "/a:ay.b,/"),
        ("x", 3, {"auction": [["Ann", "redouble"]]}, "/auction=((Ann,redouble))/"),
        ("x", 3, {"auction": [["Ann", "x"]]}, "/auction=((Ann,x))/"),
        ("x", 3, {"contract": {}}, "/c:./"),
        ("x", 3, {"contract": {"bidder": "Ann", "bid": "a", "alone": True}}, "/contract=(alone=!1,bid=a,"),
        ("x", 3, {"contract": {"bidder": "Ann", "called": "TD", "alone": True}}, "/c:a!DT=0/"),
        ("x", 3, {"contract": {"bid": "so", "doubled": ["Bob"], "redoubled": []}}, "/c:.so,xb,y/"),
        ("x", 3, {"contract": {"bid": "so", "announced_tout": True}}, "/c:.so,t/"),
        ("x", 3, {"contract": {"alone": False}}, "/contract=(alone=!0)/"),
        ("x", 3, {"exchange": {"took": "7H AS", "discarded": ""}}, "/e:tSAH7d/"),
        ("x", 3, {"exchange": {"from": "widow"}}, "/e:fw/"),
        ("x", 3, {"exchange": {"from": "Bob", "returned": "TD"}}, "/e:fbrDT/"),
        ("x", 3, {"tricks": [{"leader": "Bob", "cards": "TD 9H AD"}, {"cards": "6D"}]}, "/t:@bdTH9Ad6/"),
        ("x", 3, {"tricks": [{"cards": ""}]}, "/tricks=((cards=$.))/"),
        ("x", 3, {"spit": {"order": [["Ann", "6S"], ["spit", "7S"], ["Cyd", "8H"]]}}, "/s:S6-7cH8/"),
        ("x", 3, {"spit": {"order": [], "drawn": [["Ann", "6S", "TD"]]}}, "/s:,aS6DT/"),
        ("x", 3, {"spit": {"drawn": []}}, "/spit=(drawn=())/"),
    ],
)  # fmt: skip
def test_each_part_has_its_notation(
    game: str, seats: int, more: dict[str, object], part: str
) -> None:
    """A value that the notation of its part can't express is written like any other key."""
    mapping = six(seats, "solo") | {"contract": None, "game": game} | more
    record = HandRecord.from_mapping(mapping)
    line = write(record)
    assert part in line
    assert write(read(line)) == line


@pytest.mark.parametrize(
    ("body", "column", "wanted"),
    [
        ("", 1, "a game"),
        ("six-bid", 8, "a game"),
        ("six-bid,/Ann,Bob,Cyd@a", 9, "a game"),
        ("six-bid/", 9, "names"),
        ("six-bid/Ann,,Cyd@a", 13, "names"),
        ("six-bid/Ann,Bob,Cyd", 20, "dealer"),
        ("six-bid/Ann,Bob,Cyd@d", 21, "dealer"),
        ("six-bid/Ann,Bob,Cyd@", 21, "dealer"),
        ("six-bid/Ann,Bob,Cyd@c=abz", 25, "a slash"),
        ("six-bid/Ann,Bob,Cyd@c/", 23, "a part"),
        ("six-bid/Ann,Bob,Cyd@c/points", 23, "a part"),
        ("six-bid/Ann,Bob,Cyd@c/game=frog", 23, "a part"),
        ("six-bid/Ann,Bob,Cyd@c/a:/a:", 26, "a part"),
        ("six-bid/Ann,Bob,Cyd@c/points=", 30, "a value"),
        ("six-bid/Ann,Bob,Cyd@c/points=7%4", 31, "a slash"),
        ("six-bid/Ann,Bob,Cyd@c/points=1e999", 30, "a value"),
        ("six-bid/Ann,Bob,Cyd@c/points=1e9.1", 30, "a value"),
        ("six-bid/Ann,Bob,Cyd@c/note=$110000.", 28, "a value"),
        ("six-bid/Ann,Bob,Cyd@c/options=(a=1", 35, "a comma"),
        ("six-bid/Ann,Bob,Cyd@c/options=(a=1,a=2)", 38, "a value"),
        ("six-bid/Ann,Bob,Cyd@c/options=(a=1,b)", 37, "a value"),
        ("six-bid/Ann,Bob,Cyd@c/x-a=" + "(" * (DEEPEST + 1) + ")" * (DEEPEST + 1), 36, "a value"),
        ("six-bid/Ann,Bob,Cyd@c/b:a9x", 27, "a slash"),
        ("six-bid/Ann,Bob,Cyd@c/b:ax", 26, "a value"),
        ("six-bid/Ann,Bob,Cyd@c/d:dSA", 25, "a seat"),
        ("six-bid/Ann,Bob,Cyd@c/a:asolo", 30, "a bid"),
        ("six-bid/Ann,Bob,Cyd@c/a:a+", 26, "a bid"),
        ("six-bid/Ann,Bob,Cyd@c/c:asolo+X", 31, "a card"),
        ("six-bid/Ann,Bob,Cyd@c/c:asolo!S1", 31, "a card"),
        ("six-bid/Ann,Bob,Cyd@c/c:asolo,z", 31, "a detail"),
        ("six-bid/Ann,Bob,Cyd@c/c:asolo;", 30, "a detail"),
        ("six-bid/Ann,Bob,Cyd@c/e:x", 25, "t d f or r"),
        ("six-bid/Ann,Bob,Cyd@c/t:S6", 25, "the card led"),
        ("six-bid/Ann,Bob,Cyd@c/t:s6S", 28, "a card"),
        ("six-bid/Ann,Bob,Cyd@c/s:6", 25, "a card"),
        ("six-bid/Ann,Bob,Cyd@c/s:-bS6", 28, "a card"),
        ("six-bid/Ann,Bob,Cyd@c/s:S6,a", 29, "a card"),
    ],
)  # fmt: skip
def test_a_line_that_cannot_be_read_names_the_character(
    body: str, column: int, wanted: str
) -> None:
    """And what is needed there."""
    violation = refusal(sealed(body))
    assert violation.code == "line-malformed"
    assert violation.where == {"field": "line", "column": column}
    assert f"at character {column}: " in violation.message
    assert wanted in violation.message


@pytest.mark.parametrize(
    ("body", "column"),
    [
        ("six-bid/Ann,Bob,Cyd@c/points=74/c:aheart-solo", 23),
        ("six-bid/Ann,Bob,Cyd@c/points=074", 30),
        ("six-bid/Ann,Bob,Cyd@c/format=1", 22),
        ("six-bid/A$6e.n,Bob,Cyd@c", 10),
        ("six-bid/Ann,Bob,Cyd@c/note=a$00f.", 30),
        ("six-bid/Ann,Bob,Cyd@c/d:aSTA", 27),
        ("six-bid/Ann,Bob,Cyd@c/contract=(bid=solo)", 24),
        ("six-bid/Ann,Bob,Cyd@c/a:apass,", 26),
    ],
)
def test_a_line_with_another_spelling_is_refused(body: str, column: int) -> None:
    """Even if it means the same: so a hand has one line, which can be compared as text."""
    violation = refusal(sealed(body))
    assert violation.code == "line-spelling"
    assert violation.where == {"field": "line", "column": column}


def test_parts_can_hold_what_a_later_format_allows() -> None:
    """Unknown cards in tricks, tricks as text; a key without a notation makes the whole part a value."""
    seats = TableSeats.of(THREE.players, THREE.dealer)
    tricks = PARTS["tricks"]
    for text, plain in (("sA?T-SK?", ["AS ? TS", "? KS ?"]), ("-?", ["? ?"])):
        assert tricks.write(plain, seats) == text
        repeated = tricks.read(LineReader(text, 0, len(text)), seats)
        assert repeated == [{"cards": cards} for cards in plain]
    with pytest.raises(NoNotation):
        PARTS["deal"].write({"burnt": "AS"}, seats)


def test_the_right_check_characters_are_not_revealed() -> None:
    """Whoever forges a line is not helped."""
    violation = refusal(LINE.replace("74", "64"))
    assert violation.code == "line-check"
    assert violation.where == {"field": "line", "column": len(LINE) - 3}
    right = check_of(LINE.replace("74", "64")[:-5])
    assert right not in str(violation.to_mapping())
    assert not violation.legal


def test_a_line_without_check_characters_is_refused_at_its_end() -> None:
    """As when its end was cut off."""
    for line in (LINE[:-1], LINE[:-5], LINE.replace("/tr1g", "/TR1G"), LINE + "0"):
        violation = refusal(line)
        assert violation.code in ("line-malformed", "line-check")
    assert refusal("six-bid").where["column"] == 3
    assert refusal(sealed(LINE[:-5])[:-4] + "----").where["column"] == len(LINE) - 4


def test_a_line_of_any_length_is_refused_in_bounded_time() -> None:
    """Above the bound unread, at the character after it."""
    violation = refusal("(" * 1_000_000)
    assert violation.where["column"] == LONGEST_LINE + 1
    assert refusal("a" * LONGEST_LINE).code == "line-malformed"
    with pytest.raises(NoLine, match="16,384 characters"):
        write(replace(THREE, note="x" * LONGEST_LINE))


def test_a_value_that_no_line_can_hold_is_named() -> None:
    """Numbers without end, tables in tables, and values that JSON does not have."""
    deep: object = "x"
    for _ in range(DEEPEST + 1):
        deep = [deep]
    for value, reason in (
        (deep, "deep"),
        (10**41, "digits"),
        (1e400, "digits"),
        (object(), "text"),
    ):
        with pytest.raises(NoLine, match=reason):
            write_value(value)


def answer(record: HandRecord) -> dict[str, object]:
    """Return the verdict on a hand, or its violations."""
    try:
        return score(record).to_mapping()
    except Refused as refused:
        return refused.to_mapping()


@pytest.mark.parametrize(
    "more",
    [
        {"x-app": {"a": [1, 2.5, True, "74"], "b": {}}, "x-a/b:c": "7"},
        {"stated": {"amount": 5, "deltas": {"Ann": 5}}},
        {"evening": {"club": "Thursday club", "date": "2026-01-08", "number": 7}},
        {"notes": [{"text": "hm", "trick": 1}]},
        {"tricks": 3},
        {"tricks": 3, "claimed": {"by": "bidder", "after": 3}},
        {"tricks": 3, "claimed": {"by": "opponents", "after": 3, "points": 20}},
        {"irregular": [{"what": "misdeal", "seat": "Ann", "settled": "void"}]},
        {"unknown": True},
    ],
    ids=str,
)
@pytest.mark.parametrize("house", HOUSES[::3], ids=str)
def test_keys_of_format_1_1_are_carried(house: House, more: dict[str, object]) -> None:
    """Claims, irregularities, remarks, unfinished hands, unknown cards, and other programs' keys."""
    (record,) = played(house, 1)
    keys = record.to_mapping() | {"format": 1.1} | more
    tricks = [" ".join(map(str, trick.cards)) for trick in record.tricks or ()]
    if keys.pop("unknown", False):
        tricks[-1:] = [" ".join("?" for _ in trick.split()) for trick in tricks[-1:]]
    if tricks:
        keys["tricks"] = tricks[:3] if more.get("tricks") else tricks
    else:
        keys = {
            key: value for key, value in keys.items() if key not in ("tricks", "notes", "claimed")
        }
    repeated = read(write(HandRecord.from_mapping(keys)))
    assert answer(repeated) == answer(HandRecord.from_mapping(keys))
    assert write(repeated) == write(HandRecord.from_mapping(keys))
    for key in more.keys() & keys.keys() - {"tricks"}:
        assert repeated.to_mapping()[key] == HandRecord.from_mapping(keys).to_mapping()[key]


@pytest.mark.parametrize("outer", [lambda inner: [inner], lambda inner: {"k": inner}])
def test_values_are_nested_to_a_bound(outer: Callable[[object], object]) -> None:
    """One level more can neither be written nor read."""
    value: object = "x"
    for _ in range(DEEPEST):
        value = outer(value)
    text = write_value(value)
    assert LineReader(text, 0, len(text)).value() == value
    with pytest.raises(NoLine, match="nested too deep"):
        write_value(outer(value))
    text = f"({text})" if text.startswith("((") or text == "(x)" else f"(k={text})"
    with pytest.raises(Refused):
        LineReader(text, 0, len(text)).value()


VALUES = st.recursive(
    st.booleans() | st.integers(-(10**30), 10**30) | st.text(max_size=5)
    | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)  # fmt: skip


@given(VALUES)
def test_every_value_of_a_record_round_trips(value: object) -> None:
    """So that a line can carry keys without a notation of their own."""
    text = write_value(value)
    source = LineReader(text, 0, len(text))
    assert source.value() == value
    assert source.over


def test_lines_are_read_as_a_stream() -> None:
    """A blank line is skipped, and a refused one does not stop the next."""
    lines = [LINE + "\n", "\n", "oops\n", *write_compact([THREE])]
    first, second, third = read_compact(["\ufeff" + lines[0], *lines[1:]])
    assert isinstance(second, Refused)
    assert write(first) == LINE  # type: ignore[arg-type]
    assert third == THREE

    def broken() -> Iterator[str]:
        yield LINE
        b"\xff".decode()

    with pytest.raises(Unreadable, match="line 2, column 1: the text is not UTF-8"):
        list(read_compact(broken()))


def test_names_that_look_alike_are_refused_in_a_line_too() -> None:
    """As in the other notations."""
    assert refusal(write(replace(THREE, players=("Ann", "Аnn", "Cyd")))).code == "name-looks-alike"
