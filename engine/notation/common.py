"""Shared parts of the notations: syntax errors, and reading a hand from plain values."""

from collections.abc import Iterable, Iterator

from engine.errors import Refused, refuse_any
from engine.record import HandRecord
from engine.record.seats import look_alikes

Reading = HandRecord | Refused
"""A record, or the violations found in it."""

TOO_DEEP = "tables and lists are nested deeper than any hand record"
NOT_UTF_8 = "the text is not UTF-8"
BYTE_ORDER_MARK = "\ufeff"


class Unreadable(Exception):
    """Raised for a syntax error. Lines and columns count from 1."""

    def __init__(self, line: int, column: int, message: str) -> None:
        super().__init__(line, column, message)
        self.line = line
        self.column = column
        self.message = message

    def __str__(self) -> str:
        return f"line {self.line}, column {self.column}: {self.message}"


def numbered_lines(stream: Iterable[str]) -> Iterator[tuple[int, str]]:
    """Yield numbered lines without a byte order mark. Raises `Unreadable` if they are not UTF-8."""
    number = 0
    try:
        for number, line in enumerate(stream, 1):
            yield number, line.removeprefix(BYTE_ORDER_MARK) if number == 1 else line
    except UnicodeDecodeError as error:
        raise Unreadable(number + 1, 1, NOT_UTF_8) from error


def read_hand(value: object) -> Reading:
    """Return the record of a mapping, or its violations, including players' names that look alike."""
    try:
        record = HandRecord.from_mapping(value)
        refuse_any(look_alikes(record.players))
        return record
    except Refused as refused:
        return refused
