"""How the tables and lists of a hand record are read into values and written again."""

from collections.abc import Callable
from typing import TypeVar

from engine.errors import Problems
from engine.record import reading
from engine.record.reading import At, Fields, Reader
from engine.results import RESULT, Kind

T = TypeVar("T")


def build(
    cls: Callable[..., T],
    value: object,
    at: At,
    readers: Fields,
    problems: Problems,
    required: tuple[str, ...] = (),
) -> T | None:
    """Read the fields and build the value; `None` when something was wrong with them."""
    before = len(problems)
    read = reading.fields(value, at, readers, problems, required)
    return None if len(problems) > before else cls(**(read or {}))


def of_result(*, in_contract: bool = False) -> Fields:
    """Make the readers of a result's keys, those of the contract or the others."""
    readers = {Kind.WHOLE: reading.whole, Kind.FLAG: reading.flag}
    return {
        name: (name, readers.get(key.kind) or reading.one_of(*key.words))
        for name, key in RESULT.items()
        if key.in_contract is in_contract
    }


def rows_of(*columns: Reader, optional: int = 0) -> Reader:
    """Make a reader for a list of short lists, of which the last `optional` items may be missing."""
    least = len(columns) - optional

    def read(value: object, at: At, problems: Problems) -> tuple[tuple[object, ...], ...] | None:
        rows = reading.array(value, at, problems)
        if rows is None:
            return None
        read_rows = []
        for place, row in enumerate(rows, 1):
            path = (at, place)
            if isinstance(row, list | tuple) and least <= len(row) <= len(columns):
                items = zip(columns, row, strict=False)
                read_rows.append(tuple([reader(item, path, problems) for reader, item in items]))
            else:
                reading.wrong(problems, path, row, f"a list of {least} items")
        return tuple(read_rows)

    return read
