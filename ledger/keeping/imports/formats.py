"""The formats of files with shared expenses that can be imported."""

from collections.abc import Mapping
from typing import Final

from engine.words.language import Sentence
from engine.words.sentences import say
from ledger.keeping.imports import bills, columns
from ledger.keeping.imports.cells import CellFault, decode, refuse, table
from ledger.keeping.imports.columns import SPLITWISE, ForeignColumns
from ledger.services.money.foreign_book import ForeignBook
from ledger.words.problems import Invalid

SPLITWISE_CSV: Final = "splitwise"
TABLE: Final = "table"

FORMATS: Mapping[str, Sentence] = {
    SPLITWISE_CSV: say("Splitwise (CSV)"),
    "spliit": say("spliit (CSV or JSON)"),
    "ihatemoney": say("ihatemoney (CSV or JSON)"),
    "cospend": say("cospend (CSV)"),
    TABLE: say("Tricount or another table (CSV)"),
}
"""The titles of the formats by slug."""

_CSV_STARTS = 20_000


def recognize(text: str) -> str:
    """Return the slug of a text's format: that of its headings; ``table`` if none is known.

    Splitwise translates its headings, so it is known by its first row after them.
    """
    start = text.lstrip()
    if bills.is_spliit_json(start):
        return "spliit"
    if start.startswith("[") and '"payer_name"' in start:
        return "ihatemoney"
    first = [
        row.cells
        for row in table(start[:_CSV_STARTS].rpartition("\n")[0] or start, whole=False)[:3]
        if any(row.cells)
    ]
    heads = [[cell.strip() for cell in cells] for cells in first]
    if not heads:
        return TABLE
    if columns.is_spliit(heads[0]):
        return "spliit"
    titles = {*heads[0]}
    if titles >= bills.BILLS:
        return "cospend" if "payer_active" in titles else "ihatemoney"
    if {"name", "weight", "active"} <= titles:
        return "cospend"
    if len(heads) > 1 and len(heads[0]) >= SPLITWISE.members:
        code = heads[1][SPLITWISE.currency - 1 : SPLITWISE.currency]
        if code and len(code[0]) == 3 and code[0].isalpha() and code[0].isupper():
            return SPLITWISE_CSV
    return TABLE


def read_book(
    content: bytes | str, slug: str, currency: str, chosen: ForeignColumns
) -> ForeignBook:
    """Return the book in a file; without a ``slug``, of the format that its text has.

    ``chosen`` are the columns of a ``table``. Amounts are in ``currency``; rows in another one are rejected.
    Raises ``Invalid`` at ``file`` or ``format``.
    """
    text = decode(content if isinstance(content, bytes) else content.encode("utf-8", "replace"))
    slug = slug or recognize(text)
    try:
        match slug:
            case "splitwise":
                return columns.read_columns(text, currency, slug, SPLITWISE)
            case "spliit":
                is_json = text.lstrip().startswith("{")
                return (bills.read_spliit_json if is_json else columns.read_spliit)(text, currency)
            case "ihatemoney":
                return bills.read_ihatemoney(text, currency)
            case "cospend":
                return bills.read_cospend(text, currency)
            case "table":
                return columns.read_columns(text, currency, slug, chosen)
    except CellFault as fault:
        raise refuse(fault.reason) from None
    raise Invalid.at("format", "out-of-range", say("Choose {names:or}.", names=[*FORMATS]))


def first_rows(content: str, most: int) -> list[list[str]]:
    """Return the first rows of a table, the headings included, to choose columns by; none for JSON."""
    text = decode(content.encode("utf-8", "replace"))
    if text.lstrip()[:1] in {"{", "["}:
        return []
    start = text[:_CSV_STARTS].rpartition("\n")[0] or text[:_CSV_STARTS]
    rows = [[*row.cells] for row in table(start, whole=False) if any(map(str.strip, row.cells))]
    return rows[:most]
