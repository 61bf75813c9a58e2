"""Reading bills with a payer and owers: ihatemoney (CSV and JSON), cospend (CSV) and spliit (JSON)."""

import csv
import json
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any

from engine.words.sentences import say
from ledger.keeping.imports.cells import (
    MOST_ROWS,
    CellFault,
    CsvRow,
    amount_of,
    day_of,
    must_be_narrow,
    refuse,
    table,
    text_of,
)
from ledger.keeping.imports.rows import BookBuilder, paid_by, weight_of
from ledger.services.money.foreign_book import ForeignBook, ForeignRow
from ledger.words import currencies

BILLS = frozenset({"what", "amount", "date", "payer_name", "owers"})
"""The headings that the bills of ihatemoney and cospend share."""

_MEMBERS = frozenset({"name", "weight", "active"})
_PAYMENTS = frozenset({"reimbursement", "settlement"})
_PLACEHOLDER = "deleteMeIfYouWant"

_Bill = Mapping[str, Any]


def read_ihatemoney(text: str, currency: str) -> ForeignBook:
    """Return the book in a file of ihatemoney. Raises ``Invalid`` at ``file``."""
    if text.lstrip().startswith("["):
        return _bills("ihatemoney", currency, [*enumerate(_json_list(_json(text)), 1)], {})
    return read_cospend(text, currency, "ihatemoney")


def read_cospend(text: str, currency: str, program: str = "cospend") -> ForeignBook:
    """Return the book in a file of cospend: blocks with headings of their own, blank lines between.

    Blocks of categories, payment modes and currencies are left out. Raises ``Invalid`` at ``file``.
    """
    bills: list[tuple[int, _Bill]] = []
    weights: dict[str, str] = {}
    for head, records in _blocks(table(text)):
        titles = [cell.strip() for cell in head.cells]
        if {*titles} >= BILLS:
            bills += [(record.line, _bill(record, titles)) for record in records]
        elif {*titles} >= _MEMBERS:
            for record in records:
                bill = _bill(record, titles)
                weights[text_of(str(bill["name"]))] = str(bill["weight"])
    return _bills(program, currency, bills, weights)


def read_spliit_json(text: str, currency: str) -> ForeignBook:
    """Return the book in a JSON file of spliit. Raises ``Invalid`` at ``file``."""
    group = _json(text)
    people = group.get("participants") if isinstance(group, Mapping) else None
    if not isinstance(group, Mapping) or not isinstance(people, list):
        raise refuse(say("The file has no expenses or payments."))
    builder = BookBuilder("spliit", currency)
    names: dict[str, str] = {}
    code = str(group.get("currencyCode") or "")
    try:
        builder.must_be_in_currency(code)
        for person in people:
            names[str(person["id"])] = builder.add_member(str(person["name"]))
    except (CellFault, TypeError, KeyError) as fault:
        reason = fault.reason if isinstance(fault, CellFault) else say("A name is missing.")
        raise refuse(reason) from None
    of_file = currencies.decimals(code) if currencies.is_listed(code.upper()) else 2
    up, down = 10 ** max(builder.places - of_file, 0), 10 ** max(of_file - builder.places, 0)

    def read(line: int, expense: Any) -> ForeignRow:
        """Return the row of an expense."""
        expense = _object(expense)
        amount = expense.get("amount")
        if type(amount) is not int or abs(amount) > currencies.MOST_MONEY:
            raise CellFault(
                say("“{cell}” is not a clear amount.", cell=text_of(str(amount)[:99], 40))
            )
        evenly = expense.get("splitMode", "EVENLY") == "EVENLY"
        weights: dict[str, int] = {}
        for part in _json_list(expense.get("paidFor")):
            part = _object(part)
            shares = weight_of(str(part.get("shares", 1))[:50])
            name = _name(names, part.get("participantId"))
            weights[name] = weights.get(name, 0) + (1 if evenly else shares)
        return paid_by(
            line,
            day_of(str(expense.get("expenseDate"))[:60]),
            text_of(str(expense.get("title") or "")[:1000]),
            cost=(2 * amount * up + down) // (2 * down),
            payer=_name(names, expense.get("paidById")),
            weights=weights,
            is_payment=expense.get("isReimbursement") is True,
        )

    builder.add_each(enumerate(_json_list(group.get("expenses")), 1), read)
    return builder.book()


