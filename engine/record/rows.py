"""Parses the two long lists of a hand record, its calls and its tricks.

Nearly every record uses one spelling, which is parsed as a whole. Anything else is parsed item by item, so
that each violation has its place.
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
    """Parse the calls in order; return `None` if the value is not a list.

    Otherwise a wrong row is left out and a wrong item is `None`, each with a violation.
    """
    calls = _plain_calls(value)
    if calls is not None:
        return calls
    rows: Any = _read_calls(value, at, problems)
    return rows and tuple([Call(*row) for row in rows])


def _plain_calls(value: object) -> tuple[Call, ...] | None:
    """Parse calls of a seat and a word each; return `None` for anything else."""
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
    """Parse the tricks in order."""
    rows = reading.array(value, at, problems)
    if rows is None:
        return None
    before = len(problems)
    tricks = _plain_tricks(rows) or [
        _read_trick(row, (at, place), problems) for place, row in enumerate(rows, 1)
    ]
    return None if len(problems) > before else Tricks.of(tricks)


def _plain_tricks(rows: list[Any]) -> Tricks | None:
    """Parse tricks with a leader and equally many cards, separated by spaces; `None` for anything else."""
    try:
        size = (len(rows[0]["cards"]) + 1) // 3
        leaders, texts = texts_of(rows, size)
        named = "".join(leaders)
        cards = tuple(map(SPELLINGS.__getitem__, texts))
    except (IndexError, KeyError, TypeError, ValueError):
        return None
    return Tricks(cards, (size,) * len(rows), tuple(leaders)) if named.isascii() else None


def texts_of(rows: list[dict[str, str]], size: int) -> tuple[list[str], list[str]]:
    """Return the leaders of tricks of `size` cards, and the text of each card.

    Raises `KeyError`, `TypeError` or `ValueError` for any other spelling.
    """
    leaders, texts = [row["leader"] for row in rows], [row["cards"] for row in rows]
    cards = " ".join(texts).split(" ")
    # A card has at least two characters, so longer ones would make the text longer.
    if (
        set(map(len, texts)) != {3 * size - 1}
        or len(cards) != size * len(rows)
        or set(map(type, rows)) != {dict}
        or sum(map(len, rows)) != 2 * len(rows)
    ):
        raise ValueError("tricks in another spelling")
    return leaders, cards
