"""Reading a foreign file as text, as a table of cells, and its cells as days, amounts and texts.

A file, its rows and its cells are bounded before they are read. A cell that can't be read raises `CellFault`
with a sentence for its row; a whole file that can't be read raises ``Invalid`` at ``file``.
"""

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import date
from io import StringIO
from typing import Final, NamedTuple

from engine.words.language import Sentence
from engine.words.sentences import say
from ledger.services.common import texts
from ledger.words import currencies, digits
from ledger.words.problems import Invalid

MOST_BYTES: Final = 2_000_000
"""The largest file."""

MOST_ROWS: Final = 20_000
"""The most rows of a file."""

MOST_MEMBERS: Final = 100
"""The most members of a file."""

_LONGEST_TEXT: Final = 200
_LONGEST_NUMBER: Final = 40
_LONGEST_NAME: Final = 200

ORDERS: Mapping[str, Sentence] = {
    "": say("2026-01-31 or 31.01.2026"),
    "dmy": say("31/01/2026, the day first"),
    "mdy": say("01/31/2026, the month first"),
}
"""The orders in which days may be written, besides year, month and day."""

_ISO = re.compile(r"([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})(?:[T ].{0,40})?")
_PARTS = re.compile(r"([0-9]{1,2})([./-])([0-9]{1,2})\2([0-9]{4})")
_NUMBER = re.compile(r"([-+]?)([0-9][0-9.,]*|[.,][0-9]+)")
_BLANKS = re.compile("[\\s'\u2019]")
_GROUPS = re.compile(r"[0-9]{1,3}(?:[.,][0-9]{3})+")
_QUOTED_FORMULA = re.compile("'[-=+@\t\r\n]")


class CellFault(Exception):
    """Raised for a row that can't be imported; ``reason`` is the sentence for the list of rejected rows."""

    def __init__(self, reason: Sentence) -> None:
        super().__init__(reason)
        self.reason = reason


class CsvRow(NamedTuple):
    """A row of a table and its first line in the file."""

    line: int
    cells: Sequence[str]

    def cell(self, column: int) -> str:
        """Return the cell of a column, counted from 1, without outer blanks; empty for none."""
        return self.cells[column - 1].strip() if 0 < column <= len(self.cells) else ""


def refuse(reason: Sentence) -> Invalid:
    """Return the error of a file that can't be read at all."""
    return Invalid.at("file", "ill-formed", reason)


def decode(content: bytes) -> str:
    """Return the text of a file: UTF-8, UTF-16 with a byte order mark, or else Windows-1252.

    Line ends become line feeds; NUL characters and the byte order mark are dropped. Raises ``Invalid`` at
    ``file`` for a file that is empty or larger than ``MOST_BYTES``.
    """
    if len(content) > MOST_BYTES:
        raise refuse(say("The file has more than {most:,} bytes.", most=MOST_BYTES))
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        text = content.decode("utf-16", "replace")
    else:
        try:
            text = content.decode("utf-8-sig")
        except UnicodeDecodeError:
            text = content.decode("cp1252", "replace")
    text = text.replace("\0", "").removeprefix("\ufeff")
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if not text.strip():
        raise refuse(say("The file is empty."))
    return text


def table(text: str, *, whole: bool = True) -> list[CsvRow]:
    """Return the rows of a CSV text, blank ones included; the separator is that of its first line.

    Raises ``Invalid`` at ``file`` for more than ``MOST_ROWS`` rows and, unless the text is not the ``whole``
    file and may end within a cell, for a missing quotation mark.
    """
    return [*_records(text, whole=whole)]


def _records(text: str, *, whole: bool) -> Iterator[CsvRow]:
    first = text.lstrip("\n").partition("\n")[0]
    separator = max(",;\t", key=first.count)
    reader = csv.reader(StringIO(text, newline=""), delimiter=separator, strict=whole)
    line, rows = 1, 0
    while True:
        try:
            cells = next(reader, None)
        except csv.Error:
            raise refuse(
                say(
                    "Line {line} can't be read: a quotation mark is missing or misplaced.",
                    line=line,
                )
            ) from None
        if cells is None:
            return
        rows += any(map(str.strip, cells))
        if rows > MOST_ROWS + 2:  # headings and totals do not count
            raise refuse(say("The file has more than {most:,} rows.", most=MOST_ROWS))
        yield CsvRow(line, cells)
        line = reader.line_num + 1


def must_be_narrow(record: CsvRow, columns: int) -> None:
    """Raise `CellFault` for a row with more cells than the table has columns."""
    if len(record.cells) > max(columns, 1) and any(map(str.strip, record.cells[columns:])):
        raise CellFault(
            say(
                "The row has {n:,} cells; the table has {columns:,} columns.",
                n=len(record.cells),
                columns=columns,
            )
        )


