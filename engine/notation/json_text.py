"""Hand records in JSON, and in JSON Lines, one hand per line: both are read as a stream."""

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
    Reading,
    Unreadable,
    numbered_lines,
    read_hand,
)
from engine.record import HandRecord
from engine.record.reading import KeysTwice

_SPLITTERS = {ord(mark): f"\\u{ord(mark):04x}" for mark in "\x85\u2028\u2029"}
"""Characters that JSON leaves as they are but that some programs take for the end of a line."""

PIECE = 1 << 16
"""How many characters are read at a time."""
LONGEST_WORD = 12
"""No word, number sign or escape of JSON is longer, so that an error so near the end may be a cut."""
TOO_LONG = "a number has more digits than any count"
_ENDS = frozenset(" \t\n\r,]")
"""What may stand behind a value of a list."""
_BLANKS = re.compile(r"[ \t\n\r]*")


def _table(pairs: list[tuple[str, object]]) -> dict[str, object]:
    table = dict(pairs)
    if len(table) == len(pairs):
        return table
    times = Counter(key for key, _ in pairs)
    return KeysTwice(pairs, next(key for key in table if times[key] > 1))


_decoder = json.JSONDecoder(object_pairs_hook=_table)
_decode = _decoder.decode


def _parse(text: str, line: int) -> object:
    """Parse one JSON text that begins at the given line."""
    try:
        return _decode(text)
    except json.JSONDecodeError as error:
        raise Unreadable(line + error.lineno - 1, error.colno, error.msg) from error
    except ValueError as error:
        raise Unreadable(line, 1, TOO_LONG) from error
    except RecursionError as error:
        raise Unreadable(line, 1, TOO_DEEP) from error


class _Source:
    """A text that is read in pieces: what was read is let go, and its lines are counted."""

    def __init__(self, stream: IO[str]) -> None:
        self._stream = stream
        self._text, self._at = "", 0
        self._line, self._column = 1, 1
        self._more()
        self._text = self._text.removeprefix(BYTE_ORDER_MARK)

    def next(self) -> str:
        """Give the next character that is not a blank, nothing at the end of the text."""
        while True:
            blank = _BLANKS.match(self._text, self._at)
            self._at = self._at if blank is None else blank.end()
            if self._at < len(self._text):
                return self._text[self._at]
            if not self._more():
                return ""

    def skip(self) -> None:
        """Go past one character."""
        self._at += 1

    def value(self) -> object:
        """Read the JSON value that begins here; `Unreadable` when none does."""
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
                # A number near the end of the piece may go on in the next one.
                size, rest = end - self._at, self._text[end : end + LONGEST_WORD]
                if len(rest) == LONGEST_WORD or rest[:1] in _ENDS or not self._more():
                    self._at += size
                    return value

    def unreadable(self, message: str, at: int | None = None) -> Unreadable:
        """Say what is wrong, and where."""
        return Unreadable(*self._place(self._at if at is None else at), message)

    def _may_be_cut(self, error: json.JSONDecodeError) -> bool:
        """Whether more of the text may put it right; else a broken file would be read to its end first."""
        cut = error.pos >= len(self._text) - LONGEST_WORD
        return cut or error.msg.startswith("Unterminated string")

    def _more(self) -> bool:
        """Read the next piece, as long as what is left over, so that no value is read too often."""
        self._line, self._column = self._place(self._at)
        self._text, self._at = self._text[self._at :], 0
        try:
            piece = self._stream.read(max(PIECE, len(self._text)))
        except UnicodeDecodeError as error:
            raise self.unreadable(NOT_UTF_8) from error
        self._text += piece
        return bool(piece)

    def _place(self, at: int) -> tuple[int, int]:
        lines = self._text.count("\n", 0, at)
        column = at - self._text.rfind("\n", 0, at) if lines else self._column + at
        return self._line + lines, column


def stream_json(stream: IO[str]) -> Iterator[Reading]:
    """Read one hand, or a list of hands, of which each is given before the next is read.

    >>> hands = StringIO('[{"game": "frog", "players": ["Ann", "Bob", "Cyd"], "dealer": "Ann"}, 7]')
    >>> next(stream_json(hands)).game
    'frog'
    """
    source = _Source(stream)
    if source.next() != "[":
        yield read_hand(source.value())
    else:
        source.skip()
        mark = source.next()
        while mark != "]":
            yield read_hand(source.value())
            mark = source.next()
            if mark not in (",", "]"):
                raise source.unreadable("Expecting ',' delimiter")
            if mark == ",":
                source.skip()
                source.next()
        source.skip()
    if source.next():
        raise source.unreadable("Extra data")


def read_json(text: str) -> Iterator[Reading]:
    """Read one hand, or a list of hands, all at once.

    >>> next(read_json('{"game": "six-bid", "players": ["Ann", "Bob", "Cyd"], "dealer": "Ann"}')).game
    'six-bid'
    """
    return iter(list(stream_json(StringIO(text))))


def read_jsonl(stream: Iterable[str]) -> Iterator[Reading]:
    """Read a hand from each line as it comes."""
    return read_lines(numbered_lines(stream))


def read_lines(lines: Iterable[tuple[int, str]]) -> Iterator[Reading]:
    """Read a hand from each numbered line; empty ones are passed over."""
    for number, line in lines:
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
