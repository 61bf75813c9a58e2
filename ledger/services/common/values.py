"""Values made of rows: what a service answers with, out of what the ledger keeps."""

from dataclasses import Field
from typing import Any, ClassVar, Protocol, TypeVar


class Value(Protocol):
    """A dataclass."""

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]


V = TypeVar("V", bound=Value)


def of_row(kind: type[V], *rows: object, **more: Any) -> V:
    """Make a value of what rows hold under the same names; ``more`` is what they don't hold, or otherwise."""
    names = [name for name in kind.__dataclass_fields__ if name not in more]
    held = {name: getattr(row, name) for row in rows for name in names if hasattr(row, name)}
    return kind(**held, **more)