def names_of(cells: Sequence[str]) -> list[str]:
    """Return the names of members from headings; a second one of a name gets a number.

    Raises ``Invalid`` at ``file`` for too many names, a missing one or a very long one.
    """
    if len(cells) > MOST_MEMBERS:
        raise refuse(say("The file has more than {most:,} members.", most=MOST_MEMBERS))
    names: list[str] = []
    for place, cell in enumerate(cells, 1):
        name = text_of(cell)
        if not name:
            raise refuse(say("The heading of the {n:,}. member's column is empty.", n=place))
        number = 2
        while name in names:
            name, number = f"{text_of(cell)} ({number})", number + 1
        names.append(name)
    return names


def text_of(cell: str, longest: int = _LONGEST_TEXT) -> str:
    """Return a text in one line, at most ``longest`` characters, without invisible characters.

    The apostrophe is dropped that programs write before a formula.
    """
    cell = cell[: 4 * longest]
    if _QUOTED_FORMULA.match(cell):
        cell = cell[1:]
    visible = "".join(letter for letter in cell if not texts.is_hidden(letter))
    return " ".join(visible.split())[:longest].strip()


def day_of(cell: str, order: str = "") -> date:
    """Return the day in a cell: year, month and day; or in the ``order`` of ``ORDERS``.

    >>> day_of("2026-01-31"), day_of("31.1.2026"), day_of("01/31/2026", "mdy")
    (datetime.date(2026, 1, 31), datetime.date(2026, 1, 31), datetime.date(2026, 1, 31))
    """
    cell = digits.western(cell[:60]).strip()
    with suppress(ValueError):
        if iso := _ISO.fullmatch(cell):
            return date(*map(int, iso.groups()))
        if (parts := _PARTS.fullmatch(cell)) and (order or parts[2] == "."):
            first, second, year = int(parts[1]), int(parts[3]), int(parts[4])
            month, day = (first, second) if order == "mdy" else (second, first)
            return date(year, month, day)
    raise CellFault(
        say(
            "“{cell}” is not a day; write {example}.",
            cell=text_of(cell, _LONGEST_NUMBER),
            example="2026-01-31",
        )
    )


def amount_of(cell: str, places: int, *, with_point: bool = False) -> int:
    """Return an amount in minor units, with ``places`` decimals; more decimals are rounded.

    The last of point and comma is the decimal mark. A single mark before three digits is ambiguous, unless
    the program writes numbers ``with_point``. Raises `CellFault`.

    >>> [amount_of(cell, 2) for cell in ("12.5", "-1.234,50", "1,234.50", "7", "33.3333")]
    [1250, -123450, 123450, 700, 3333]
    """
    plain = _BLANKS.sub("", digits.western(cell[: 2 * _LONGEST_NUMBER]))
    match = _NUMBER.fullmatch(plain) if len(plain) <= _LONGEST_NUMBER else None
    parts = match and _units_and_part(match[2], places, with_point=with_point)
    if match is None or parts is None:
        raise CellFault(
            say("“{cell}” is not a clear amount.", cell=text_of(cell, _LONGEST_NUMBER) or "–")
        )
    units, part = parts
    scaled = int(units + part[: places + 1].ljust(places + 1, "0"))
    amount = (scaled + 5) // 10
    if amount > currencies.MOST_MONEY:
        raise CellFault(say("“{cell}” is too large.", cell=text_of(cell, _LONGEST_NUMBER)))
    return -amount if match[1] == "-" else amount


def _units_and_part(number: str, places: int, *, with_point: bool) -> tuple[str, str] | None:
    """Return the digits before and after the decimal mark; None if it is unclear which mark that is."""
    marks = [mark for mark in number if mark in ".,"]
    if with_point:
        units, _, part = number.partition(".")
        return (units or "0", part) if marks in ([], ["."]) else None
    if not marks:
        return number, ""
    if len({*marks}) == 1:
        mark = marks[0]
        if len(marks) > 1:
            return (number.replace(mark, ""), "") if _GROUPS.fullmatch(number) else None
        units, part = number.split(mark)
        looks_grouped = _GROUPS.fullmatch(number) and units != "0" and places != 3
        if looks_grouped:
            return (units + part, "") if places == 0 else None
        return units or "0", part
    mark = marks[-1]
    units, _, part = number.rpartition(mark)
    grouped = _GROUPS.fullmatch(units) and mark not in units
    return (re.sub("[.,]", "", units), part) if grouped else None
