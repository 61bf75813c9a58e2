"""Building the rows of a foreign book: amounts by member from a payer and shares, or from member columns."""

import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal, InvalidOperation
from typing import TypeVar

from engine.words.sentences import say
from ledger.keeping.imports.cells import MOST_MEMBERS, CellFault, refuse, text_of
from ledger.services.common.apportion import by_largest_remainder
from ledger.services.money.foreign_book import ForeignBook, ForeignRow, RejectedRow
from ledger.words import currencies

NO_CURRENCY = "XXX"
"""The ISO code for no currency; such amounts are in the club's."""

_PARTS_OF_A_WEIGHT = 1_000_000
_MOST_WEIGHT = 1_000_000

R = TypeVar("R")


@dataclass(slots=True)
class BookBuilder:
    """Collects the rows and rejected rows of a file; ``currency`` is the club's."""

    program: str
    currency: str
    members: list[str] = field(default_factory=list)
    rows: list[ForeignRow] = field(default_factory=list)
    rejected: list[RejectedRow] = field(default_factory=list)

    @property
    def places(self) -> int:
        """The decimals of the club's currency."""
        return currencies.decimals(self.currency)

    def add_each(
        self, records: Iterable[tuple[int, R]], read: Callable[[int, R], ForeignRow]
    ) -> None:
        """Add a row for each record and its line, or a rejected row if ``read`` raises `CellFault`."""
        for line, record in records:
            try:
                self.rows.append(read(line, record))
            except CellFault as fault:
                self.rejected.append(RejectedRow(line, fault.reason))

    def add_member(self, name: str) -> str:
        """Return the name of a member as it is listed, and list it if it is new.

        Raises `CellFault` for an empty name, and ``Invalid`` at ``file`` for too many members.
        """
        member = text_of(name)
        if not member:
            raise CellFault(say("A name is missing."))
        if member not in self.members:
            if len(self.members) == MOST_MEMBERS:
                raise refuse(say("The file has more than {most:,} members.", most=MOST_MEMBERS))
            self.members.append(member)
        return member

    def must_be_in_currency(self, code: str) -> None:
        """Raise `CellFault` for another code than that of the club's currency, even one that is not in use.

        No code and a sign, such as €, are valid.
        """
        code = code.strip().upper()
        is_code = len(code) == 3 and code.isascii() and code.isalpha()
        if is_code and code not in {NO_CURRENCY, self.currency}:
            raise CellFault(
                say(
                    "It is in {code}; this club keeps {currency}.",
                    code=code,
                    currency=self.currency,
                )
            )

    def book(self) -> ForeignBook:
        """Return the book. Raises ``Invalid`` at ``file`` if the file has no row at all."""
        if not self.rows and not self.rejected:
            raise refuse(say("The file has no expenses or payments."))
        rejected = tuple(sorted(self.rejected))
        return ForeignBook(self.program, tuple(self.members), tuple(self.rows), rejected)


def paid_by(
    line: int,
    day: date,
    text: str,
    *,
    cost: int,
    payer: str,
    weights: Mapping[str, int],
    is_payment: bool = False,
) -> ForeignRow:
    """Return the row of a ``cost`` that a payer paid for members in proportion to their weights.

    A unit that can't be divided falls to a member that depends on the day, text, cost and names only. Raises
    `CellFault` without weights.
    """
    owers = sorted(name for name, weight in weights.items() if weight)
    total = sum(weights.values())
    if not owers:
        raise CellFault(say("It doesn't say for whom was paid."))
    source = repr((payer, cost, sorted(weights)))
    first = zlib.crc32(repr((day.isoformat(), text, source)).encode()) % len(owers)
    owers = owers[first:] + owers[:first]
    shares = by_largest_remainder([weights[name] for name in owers], cost, total, cost)
    amounts = dict.fromkeys(weights, 0) | {payer: cost}
    for name, share in zip(owers, shares, strict=True):
        amounts[name] -= share
    return balanced(line, day, text, amounts, is_payment=is_payment)._replace(source=source)


def balanced(
    line: int, day: date, text: str, amounts: Mapping[str, int], *, is_payment: bool = False
) -> ForeignRow:
    """Return the row of these amounts, without zeros. Raises `CellFault` if they don't sum to zero."""
    if sum(amounts.values()):
        raise CellFault(say("What was paid and what is owed differ."))
    moved = {name: amount for name, amount in amounts.items() if amount}
    return ForeignRow(line, day, text, moved, is_payment and len(moved) == 2)


def weight_of(cell: str) -> int:
    """Return a weight in millionths. Raises `CellFault` for anything but a number from 0 to a million."""
    try:
        weight = Decimal(cell.strip()) if len(cell) <= 40 else Decimal("NaN")
    except InvalidOperation:
        weight = Decimal("NaN")
    if not weight.is_finite() or not 0 <= weight <= _MOST_WEIGHT:
        raise CellFault(say("“{cell}” is not a weight.", cell=text_of(cell, 40)))
    return int(weight * _PARTS_OF_A_WEIGHT)


def equal_weights(names: Sequence[str]) -> dict[str, int]:
    """Return the same weight for each name."""
    return dict.fromkeys(names, 1)
