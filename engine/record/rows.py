"""Reads the two long lists of a hand record, its calls and its tricks.

Nearly every record spells them alike, and those are read at once. Anything odd about one of them is
read again, item by item, so that whatever is wrong is named at its place.
"""

from typing import Any

from engine.cards import read_spaced
from engine.record import reading
from engine.record.parts import Call, Trick
from engine.record.reading import At, Problems
from engine.record.shaping import rows_of

_read_calls = rows_of(reading.text, reading.text, reading.text, optional=1)


def read_auction(value: object, at: At, problems: Problems) -> tuple[Call, ...] | None:
    """Read the calls in order."""
    usual = _usual_calls(value)
    if usual is not None:
        return usual
    rows: Any = _read_calls(value, at, problems)
    return rows and tuple([Call(*row) for row in rows])


def _usual_calls(value: object) -> tuple[Call, ...] | None:
    """Read calls of a seat and a word each; `None` for anything odd."""
    if type(value) is not list:
        return None
    calls = []
    for row in value:
        if type(row) is not list or len(row) != 2:
            return None
        seat, call = row
        if type(seat) is not str or type(call) is not str or not (seat + call).isascii():
            return None
        calls.append(Call(seat, call))
    return tuple(calls)


def read_tricks(value: object, at: At, problems: Problems) -> tuple[Trick | None, ...] | None:
    """Read the tricks in order."""
    rows = reading.array(value, at, problems)
    if rows is None:
        return None
    usual = _usual_tricks(rows)
    if usual is not None:
        return usual
    return tuple([Trick.read(row, (at, place), problems) for place, row in enumerate(rows, 1)])


def _usual_tricks(rows: list[object]) -> tuple[Trick, ...] | None:
    """Read tricks of a leader and cards with a space between them; `None` for anything odd."""
    leaders, texts = [], []
    for row in rows:
        if type(row) is not dict or len(row) != 2:
            return None
        leader, text = row.get("leader"), row.get("cards")
        if type(leader) is not str or type(text) is not str:
            return None
        leaders.append(leader)
        texts.append(text)
    cards = read_spaced(" ".join(texts))
    if cards is None or not "".join(leaders).isascii():
        return None
    tricks, end = [], 0
    for leader, text in zip(leaders, texts, strict=True):
        start, end = end, end + text.count(" ") + 1
        tricks.append(Trick(cards[start:end], leader))
    return tuple(tricks)
