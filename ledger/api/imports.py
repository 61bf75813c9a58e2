"""Importing debts between players from other programs for shared expenses."""

from typing import Any

from ledger.api.blueprint import Blueprint, Json
from ledger.api.schemas.imports import MoneyImportDraft, MoneyImportSchema
from ledger.keeping.imports.columns import ForeignColumns
from ledger.keeping.imports.formats import read_book
from ledger.services.common.writing import DryRun, Write
from ledger.services.money import currency
from ledger.services.money.import_book import import_book

blueprint = Blueprint("imports", __name__, "Balances from other programs for shared expenses.")

_SPLITWISE = {
    "content": "Date,Description,Category,Cost,Currency,Ann,Bob\n"
    "2026-01-31,Pizza,Dining out,24.00,EUR,12.00,-12.00\n",
    "format": "splitwise",
}


@blueprint.writes("/club/money-imports", MoneyImportSchema, 201, dry_run=True)
@blueprint.accepts(MoneyImportDraft, examples={"of Splitwise": _SPLITWISE})
def import_money(write: Write | DryRun, body: Json) -> Any:
    """Import the balances in a file of Splitwise, spliit, ihatemoney, cospend, or another table.

    A row that was imported before is left out, unless its entry was undone: the same file adds nothing, and a
    longer one only its new rows. Rows that can't be imported are listed with their lines and reasons. All
    entries are written, or none. An import is undone like a payment.
    """
    columns = ForeignColumns(**(body["columns"] or {}))
    return import_book(
        write,
        book=read_book(body["content"], body["format"], _currency(write), columns),
        players_by_member=body["members"],
        each_row=body["each_row"],
        all_or_nothing=body["all_or_nothing"],
        reason=body["reason"],
    )


def _currency(write: Write | DryRun) -> str:
    """Return the club's currency, read before the write locks the club."""
    if isinstance(write, DryRun):
        return currency.show(write.session).currency
    if write.begun is not None:
        return currency.show(write.begun).currency
    with write.db.read(write.access) as reading:
        return currency.show(reading).currency
