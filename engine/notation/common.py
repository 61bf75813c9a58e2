"""Shared parts of the notations: syntax errors, and reading a hand from plain values."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from engine.errors import Refused, refuse_any
from engine.record import HandRecord
from engine.record.evening import of_hand
from engine.record.reading import KeysTwice
from engine.record.seats import look_alikes

Reading = HandRecord | Refused
"""A record, or the violations found in it."""

SHAREABLE = ("format", "game", "rules", "options", "players")
"""Keys written once for a whole file if all hands have the same value."""

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


def with_shared(shared: Mapping[str, object], hand: object, place: int) -> object:
    """Return a hand completed by the keys that a file's hands share, its own keys first.

    Its number in the evening follows from its `place` in the file, from 0. A value that is not a table is
    returned unchanged. If a key of the hand or of the shared ones appears twice, that table is returned, and
    is refused when it is read.
    """
    if not isinstance(hand, Mapping) or isinstance(hand, KeysTwice):
        return hand
    if isinstance(shared, KeysTwice):
        return shared
    return {**(shared if "evening" in hand else of_hand(shared, place)), **hand}


def shared_keys(hands: Sequence[Mapping[str, object]]) -> dict[str, object]:
    """Return the `SHAREABLE` keys that all of two or more hands have in common, for the head of a file.

    An evening is shared if the hands are numbered in order; it then has the number of the first.
    """
    if len(hands) < 2:
        return {}
    first = hands[0]
    shared = {
        key: first[key]
        for key in SHAREABLE
        if all(key in hand and hand[key] == first[key] for hand in hands)
    }
    if "evening" in first and all(
        hand.get("evening") == of_hand({"evening": first["evening"]}, place)["evening"]
        for place, hand in enumerate(hands)
    ):
        shared["evening"] = first["evening"]
    return shared


def read_hand(value: object) -> Reading:
    """Return the record of a mapping, or, not raised, `Refused`, also for names that look alike."""
    try:
        record = HandRecord.from_mapping(value)
        refuse_any(look_alikes(record.players))
        return record
    except Refused as refused:
        return refused
