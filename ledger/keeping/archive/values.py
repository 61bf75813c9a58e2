"""Checks of an archive's values, which become rows as SQLite stores them.

A value that a column can't hold, in SQLite or PostgreSQL, raises ``ValueError`` with a message for people.
"""

import base64
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, date, datetime
from typing import Any, Final

from ledger.database import json

Values = Mapping[str, Any]
Row = tuple[Any, ...]

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
        self.table = table
        self._checks = {
            name: _check(name, kind, is_nullable=not required)
            for _, name, kind, required, *_ in connection.execute(f"PRAGMA table_info({table})")
            if name not in ("club_id", *left_out)
        }
        self.names = tuple(self._checks)

    def row(self, values: Values) -> Row:
        """Return the checked values of a line, in the order of ``names``. Raises ``ValueError``."""
        if values.keys() != self._checks.keys():
            if missing := self._checks.keys() - values.keys():
                raise ValueError(f"it has no {min(missing)}")
            raise ValueError(f"it has an unknown {min(values.keys() - self._checks.keys())[:40]!r}")
        try:
            return tuple([check(values[name]) for name, check in self._checks.items()])
        except (ValueError, TypeError, OverflowError):
            self._raise_for(values)
            raise

    def _raise_for(self, values: Values) -> None:
        for name, check in self._checks.items():
            try:
                check(values[name])
            except (ValueError, TypeError, OverflowError) as error:
                raise ValueError(f"its {name} is not possible ({error})") from error


def _check(name: str, kind: str, *, is_nullable: bool) -> Callable[[Any], Any]:
    if name == "id":
        return as_id
    check = as_json_text if name in _TEXTS else _CHECKS[kind.partition("(")[0]]
    return (lambda value: None if value is None else check(value)) if is_nullable else check


def as_integer(value: Any, limit: int = 2**63) -> int:
    """Return an integer that a column of 64 bits can hold. Raises ``ValueError``."""
    if type(value) is not int or not -limit <= value < limit:
        raise ValueError("it must be an integer that is not too large")
    return value


def as_id(value: Any) -> int:
    """Return a row's id, after which there are others. Raises ``ValueError``."""
    if as_integer(value, MOST_ID) < 1:
        raise ValueError("it must be at least 1")
    return int(value)


def as_text(value: Any) -> str:
    """Return a text that a column can hold. Raises ``ValueError``."""
    if type(value) is not str or len(value) > MOST_TEXT or "\0" in value:
        raise ValueError("it must be a text that is not too long")
    return value


def as_json_text(value: Any) -> str:
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
    utc = time.astimezone(UTC).replace(tzinfo=None)
    return utc.isoformat(" ", "microseconds")


def as_bytes(value: Any) -> bytes:
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


_CHECKS: Mapping[str, Callable[[Any], Any]] = {
    "BIGINT": as_integer,
    "BLOB": as_bytes,
    "BOOLEAN": _as_flag,
    "DATE": _as_date,
    "DATETIME": as_time,
    "INTEGER": lambda value: as_integer(value, 2**31),
    "JSON": _as_stored_json,
    "VARCHAR": as_text,
}
"""The checks by SQLite's names of types."""