def is_spliit_json(text: str) -> bool:
    """Return whether a text may be a JSON file of spliit."""
    return text.lstrip().startswith("{") and '"participants"' in text and '"paidById"' in text


def _bills(
    program: str,
    currency: str,
    bills: Sequence[tuple[int, _Bill | Any]],
    weights: dict[str, str],
) -> ForeignBook:
    """Return the book of these bills; a member's weight is in ``weights``, or with a bill that they paid."""
    builder = BookBuilder(program, currency)
    for _, bill in bills:
        if isinstance(bill, Mapping) and bill.get("payer_weight") not in (None, ""):
            weights.setdefault(text_of(str(bill.get("payer_name"))), str(bill["payer_weight"]))

    def read(line: int, bill: Any) -> ForeignRow:
        """Return the row of a bill."""
        bill = _object(bill)
        if isinstance(row := bill.get("row"), CsvRow):
            must_be_narrow(row, bill["width"])
        builder.must_be_in_currency(str(bill.get("currency") or "")[:40])
        payer = builder.add_member(str(bill.get("payer_name") or "")[:1000])
        owers = bill.get("owers")
        owers = owers if isinstance(owers, list) else _split(str(owers or ""))
        names = [builder.add_member(str(name)[:1000]) for name in owers]
        return paid_by(
            line,
            day_of(str(bill.get("date") or "")[:60]),
            text_of(str(bill.get("what") or "")[:1000]),
            cost=amount_of(str(bill.get("amount"))[:99], builder.places, with_point=True),
            payer=payer,
            weights={
                name: weight_of(weights[name]) if name in weights else weight_of("1")
                for name in names
            },
            is_payment=str(bill.get("bill_type") or "").lower() in _PAYMENTS,
        )

    chosen = [
        (line, bill)
        for line, bill in bills
        if not (
            isinstance(bill, Mapping)
            and (bill.get("what") == _PLACEHOLDER or str(bill.get("deleted") or "0") != "0")
        )
    ]
    builder.add_each(chosen, read)
    return builder.book()


def _split(owers: str) -> list[str]:
    """Return the names in a cell, separated by commas; one may be quoted.

    >>> _split("Ann, Bob"), _split('"Smith, Jo",Bob')
    (['Ann', 'Bob'], ['Smith, Jo', 'Bob'])
    """
    try:
        (names,) = csv.reader([owers], skipinitialspace=True)
    except (ValueError, csv.Error):
        names = owers.split(",")
    return [name.strip() for name in names]


def _bill(record: CsvRow, titles: Sequence[str]) -> dict[str, Any]:
    """Return the cells of a row by heading, with the row itself."""
    cells: dict[str, Any] = {title: record.cell(n) for n, title in enumerate(titles, 1)}
    return cells | {"row": record, "width": len(titles)}


def _blocks(records: Sequence[CsvRow]) -> Iterable[tuple[CsvRow, list[CsvRow]]]:
    """Yield the blocks of a table, which blank rows separate: the headings and the rows of each."""
    block: list[CsvRow] = []
    for record in (*records, CsvRow(0, ())):
        if any(map(str.strip, record.cells)):
            block.append(record)
        elif block:
            yield block[0], block[1:]
            block = []


def _json(text: str) -> Any:
    """Return the JSON value of a text; numbers with a fraction are decimals.

    Raises ``Invalid`` at ``file``.
    """
    try:
        return json.loads(text, parse_float=Decimal)
    except (ValueError, ArithmeticError, RecursionError):
        raise refuse(say("The file is not valid JSON.")) from None


def _json_list(value: Any) -> list[Any]:
    """Return a list of JSON. Raises `CellFault` for another value, ``Invalid`` at ``file`` for a long one."""
    if not isinstance(value, list):
        raise CellFault(say("A list is missing."))
    if len(value) > MOST_ROWS:
        raise refuse(say("The file has more than {most:,} rows.", most=MOST_ROWS))
    return value


def _object(value: Any) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise CellFault(say("It is not an expense."))
    return value


def _name(names: Mapping[str, str], key: object) -> str:
    """Return the name of a participant. Raises `CellFault` for an unknown one."""
    if str(key) not in names:
        raise CellFault(say("A participant is not in the list."))
    return names[str(key)]
