"""Reading tables by the position of their columns: Splitwise, spliit's CSV, and others mapped by hand."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from engine.words.sentences import say
from ledger.keeping.imports.cells import (
    CellFault,
    CsvRow,
    amount_of,
    day_of,
    must_be_narrow,
    names_of,
    refuse,
    table,
    text_of,
)
from ledger.keeping.imports.rows import BookBuilder, balanced, equal_weights, paid_by
from ledger.services.money.foreign_book import ForeignBook, ForeignRow, RejectedRow

MOST_COLUMNS: Final = 200
"""The highest number of a column."""


@dataclass(frozen=True, slots=True)
class ForeignColumns:
    """The numbers of a table's columns, from 1; 0 for one that it lacks.

    From ``members`` on, each column belongs to a member. With a ``payer`` it has the member's share of the
    cost, else the member's payments minus their debts. Without such columns the cost is divided equally
    among the ``owers``, names separated by commas. ``order`` is a key of ``ORDERS``.
    """

    date: int = 0
    text: int = 0
    cost: int = 0
    currency: int = 0
    payer: int = 0
    owers: int = 0
    members: int = 0
    order: str = ""


SPLITWISE: Final = ForeignColumns(date=1, text=2, cost=4, currency=5, members=6)
"""The columns of Splitwise, whose headings are translated."""

_SPLIIT: Final = ForeignColumns(date=1, text=2, currency=4, cost=5, members=11)
_SPLIIT_BEFORE: Final = replace(_SPLIIT, members=8)
_IS_PAYMENT: Final = "Is Reimbursement"


def read_columns(text: str, currency: str, program: str, columns: ForeignColumns) -> ForeignBook:
    """Return the book in a table with these columns; its first row has the headings.

    Raises ``Invalid`` at ``file``, or at ``columns`` if they are not enough.
    """
    head, records = _head(table(text))
    builder = BookBuilder(program, currency)
    last = _last_members(head, columns)
    if columns.members:
        for name in names_of(head.cells[columns.members - 1 : last]):
            builder.add_member(name)

    def read(line: int, record: CsvRow) -> ForeignRow:
        return _row(builder, line, record, columns, len(head.cells))

    rows, total = _without_total(records, columns)
    builder.add_each(((record.line, record) for record in rows), read)
    if total is not None and not builder.rejected:
        try:
            _check_total(builder, total, columns)
        except CellFault as fault:
            builder.rejected.append(RejectedRow(total.line, fault.reason))
    return builder.book()


def read_spliit(text: str, currency: str) -> ForeignBook:
    """Return the book in a CSV file of spliit.

    Each member's column has their share; the payer's share has the sign of the cost, the others' have the
    opposite one. A row in which the payer has no share has no sign of the payer: it is rejected, unless the
    group has two members. Raises ``Invalid`` at ``file``.
    """
    head, records = _head(table(text))
    titles = [cell.strip() for cell in head.cells]
    columns = _SPLIIT if "Conversion rate" in titles[:10] else _SPLIIT_BEFORE
    mark = titles.index(_IS_PAYMENT) + 1 if _IS_PAYMENT in titles else 0
    builder = BookBuilder("spliit", currency)
    for name in names_of(head.cells[columns.members - 1 :]):
        builder.add_member(name)

    def read(line: int, record: CsvRow) -> ForeignRow:
        must_be_narrow(record, len(head.cells))
        builder.must_be_in_currency(record.cell(columns.currency))
        cost = amount_of(record.cell(columns.cost), builder.places, with_point=True)
        shares = {
            name: amount_of(record.cell(column) or "0", builder.places, with_point=True)
            for column, name in enumerate(builder.members, columns.members)
        }
        payers = [name for name, share in shares.items() if share * cost > 0]
        others = [name for name, share in shares.items() if share * cost < 0]
        if not payers and len(shares) == 2 and len(others) == 1:
            payers = [name for name in shares if name not in others]
        if len(payers) != 1:
            raise CellFault(say("The file doesn't say who paid; export the group as JSON instead."))
        owed = {name: shares[name] for name in others}
        amounts = owed | {payers[0]: -sum(owed.values())}
        day, what = day_of(record.cell(columns.date)), text_of(record.cell(columns.text))
        is_payment = record.cell(mark) == "Yes"
        return balanced(line, day, what, amounts, is_payment=is_payment)

    builder.add_each(((record.line, record) for record in records), read)
    return builder.book()


def is_spliit(head: Sequence[str]) -> bool:
    """Return whether these are the headings of spliit's CSV, which are never translated."""
    return [*head[:2]] == ["Date", "Description"] and _IS_PAYMENT in head[:10]


