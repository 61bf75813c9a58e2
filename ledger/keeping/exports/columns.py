"""The parts of an exported table: typed columns, each with its heading and its value of a row."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from operator import attrgetter
from typing import Any

from ledger.database.scope import ScopedSession
from ledger.services.session.session_filter import SessionFilter


class CellType(Enum):
    """The type of a column's values; None is an empty cell in each.

    ``AMOUNT`` values are pairs of an integer and its unit: chips, points or minor units of a currency.
    ``TIME`` values are aware.
    """

    TEXT = auto()
    NUMBER = auto()
    AMOUNT = auto()
    DAY = auto()
    TIME = auto()


@dataclass(frozen=True, slots=True)
class TableColumn:
    """A column of an exported table. Programs find it by its heading, so that never changes."""

    heading: str
    type: CellType
    value: Callable[[Any], Any]


@dataclass(frozen=True, slots=True)
class ExportTable:
    """A table: its columns, and a function that yields its rows from a club."""

    columns: Sequence[TableColumn]
    rows: Callable[[ScopedSession, SessionFilter], Iterator[Any]]


Value = Callable[[Any], Any] | str
"""Returns a column's value of a row; a text is the name of the row's attribute."""


def text(heading: str, value: Value) -> TableColumn:
    """Return a column of text."""
    return _column(heading, CellType.TEXT, value)


def number(heading: str, value: Value) -> TableColumn:
    """Return a column of integers."""
    return _column(heading, CellType.NUMBER, value)


def amount(heading: str, value: Callable[[Any], tuple[int, str]]) -> TableColumn:
    """Return a column of amounts with their units."""
    return _column(heading, CellType.AMOUNT, value)


def day(heading: str, value: Value) -> TableColumn:
    """Return a column of days."""
    return _column(heading, CellType.DAY, value)


def time(heading: str, value: Value) -> TableColumn:
    """Return a column of times, whose heading should end in ``_utc``."""
    return _column(heading, CellType.TIME, value)


def _column(heading: str, cell_type: CellType, value: Value) -> TableColumn:
    return TableColumn(heading, cell_type, attrgetter(value) if isinstance(value, str) else value)
