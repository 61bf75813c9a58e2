"""Reads the two long lists of a hand record, its calls and its tricks.

Nearly every record spells them alike, and those are read at once. Anything odd about one of them is
read again, item by item, so that whatever is wrong is named at its place.
"""

from collections.abc import Callable
from operator import itemgetter
from typing import Any

from engine.cards.cards import read_spaced
from engine.errors import Problems
from engine.record import reading
from engine.record.parts import Call, Trick, Tricks, reader_of
from engine.record.reading import ALIASES, At

_leader: Callable[[Any], str] = itemgetter("leader")
_cards: Callable[[Any], str] = itemgetter("cards")

_read_trick: Any = reader_of(Trick)
_read_calls = reading.rows_of(reading.text, reading.bid, reading.text, optional=1)


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
        calls.append(Call(seat, ALIASES.get(call, call)))
    return tuple(calls)


def read_tricks(value: object, at: At, problems: Problems) -> Tricks | None:
    """Read the tricks in order."""
    rows = reading.array(value, at, problems)
    if rows is None:
        return None
    before = len(problems)
    tricks = usual_tricks(rows) or [
        _read_trick(row, (at, place), problems) for place, row in enumerate(rows, 1)
    ]
    return None if len(problems) > before else Tricks.of(tricks)


def usual_tricks(rows: list[object]) -> Tricks | None:
    """Read tricks of a leader and as many cards each, a space between them; `None` for anything odd."""
    count = len(rows)
    if set(map(type, rows)) != {dict} or sum(map(len, rows)) != 2 * count:  # type: ignore[arg-type]
        return None
    try:
        leaders, texts = tuple(map(_leader, rows)), list(map(_cards, rows))
        whole, named = " ".join(texts), "".join(leaders)
    except (KeyError, TypeError):
        return None
    cards, lengths = read_spaced(whole), set(map(len, texts))
    # No card is spelled with fewer than two characters; where one has more, lengths tell no number.
    short = cards is not None and len(whole) + 1 == 3 * len(cards)
    if cards is None or not short or len(lengths) > 1 or not named.isascii():
        return None
    return Tricks(cards, (len(cards) // count,) * count, leaders)
