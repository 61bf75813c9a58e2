"""Rules by which hledger reads an exported table: FILE.csv needs FILE.csv.rules beside it."""

from collections.abc import Iterator
from typing import NamedTuple

from ledger.keeping.exports.columns import ExportTable
from ledger.keeping.exports.csv_text import CsvDialect

_OTHER_SIDE = "transfers"
"""The second account of every transaction; it adds up to 0 if the whole file is read."""


class CsvRules(NamedTuple):
    """The headings of a table that make an hledger transaction of each row."""

    table: ExportTable
    account: str
    amount: str
    description: str

    def pieces(self, dialect: CsvDialect) -> Iterator[str]:
        """Yield the file of rules."""
        yield "# hledger reads a CSV file by the rules in the file with its name and .rules.\nskip 1\n"
        yield f"separator {dialect.separator}\ndecimal-mark {dialect.decimal_mark}\n"
        # Plain headings such as "balance" would mean something to hledger.
        yield f"fields {', '.join(f'csv_{column.heading}' for column in self.table.columns)}\n"
        yield "date %csv_day\ndate-format %Y-%m-%d\n"
        yield f"description %csv_{self.description} %csv_evening\n"
        yield f"account1 {self.account}\naccount2 {_OTHER_SIDE}\n"
        yield f"amount %csv_{self.amount} %csv_unit\n"
