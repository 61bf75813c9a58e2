"""How the tables and lists of a hand record are read into values and written again."""

from collections.abc import Callable, Mapping
from typing import TypeVar

from engine.record import reading
from engine.record.reading import At, Problems, Reader
from engine.results import RESULT, Kind

T = TypeVar("T")


def present(**values: object) -> dict[str, object]:
    """Write the keys that hold something."""
    return {key: value for key, value in values.items() if value is not None}


def build(
    cls: Callable[..., T],
    value: object,
    at: At,
    readers: Mapping[str, tuple[str, Reader]],
    problems: Problems,
    required: tuple[str, ...] = (),
) -> T | None:
    """Read the fields and build the value; `None` when something was wrong with them."""
    before = len(problems)
    read = reading.fields(value, at, readers, problems, required)
    return None if len(problems) > before else cls(**(read or {}))


def of_result(*, in_contract: bool = False) -> dict[str, tuple[str, Reader]]:
    """Make the readers of a result's keys, those of the contract or the others."""
    readers = {Kind.WHOLE: reading.whole, Kind.FLAG: reading.flag}
    return {
        name: (name, readers.get(key.kind) or reading.one_of(*key.words))
        for name, key in RESULT.items()
        if key.in_contract is in_contract
    }


def rows_of(*columns: Reader, optional: int = 0) -> Reader:
    """Make a reader for a list of short lists, of which the last `optional` items may be missing."""

    def read(value: object, at: At, problems: Problems) -> tuple[tuple[object, ...], ...] | None:
        rows = reading.array(value, at, problems)
        if rows is None:
            return None
        read_rows = []
        for place, row in enumerate(rows, 1):
            path = (at, place)
            if not isinstance(row, list | tuple) or not len(columns) - optional <= len(row) <= len(
                columns
            ):
                reading.wrong(problems, path, row, f"a list of {len(columns) - optional} items")
                continue
            read_rows.append(
                tuple(
                    reader(item, path, problems) for reader, item in zip(columns, row, strict=False)
                )
            )
        return tuple(read_rows)

    return read
