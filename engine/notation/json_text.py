"""Hand records in JSON and JSON Lines, both read as streams."""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from io import StringIO
from typing import IO

from engine.notation.common import (
    BYTE_ORDER_MARK,
    NOT_UTF_8,
    TOO_DEEP,
    FileHead,
    Reading,
    Unreadable,
    numbered_lines,
    read_hand,
    shared_keys,
)
from engine.record import HandRecord
from engine.record.reading import KeysTwice

_SPLITTERS = {ord(mark): f"\\u{ord(mark):04x}" for mark in "\x85\u2028\u2029"}
"""Escapes for characters that are valid in JSON but end a line for some programs."""

PIECE = 1 << 16
"""The number of characters read at a time."""
LOOKAHEAD = 200
"""The number of characters in which the first key of a table with a head is looked for."""
LONGEST_WORD = 12
"""The longest token of JSON. An error this close to the end of a piece may be caused by the cut."""
TOO_LONG = "a number has more digits than any count"
_ENDS = frozenset(" \t\n\r,]")
"""The characters that can follow a value in a list."""
_BLANKS = re.compile(r"[ \t\n\r]*")
HANDS = "hands"
"""The last key of a file with a head: the list of its hands."""
_HEAD = re.compile(rf'\{{[ \t\n\r]*"(?:evening|{HANDS})"')
"""The beginning of a file with keys that all hands share."""
KEYS_ABOVE = f"keys that all hands share belong above {HANDS}, which ends the table"


