"""JSON as the ledger keeps it: read and written by one library, compact, in any language's letters.

Keys that are numbers become texts, instants are written as ``datetime.isoformat`` does. Whole numbers
beyond 64 bits are refused, which nothing comes near that the journal takes (``balances.MOST``).
"""

from typing import Any

import orjson

SPOILED = (LookupError, TypeError, ValueError, AttributeError)
"""What reading something that was changed by hand can end in."""

_OPTIONS = orjson.OPT_NON_STR_KEYS


def write(value: object, *, in_order: bool = False) -> bytes:
    """Write a value; ``TypeError`` for what JSON cannot hold.

    With ``in_order`` keys stand in the order of their letters, so that equal values are written alike.
    """
    return orjson.dumps(value, option=_OPTIONS | orjson.OPT_SORT_KEYS if in_order else _OPTIONS)


def text(value: object) -> str:
    """Write a value as a column keeps it."""
    return write(value).decode()


def read(value: str | bytes) -> Any:
    """Read what was written; ``ValueError`` where it is not JSON."""
    return orjson.loads(value)
