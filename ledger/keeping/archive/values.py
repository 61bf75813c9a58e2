"""Checks of an archive's values, which become rows as SQLite stores them.

A value that a column can't hold, in SQLite or PostgreSQL, raises ``ValueError`` with a message for people.
"""

import base64
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, date, datetime
from operator import itemgetter
from typing import Any, Final

from ledger.database import json

Values = Mapping[str, Any]
Row = tuple[Any, ...]
Check = Callable[[Sequence[Any]], Sequence[Any]]
"""Returns a column's values, at least one, as they are stored. Raises ``ValueError``."""

MOST_TEXT: Final = 20_000
"""The most characters of a text in a column, except JSON."""

MOST_ID: Final = 2**53
"""An id that no club reaches; after larger ones there would be none left."""

_TEXTS = {"record", "verdict"}
"""The JSON columns whose stored text is in the archive, because digests cover it."""


class Columns:
    """The columns of a table that lines fill, with their checks; ``names`` gives their order in rows.

    The club's number is not one of them, and ``left_out`` names others.
    """

    def __init__(
        self, connection: sqlite3.Connection, table: str, left_out: Sequence[str] = ()
    ) -> None:
        self._checks = {
            name: _check(name, kind, is_nullable=not required)
            for _, name, kind, required, *_ in connection.execute(f"PRAGMA table_info({table})")
            if name not in ("club_id", *left_out)
        }
        self.names = tuple(self._checks)
        self._values = itemgetter(*self.names)

    def rows(self, lines: Sequence[Values]) -> Sequence[Row]:
        """Return the checked values of lines, in the order of ``names``; raise if ``row`` would for one.

        Columns are checked as a whole, which takes a third of the time.
        """
        for values in lines:
            if len(values) != len(self.names):
                self.row(values)
        columns = zip(*map(self._values, lines), strict=True)
        checked = [
            check(column) for check, column in zip(self._checks.values(), columns, strict=True)
        ]
        return list(zip(*checked, strict=True))

    def row(self, values: Values) -> Row:
        """Return the checked values of a line. Raises ``ValueError`` with the column."""
        if values.keys() != self._checks.keys():
            if missing := self._checks.keys() - values.keys():
                raise ValueError(f"it has no {min(missing)}")
            raise ValueError(f"it has an unknown {min(values.keys() - self._checks.keys())[:40]!r}")
        checked: list[Any] = []
        for name, check in self._checks.items():
            try:
                checked += check([values[name]])
            except (ValueError, TypeError, OverflowError) as error:
                raise ValueError(f"its {name} is not possible ({error})") from error
        return tuple(checked)


def _check(name: str, kind: str, *, is_nullable: bool) -> Check:
    """Return the check of a column's values, which returns them as they are stored."""
    check = (
        _ID if name == "id" else _JSON_TEXT if name in _TEXTS else _CHECKS[kind.partition("(")[0]]
    )
    return _nullable(check) if is_nullable else check


def _nullable(check: Check) -> Check:
    def check_others(values: Sequence[Any]) -> Sequence[Any]:
        others = [value for value in values if value is not None]
        if len(others) == len(values):
            return check(values)
        stored = iter(check(others) if others else ())
        return [None if value is None else next(stored) for value in values]

    return check_others


def _each(check: Callable[[Any], Any]) -> Check:
    return lambda values: list(map(check, values))


def _integers(lowest: int, limit: int) -> Check:
    def check(values: Sequence[Any]) -> Sequence[Any]:
        if {*map(type, values)} - {int} or min(values) < lowest or max(values) >= limit:
            for value in values:
                as_integer(value, limit)
            raise ValueError(f"it must be at least {lowest}")
        return values

    return check


def as_integer(value: Any, limit: int = 2**63) -> int:
    """Return an integer that a column of 64 bits can hold. Raises ``ValueError``."""
    if type(value) is not int or not -limit <= value < limit:
        raise ValueError("it must be an integer that is not too large")
    return value


def _texts(values: Sequence[Any]) -> Sequence[Any]:
    if {*map(type, values)} - {str} or max(map(len, values)) > MOST_TEXT or "\0" in "".join(values):
        return list(map(as_text, values))
    return values


def as_text(value: Any) -> str:
    """Return a text that a column can hold. Raises ``ValueError``."""
    if type(value) is not str or len(value) > MOST_TEXT or "\0" in value:
        raise ValueError("it must be a text that is not too long")
    return value


def _as_json_text(value: Any) -> str:
    """Return a text that is JSON. Raises ``ValueError``."""
    if type(value) is not str:
        raise ValueError("it must be JSON in a text")
    json.read(value)
    return value


def as_time(value: Any) -> str:
    """Return a time in ISO 8601, with its zone, as SQLite stores it: in UTC. Raises ``ValueError``."""
    time = datetime.fromisoformat(as_text(value))
    if time.tzinfo is None:
        raise ValueError("it must be a time with its zone")
    if time.tzinfo is not UTC:
        time = time.astimezone(UTC)
    return time.isoformat(" ", "microseconds").removesuffix("+00:00")


def _as_bytes(value: Any) -> bytes:
    """Return the bytes of a text in base64. Raises ``ValueError``."""
    return base64.b64decode(as_text(value), validate=True)


def _as_date(value: Any) -> str:
    return date.fromisoformat(as_text(value)).isoformat()


def _as_flag(value: Any) -> int:
    if type(value) is not bool:
        raise ValueError("it must be true or false")
    return int(value)


def _as_stored_json(value: Any) -> str:
    if value is None:
        raise ValueError("it must not be null")
    return json.text(value)


_ID = _integers(1, MOST_ID)
_JSON_TEXT = _each(_as_json_text)
_CHECKS: Mapping[str, Check] = {
    "BIGINT": _integers(-(2**63), 2**63),
    "BLOB": _each(_as_bytes),
    "BOOLEAN": _each(_as_flag),
    "DATE": _each(_as_date),
    "DATETIME": _each(as_time),
    "INTEGER": _integers(-(2**31), 2**31),
    "JSON": _each(_as_stored_json),
    "VARCHAR": _texts,
}
"""The checks by SQLite's names of types."""
