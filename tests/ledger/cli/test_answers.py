"""``solo-ledger score`` reads with a quick parser exactly as the engine reads."""

import json

import pytest

from engine.notation.common import Unreadable
from engine.notation.json_text import read_jsonl
from ledger.cli.answers import quick_json, score_lines
from tests.engine.playing import HOUSES, House, dice
from tests.engine.test_kept import answer, records

ODD = ("NaN", "1e5", "9" * 30, "-0", "null", '"\\ud800"', '"a:b"', "[" * 2000 + "]" * 2000)


def slow(text: str) -> list[object]:
    """Read a line as the engine alone does, and give its answer, or why it cannot be read."""
    try:
        return [answer(hand) for hand in read_jsonl([text])]
    except Unreadable as error:
        return [str(error)]


def quick(text: str) -> list[object]:
    """Return the command's answer to a line, or the error of reading it."""
    scored = score_lines(([(1, text)], None))
    fault = [] if scored.fault is None else [str(scored.fault)]
    return [*map(json.loads, scored.answers.splitlines()), *fault]


@pytest.mark.parametrize("house", HOUSES, ids=str)
def test_hands_and_spoiled_hands_are_answered_alike(house: House) -> None:
    """Every game, each change that cannot be."""
    for record in records(house, dice(f"read at {house}")):
        text = json.dumps(record)
        assert quick(text) == slow(text)


@pytest.mark.parametrize("odd", ODD, ids=lambda odd: odd[:12])
@pytest.mark.parametrize("key", ["points", "note", "contract"])
def test_what_is_odd_is_read_alike(odd: str, key: str) -> None:
    """Numbers that are none or too large, halves of characters, depths, and keys that stand twice."""
    record = json.dumps(next(records(House("six-bid", 4), dice("odd"))))[:-1]
    once, twice = f'{record}, "{key}": {odd}}}', f'{record}, "{key}": 1, "{key}": {odd}}}'
    hidden = f'{record}, "note": "\\u003a", "{key}": 1, "{key}": {odd}}}'
    for text in (once, twice, hidden):
        assert quick(text) == slow(text)


def test_a_usual_line_is_left_to_the_quick_parser() -> None:
    """It reads usual lines; of several texts it leaves out only unusual ones."""
    default, twice = '{"points": 60, "note": "a:b \\u0141"}', '{"points": 60, "points": 61}'
    hidden = '{"points": 60, "points": 61, "note": "\\u003a"}'
    value = {"points": 60, "note": "a:b Ł"}
    assert quick_json([default]) == [value]
    assert quick_json([default, twice, default, default, hidden]) == [
        value,
        None,
        value,
        value,
        None,
    ]


def test_lines_are_answered_in_order_up_to_what_cannot_be_read() -> None:
    """Blank ones are skipped, refused ones state the reason, those after a broken one are not answered."""
    every = list(map(json.dumps, records(House("six-bid", 4), dice("in order"))))
    assert any("tricks" in each for each in every)
    lines = [*every[:5], "", *every[5:], "{", every[0]]
    scored = score_lines(([*enumerate(lines, 1)], None))
    told = [answer for line in lines[:-2] for answer in slow(line)]
    assert [*map(json.loads, scored.answers.splitlines())] == told
    assert str(scored.fault).startswith(f"line {len(lines) - 1},")