def _head(records: Sequence[CsvRow]) -> tuple[CsvRow, list[CsvRow]]:
    """Return the row of headings, and the other rows that are not blank."""
    full = [record for record in records if any(map(str.strip, record.cells))]
    if len(full) < 2:
        raise refuse(say("The file has no expenses or payments."))
    return full[0], full[1:]


def _last_members(head: CsvRow, columns: ForeignColumns) -> int:
    """Return the number of the last member's column: the last one with a heading.

    Raises ``Invalid`` at ``columns`` if a column does not exist, or the needed ones were not named.
    """
    last = max((n for n, cell in enumerate(head.cells, 1) if cell.strip()), default=0)
    numbers = (columns.date, columns.text, columns.cost, columns.currency, columns.payer)
    if max(*numbers, columns.owers, columns.members) > last:
        raise refuse(say("The file has only {n:,} columns.", n=last))
    shared = columns.cost and columns.payer and (columns.owers or columns.members)
    if not columns.date or not (shared or (columns.members and not columns.payer)):
        raise refuse(
            say(
                "Choose the column of the day and those of the members; or of the day, the amount, the "
                "payer and for whom was paid."
            )
        )
    return last


def _without_total(
    records: list[CsvRow], columns: ForeignColumns
) -> tuple[list[CsvRow], CsvRow | None]:
    """Return the rows before the totals, which have no cost, and the row of totals if there is only one."""
    if columns.payer or not columns.cost:
        return records, None
    n = len(records)
    while n > 1 and not records[n - 1].cell(columns.cost):
        n -= 1
    return records[:n], records[n] if n + 1 == len(records) else None


def _row(
    builder: BookBuilder, line: int, record: CsvRow, columns: ForeignColumns, width: int
) -> ForeignRow:
    must_be_narrow(record, width)
    day = day_of(record.cell(columns.date), columns.order)
    text = text_of(record.cell(columns.text))
    builder.must_be_in_currency(record.cell(columns.currency))
    amounts = {
        name: amount_of(record.cell(column) or "0", builder.places)
        for column, name in enumerate(builder.members if columns.members else (), columns.members)
    }
    if not columns.payer:
        cost = amount_of(record.cell(columns.cost), builder.places) if columns.cost else 0
        # Somebody who paid all of it for one other person has lent it or paid it back.
        is_payment = bool(cost) and abs(cost) in map(abs, amounts.values())
        return balanced(line, day, text, amounts, is_payment=is_payment)
    cost = amount_of(record.cell(columns.cost), builder.places)
    if columns.members:
        payer = _member(builder, text_of(record.cell(columns.payer)))
        owed = {name: abs(share) * (1 if cost >= 0 else -1) for name, share in amounts.items()}
        paid = {name: (cost if name == payer else 0) - share for name, share in owed.items()}
        return balanced(line, day, text, paid)
    payer = builder.add_member(record.cell(columns.payer))
    names = [builder.add_member(name) for name in record.cell(columns.owers).split(",")]
    return paid_by(line, day, text, cost=cost, payer=payer, weights=equal_weights(names))


def _member(builder: BookBuilder, name: str) -> str:
    """Return the member with this name, or the only one with a heading that ends in it: "For Ann".

    Raises `CellFault` for none or several.
    """
    if name in builder.members:
        return name
    ending = [member for member in builder.members if name and member.endswith(f" {name}")]
    if len(ending) != 1:
        raise CellFault(say("{name} has no column.", name=name or "–"))
    return ending[0]


def _check_total(builder: BookBuilder, record: CsvRow, columns: ForeignColumns) -> None:
    """Raise `CellFault` if a row of totals has other balances than the sums of the rows."""
    sums = dict.fromkeys(builder.members, 0)
    for row in builder.rows:
        for name, amount in row.amounts.items():
            sums[name] += amount
    for column, name in enumerate(builder.members, columns.members):
        if amount_of(record.cell(column) or "0", builder.places) != sums[name]:
            raise CellFault(
                say("The balance of {name} in this row is not the sum of the rows.", name=name)
            )
