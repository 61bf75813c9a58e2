"""Reading and writing the JSON stored in the database: compact, by one library, in any language's letters.

Numeric keys become texts and times are written in ISO 8601. Integers beyond 64 bits are refused; the
journal's limit (``balances.MOST``) is far below.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import orjson

SPOILED = (LookupError, TypeError, ValueError, AttributeError)
"""The errors that reading a value changed by hand can raise."""

_OPTIONS = orjson.OPT_NON_STR_KEYS


def write(value: object, *, in_order: bool = False) -> bytes:
    """Return a value as JSON. Raises ``TypeError`` for a value that JSON can't represent.

    ``in_order`` sorts the keys, so that equal values have equal bytes.
    """
    return orjson.dumps(value, option=_OPTIONS | orjson.OPT_SORT_KEYS if in_order else _OPTIONS)


def text(value: object) -> str:
    """Return a value as JSON text, as it is stored in a column. Raises ``TypeError`` as ``write`` does."""
    return write(value).decode()


def rows(values: Sequence[Mapping[str, Any]]) -> str:
    """Return rows as JSON text for PostgreSQL's ``json_to_recordset``, with bytes in hexadecimal.

    Raises ``TypeError`` for a time without a zone.
    """
    return orjson.dumps(values, _in_row, _OPTIONS | orjson.OPT_PASSTHROUGH_DATETIME).decode()


def _in_row(value: object) -> str:
    if isinstance(value, bytes):
        return f"\\x{value.hex()}"
    if isinstance(value, datetime) and value.tzinfo is not None:
        return value.isoformat()
    raise TypeError(f"{type(value).__name__} can't be written to a row")


def read(value: str | bytes) -> Any:
    """Parse JSON. Raises ``ValueError`` for any other text."""
    return orjson.loads(value)