def _table(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Return a JSON object's keys as a dictionary, or as `KeysTwice` if one appears twice."""
    table = dict(pairs)
    if len(table) == len(pairs):
        return table
    times = Counter(key for key, _ in pairs)
    return KeysTwice(pairs, next(key for key in table if times[key] > 1))


_decoder = json.JSONDecoder(object_pairs_hook=_table)
_decode = _decoder.decode


def _parse(text: str, line: int) -> object:
    """Return the value of a JSON text that begins at `line`. Raises `Unreadable` for any other text."""
    try:
        return _decode(text)
    except json.JSONDecodeError as error:
        raise Unreadable(line + error.lineno - 1, error.colno, error.msg) from error
    except ValueError as error:
        raise Unreadable(line, 1, TOO_LONG) from error
    except RecursionError as error:
        raise Unreadable(line, 1, TOO_DEEP) from error


class _Source:
    """A text read in pieces. Parsed parts are discarded, and lines are counted for errors."""

    def __init__(self, stream: IO[str]) -> None:
        self._stream = stream
        self._text, self._at = "", 0
        self._line, self._column = 1, 1
        self._more()
        self._text = self._text.removeprefix(BYTE_ORDER_MARK)

    def next(self) -> str:
        """Skip white space and return the next character, without moving past it; empty at the end."""
        while True:
            blank = _BLANKS.match(self._text, self._at)
            self._at = self._at if blank is None else blank.end()
            if self._at < len(self._text):
                return self._text[self._at]
            if not self._more():
                return ""

    def begins(self, pattern: re.Pattern[str]) -> bool:
        """Return whether a pattern matches at the current position, without moving.

        It must match within `LOOKAHEAD` characters.
        """
        while len(self._text) - self._at < LOOKAHEAD and self._more():
            pass
        return pattern.match(self._text, self._at) is not None

    def skip(self) -> None:
        """Move past one character."""
        self._at += 1

    def value(self) -> object:
        """Return the JSON value at the current position, and move past it; raise `Unreadable` for others."""
        while True:
            try:
                value, end = _decoder.raw_decode(self._text, self._at)
            except json.JSONDecodeError as error:
                beyond = error.pos - self._at
                if not (self._may_be_cut(error) and self._more()):
                    raise self.unreadable(error.msg, self._at + beyond) from error
            except ValueError as error:
                raise Unreadable(self._place(self._at)[0], 1, TOO_LONG) from error
            except RecursionError as error:
                raise Unreadable(self._place(self._at)[0], 1, TOO_DEEP) from error
            else:
                # A number at the end of the piece may continue in the next one.
                size, rest = end - self._at, self._text[end : end + LONGEST_WORD]
                if len(rest) == LONGEST_WORD or rest[:1] in _ENDS or not self._more():
                    self._at += size
                    return value

    def unreadable(self, message: str, at: int | None = None) -> Unreadable:
        """Return, not raise, an error with the line and column of a position, by default the current one."""
        return Unreadable(*self._place(self._at if at is None else at), message)

    def _may_be_cut(self, error: json.JSONDecodeError) -> bool:
        """Return whether the error may be caused by the end of the piece, so that reading on is useful."""
        cut = error.pos >= len(self._text) - LONGEST_WORD
        return cut or error.msg.startswith("Unterminated string")

    def _more(self) -> bool:
        """Read the next piece, drop the parsed part, and return whether there was more text.

        A piece is at least as long as the rest, so that no value is parsed too often. Raises `Unreadable` if
        it is not UTF-8.
        """
        self._line, self._column = self._place(self._at)
        self._text, self._at = self._text[self._at :], 0
        try:
            piece = self._stream.read(max(PIECE, len(self._text)))
        except UnicodeDecodeError as error:
            raise self.unreadable(NOT_UTF_8) from error
        self._text += piece
        return bool(piece)

    def _place(self, at: int) -> tuple[int, int]:
        """Return the line and the column, from 1, of a position in the present text."""
        lines = self._text.count("\n", 0, at)
        column = at - self._text.rfind("\n", 0, at) if lines else self._column + at
        return self._line + lines, column


def stream_json(stream: IO[str]) -> Iterator[Reading]:
    """Yield the record of a text's one hand, or of each hand of a list, before the next one is read.

    Instead of a list, the text may be a table with shared keys and the list `hands`. A hand with violations
    is yielded as `Refused`. A syntax error raises `Unreadable` after the hands before it.

    >>> hands = StringIO('[{"game": "frog", "players": ["Ann", "Bob", "Cyd"], "dealer": "Ann"}, 7]')
    >>> next(stream_json(hands)).game
    'frog'
    """
    source = _Source(stream)
    mark = source.next()
    if mark == "{" and source.begins(_HEAD):
        yield from _hands_below_head(source)
    elif mark == "[":
        yield from _hands(source, FileHead({}))
    else:
        yield read_hand(source.value())
    if source.next():
        raise source.unreadable("Extra data")


def _hands(source: _Source, head: FileHead) -> Iterator[Reading]:
    """Yield the record or `Refused` of each hand of a list at the current position, and move past it.

    Each hand is completed by the keys of the head.
    """
    source.skip()
    mark, place = source.next(), 0
    while mark != "]":
        yield read_hand(head.complete(source.value(), place))
        mark, place = source.next(), place + 1
        if mark not in (",", "]"):
            raise source.unreadable("Expecting ',' delimiter")
        if mark == ",":
            source.skip()
            source.next()
    source.skip()


def _hands_below_head(source: _Source) -> Iterator[Reading]:
    """Yield the hands of a table with shared keys and then the list `hands`, and move past it.

    A table without this list is yielded as a hand itself.
    """
    keys: list[tuple[str, object]] = []
    mark = ","
    while mark == ",":
        source.skip()
        if source.next() != '"':
            raise source.unreadable("Expecting property name enclosed in double quotes")
        key = str(source.value())
        if source.next() != ":":
            raise source.unreadable("Expecting ':' delimiter")
        source.skip()
        if key == HANDS and source.next() == "[":
            yield from _hands(source, FileHead(_table(keys)))
            if source.next() != "}":
                raise source.unreadable(KEYS_ABOVE)
            source.skip()
            return
        source.next()
        keys.append((key, source.value()))
        mark = source.next()
    if mark != "}":
        raise source.unreadable("Expecting ',' delimiter")
    source.skip()
    yield read_hand(_table(keys))


def read_json(text: str) -> Iterator[Reading]:
    """Return the records or `Refused` of all hands of a text, as `stream_json`, after reading all of it.

    A syntax error anywhere raises `Unreadable`, and no hand is returned.

    >>> next(read_json('{"game": "six-bid", "players": ["Ann", "Bob", "Cyd"], "dealer": "Ann"}')).game
    'six-bid'
    """
    return iter(list(stream_json(StringIO(text))))


def read_jsonl(stream: Iterable[str]) -> Iterator[Reading]:
    """Yield the record of each line of a stream, or `Refused` with its violations; skip blank lines.

    Raises `Unreadable` at the first line that is not JSON or not UTF-8.
    """
    return read_lines(numbered_lines(stream))


def read_lines(lines: Iterable[tuple[int, str]]) -> Iterator[Reading]:
    """Yield the record of each numbered line, or `Refused` with its violations; skip blank lines.

    Raises `Unreadable` at the first line that is not JSON.
    """
    for number, line in lines:
        if line.strip():
            yield read_hand(_parse(line, number))


def write_json(records: Iterable[HandRecord]) -> str:
    """Return the JSON text of one hand as an object, or of several or none as a list, with a line end.

    Several hands of one evening, numbered in order, become a table with the keys that all share and the list
    `hands`.
    """
    tables = [record.to_mapping() for record in records]
    shared = shared_keys(tables)
    if "evening" in shared:
        own = [{key: hand[key] for key in hand if key not in shared} for hand in tables]
        evening = shared.pop("evening")
        return _encode({"evening": evening, **shared, HANDS: own}) + "\n"
    return _encode(tables[0] if len(tables) == 1 else tables) + "\n"


def write_jsonl(records: Iterable[HandRecord]) -> Iterator[str]:
    """Yield a line for each hand, a JSON object with all its keys and a line end."""
    for record in records:
        yield _encode(record.to_mapping()).translate(_SPLITTERS) + "\n"


def _encode(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
