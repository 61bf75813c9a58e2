"""Tables as CSV (RFC 4180) for spreadsheets, in UTF-8 with a byte order mark."""

import csv
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from io import StringIO
from itertools import islice
from typing import Any, Final

from engine.rules.sheet import CHIPS, SCORE
from ledger.database.scope import ScopedSession
from ledger.keeping.exports.columns import CellType, ExportTable
from ledger.services.session.session_filter import SessionFilter
from ledger.words.currencies import decimals

BOM: Final = "\ufeff"
"""The mark by which Excel knows UTF-8."""

_ROWS_AT_ONCE = 200
"""The rows of a piece of a file."""

_FORMULA = re.compile(r"[\t\r\n]|\s*[-=+@－＝＋＠]")
"""What a spreadsheet may take for a formula; some skip blanks, and Japanese ones know wide characters."""


@dataclass(frozen=True, slots=True)
class CsvDialect:
    """The characters that differ between spreadsheets of different languages."""

    separator: str
    decimal_mark: str


DIALECTS: Mapping[str, CsvDialect] = {
    "standard": CsvDialect(",", "."),
    "excel-de": CsvDialect(";", ","),
}
"""The dialects by their names; the first is the default."""


def csv_pieces(
    table: ExportTable, session: ScopedSession, chosen: SessionFilter, dialect: CsvDialect
) -> Iterator[str]:
    """Yield a table's file, piece by piece: the headings, then the rows."""
    buffer = StringIO(newline="")
    writer = csv.writer(buffer, delimiter=dialect.separator, lineterminator="\r\n")
    buffer.write(BOM)
    writer.writerow(column.heading for column in table.columns)
    formats = _formats(dialect)
    cells = [(column.value, formats[column.type]) for column in table.columns]
    rows = table.rows(session, chosen)
    while piece := buffer.getvalue():
        yield piece
        buffer.seek(0)
        buffer.truncate()
        for row in islice(rows, _ROWS_AT_ONCE):
            writer.writerow(
                ["" if (cell := value(row)) is None else to_text(cell) for value, to_text in cells]
            )


def harmless(value: str) -> str:
    """Return a text with an apostrophe before it if a spreadsheet would take it for a formula.

    >>> harmless("=1+1"), harmless("-"), harmless("Ann =1"), harmless(" @x")
    ("'=1+1", "'-", 'Ann =1', "' @x")
    """
    return f"'{value}" if _FORMULA.match(value) else value


def in_decimals(value: int, places: int, mark: str = ".") -> str:
    """Return an amount in minor units with its decimals.

    >>> in_decimals(-5, 2), in_decimals(1250, 2, ","), in_decimals(1250, 0)
    ('-0.05', '12,50', '1250')
    """
    whole, part = divmod(abs(value), 10**places)
    sign = "-" if value < 0 else ""
    return f"{sign}{whole}{mark}{part:0{places}}" if places else f"{sign}{whole}"


def decimals_of(unit: str) -> int:
    """Return the decimals of amounts in a unit: none of chips and points."""
    return 0 if unit in (CHIPS, SCORE) else decimals(unit)


def _formats(dialect: CsvDialect) -> Mapping[CellType, Callable[[Any], str]]:
    """Return the function that renders the values of each type."""
    places: dict[str, int] = {}

    def amount(value: tuple[int, str]) -> str:
        number, unit = value
        if unit not in places:
            places[unit] = decimals_of(unit)
        return in_decimals(number, places[unit], dialect.decimal_mark)

    return {
        CellType.TEXT: harmless,
        CellType.NUMBER: str,
        CellType.AMOUNT: amount,
        CellType.DAY: date.isoformat,
        CellType.TIME: _time,
    }


def _time(at: datetime) -> str:
    """Return a time in UTC to the second, as spreadsheets read it."""
    return at.astimezone(UTC).isoformat(" ", "seconds")[:19]
