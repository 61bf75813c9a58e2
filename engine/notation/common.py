"""What the notations share: how a text fails, and how a hand is read from plain values."""

from engine.errors import Refused
from engine.record import HandRecord

Reading = HandRecord | Refused
"""A hand that was read, or everything that is wrong with it."""

TOO_DEEP = "tables and lists are nested deeper than any hand record"
NOT_UTF_8 = "the text is not UTF-8"
BYTE_ORDER_MARK = "\ufeff"


class Unreadable(Exception):
    """A text that is not in its notation. Lines and columns count from 1."""

    def __init__(self, line: int, column: int, message: str) -> None:
        super().__init__(line, column, message)
        self.line = line
        self.column = column
        self.message = message

    def __str__(self) -> str:
        return f"line {self.line}, column {self.column}: {self.message}"


def read_hand(value: object) -> Reading:
    """Read one hand from plain values."""
    try:
        return HandRecord.from_mapping(value)
    except Refused as refused:
        return refused
