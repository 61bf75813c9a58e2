"""The common value of all files of other programs that share expenses: members, rows and rejected rows."""

from collections.abc import Mapping
from datetime import date
from typing import Annotated, NamedTuple


class RejectedRow(NamedTuple):
    """A row that can't be imported."""

    line: Annotated[int, "Its line in the file; in JSON its place in the list."]
    reason: str


class ForeignRow(NamedTuple):
    """An expense or payment of another program.

    ``amounts`` are each member's payments minus their debts, in minor units; they sum to zero. Members with 0
    are left out. ``source`` is what they were computed from, empty if the file has the amounts themselves: it
    stays the same when another row, or a member's weight, comes to the file.
    """

    line: int
    day: date
    text: str
    amounts: Mapping[str, int]
    is_payment: bool
    source: str = ""


class ForeignBook(NamedTuple):
    """The content of a file: ``rows`` in the order of the file, with all amounts in the club's currency."""

    program: str
    members: tuple[str, ...]
    rows: tuple[ForeignRow, ...]
    rejected: tuple[RejectedRow, ...]
