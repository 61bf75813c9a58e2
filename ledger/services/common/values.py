"""Values that services return, built from database rows."""

from dataclasses import Field
from typing import Any, ClassVar, Protocol, TypeVar


class Value(Protocol):
    """Any dataclass."""

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]


V = TypeVar("V", bound=Value)


def of_row(kind: type[V], *rows: object, **more: Any) -> V:
    """Build a value from the attributes of rows with the fields' names; ``more`` adds or replaces fields.

    If several rows have an attribute, that of the last counts. Fields without an attribute keep their
    defaults.
    """
    names = [name for name in kind.__dataclass_fields__ if name not in more]
    values = {name: getattr(row, name) for row in rows for name in names if hasattr(row, name)}
    return kind(**values, **more)
