"""Shared parts of the notations: syntax errors, and reading a hand from plain values."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from engine.errors import Problems, Refused, refuse_any
from engine.record import HandRecord
from engine.record.evening import NUMBER
from engine.record.fields import read_evening
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
    """Yield each line with its number, from 1, the first without a byte order mark.

    Line ends are kept. Raises `Unreadable` if the stream is not UTF-8.
    """
    number = 0
    try:
        for number, line in enumerate(stream, 1):
            yield number, line.removeprefix(BYTE_ORDER_MARK) if number == 1 else line
    except UnicodeDecodeError as error:
        raise Unreadable(number + 1, 1, NOT_UTF_8) from error


class FileHead:
    """The keys that all hands of a file share, to complete each hand; an evening is parsed once."""

    def __init__(self, keys: Mapping[str, object]) -> None:
        evening = keys.get("evening")
        is_table = isinstance(evening, Mapping) and not isinstance(evening, KeysTwice)
        self._keys = keys
        self._evening: Any = evening if is_table else None
        self._read: Any = read_evening(evening, "evening", []) if is_table else None

    def complete(self, hand: object, place: int) -> object:
        """Return a hand with the shared keys that it does not state itself; `place` counts hands from 0.

        The evening gets the hand's number. A value that is not a table is returned unchanged. If a key of the
        hand or of the shared ones appears twice, that table is returned, and is refused when it is read.
        """
        if not isinstance(hand, Mapping) or isinstance(hand, KeysTwice):
            return hand
        if isinstance(self._keys, KeysTwice):
            return self._keys
        return {**(self._keys if "evening" in hand else self._at(place)), **hand}

    def evening_at(self, place: int) -> Mapping[str, object]:
        """Return the shared evening with the number of the hand at this place, from 0.

        It is the first hand's number, by default 1, plus the place. Call it only if an evening is shared.
        """
        first = self._evening.get(NUMBER, 1)
        return {**self._evening, NUMBER: first + place if type(first) is int else first}

    def _at(self, place: int) -> Mapping[str, object]:
        """Return the shared keys for the hand at this place, from 0, with the evening's number for it.

        If no `players` are shared, those at this hand follow from the seats of a valid evening.
        """
        if self._evening is None:
            return self._keys
        evening = self.evening_at(place)
        keys = {**self._keys, "evening": evening}
        problems: Problems = []
        at_hand = None if self._read is None else self._read._replace(number=evening[NUMBER])
        players = None if at_hand is None else at_hand.players(problems)
        return keys if problems or players is None else {"players": list(players), **keys}


def shared_keys(hands: Sequence[Mapping[str, object]]) -> dict[str, object]:
    """Return the `SHAREABLE` keys that all of two or more hands have in common, for the head of a file.

    An evening is shared if the hands are numbered in order; it then has the number of the first. For fewer
    hands the result is empty.
    """
    if len(hands) < 2:
        return {}
    first = hands[0]
    shared = {
        key: first[key]
        for key in SHAREABLE
        if all(key in hand and hand[key] == first[key] for hand in hands)
    }
    head = FileHead({"evening": first.get("evening")})
    if "evening" in first and all(
        hand.get("evening") == head.evening_at(place) for place, hand in enumerate(hands)
    ):
        shared["evening"] = first["evening"]
    return shared


def read_hand(value: object) -> Reading:
    """Return the record of plain values or, not raised, the `Refused` with its violations.

    Names that look alike are violations here, too.
    """
    try:
        record = HandRecord.from_mapping(value)
        refuse_any(look_alikes(record.players))
        return record
    except Refused as refused:
        return refused
