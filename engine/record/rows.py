"""Reads the two long lists of a hand record, its calls and its tricks.

Nearly every record spells them alike, and those are read at once. Anything odd about one of them is
read again, item by item, so that whatever is wrong is named at its place.
"""

from typing import Any

from engine.cards.cards import SPELLINGS
from engine.errors import Problems
from engine.record import reading
from engine.record.parts import Call, Trick, Tricks, reader_of
from engine.record.reading import ALIASES, At

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
    tricks = _usual_tricks(rows) or [
        _read_trick(row, (at, place), problems) for place, row in enumerate(rows, 1)
    ]
    return None if len(problems) > before else Tricks.of(tricks)


def _usual_tricks(rows: list[Any]) -> Tricks | None:
    """Read tricks of a leader and as many cards each, a space between them; `None` for anything odd."""
    try:
        size = (len(rows[0]["cards"]) + 1) // 3
        leaders, texts = texts_of(rows, size)
        named = "".join(leaders)
        cards = tuple(map(SPELLINGS.__getitem__, texts))
    except (IndexError, KeyError, TypeError, ValueError):
        return None
    return Tricks(cards, (size,) * len(rows), tuple(leaders)) if named.isascii() else None


def texts_of(rows: list[dict[str, str]], size: int) -> tuple[list[str], list[str]]:
    """Give the leaders of tricks of so many cards, and all cards as they are written.

    `KeyError`, `TypeError` or `ValueError` for anything odd.
    """
    leaders, texts = [row["leader"] for row in rows], [row["cards"] for row in rows]
    cards = " ".join(texts).split(" ")
    # No card is spelled with fewer than two characters: more of them would be longer.
    if (
        set(map(len, texts)) != {3 * size - 1}
        or len(cards) != size * len(rows)
        or set(map(type, rows)) != {dict}
        or sum(map(len, rows)) != 2 * len(rows)
    ):
        raise ValueError("no usual tricks")
    return leaders, cards
