"""Hand records in JSON, and in JSON Lines: one hand a line, read as a stream."""

import json
from collections.abc import Iterable, Iterator

from engine.notation.common import BYTE_ORDER_MARK, TOO_DEEP, Reading, Unreadable, read_hand
from engine.record import HandRecord
from engine.record.reading import KeysTwice

_SPLITTERS = {ord(mark): f"\\u{ord(mark):04x}" for mark in "\x85\u2028\u2029"}
"""Characters that JSON leaves as they are but that some programs take for the end of a line."""


def _table(pairs: list[tuple[str, object]]) -> dict[str, object]:
    table = dict(pairs)
    if len(table) == len(pairs):
        return table
    keys = [key for key, _ in pairs]
    return KeysTwice(pairs, next(key for key in keys if keys.count(key) > 1))


_decode = json.JSONDecoder(object_pairs_hook=_table).decode


def _parse(text: str, line: int) -> object:
    """Parse one JSON text that begins at the given line."""
    try:
        return _decode(text)
    except json.JSONDecodeError as error:
        raise Unreadable(line + error.lineno - 1, error.colno, error.msg) from error
    except ValueError as error:
        raise Unreadable(line, 1, "a number has more digits than any count") from error
    except RecursionError as error:
        raise Unreadable(line, 1, TOO_DEEP) from error


def read_json(text: str) -> Iterator[Reading]:
    """Read one hand, or a list of hands.

    >>> next(read_json('{"game": "six-bid", "players": ["Ann", "Bob", "Cyd"], "dealer": "Ann"}')).game
    'six-bid'
    """
    value = _parse(text.removeprefix(BYTE_ORDER_MARK), 1)
    return map(read_hand, value if isinstance(value, list) else [value])


def read_jsonl(stream: Iterable[str]) -> Iterator[Reading]:
    """Read a hand from each line as it comes; empty lines are passed over."""
    lines = enumerate(stream, 1)
    number = 0
    while True:
        try:
            number, line = next(lines)
        except StopIteration:
            return
        except UnicodeDecodeError as error:
            raise Unreadable(number + 1, 1, "the text is not UTF-8") from error
        line = line.removeprefix(BYTE_ORDER_MARK) if number == 1 else line
        if line.strip():
            yield read_hand(_parse(line, number))


def write_json(records: Iterable[HandRecord]) -> str:
    """Write one hand as a table, several as a list of them."""
    tables = [record.to_mapping() for record in records]
    return _encode(tables[0] if len(tables) == 1 else tables) + "\n"


def write_jsonl(records: Iterable[HandRecord]) -> Iterator[str]:
    """Write a line for each hand as it comes."""
    for record in records:
        yield _encode(record.to_mapping()).translate(_SPLITTERS) + "\n"


def _encode(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
