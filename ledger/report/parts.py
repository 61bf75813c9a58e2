"""The parts that reports are composed of, in one style: headings, paragraphs and tables."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from reportlab.lib.colors import Color

from ledger.report.blocks import Block
from ledger.report.paper import FELT, GREY, INK, RULE, Paper
from ledger.report.sheets import MARGIN, PaperSize
from ledger.report.tags import COLUMN, head_of_row
from ledger.report.text import TextLine, fit, line, wrap
from ledger.words.translation import translate

_SIZE, _LEADING = 9.5, 13.5
"""The type size of a paragraph, and the distance of its lines."""
_CELL, _ROW = 9.0, 16.0
"""The type size of a table, and the height of a row of one line."""
_NAME = 8.0
"""The type size of a name in the head of a table."""
_GAP = 8.0


@dataclass(frozen=True, slots=True)
class StyledText:
    """A part of a cell in one style."""

    words: str
    color: Color = INK
    bold: bool = False


Cell = str | Sequence[StyledText]
"""A cell of a table: text that is wrapped, or pieces on one line."""


@dataclass(frozen=True, slots=True)
class ReportColumn:
    """A column of a table. Without a width it shares the rest of the line with the others of that kind.

    The cells of a `names_row` column are the heads of their rows. The head of a player's column `is_name`: it
    is cut to the width, told apart from others by a number and set in bold.
    """

    head: str
    width: float | None = None
    align: float = 0.0
    names_row: bool = False
    is_name: bool = False


def heading(words: str, level: int = 2) -> Block:
    """Return the heading of the document (level 1) or of a section.

    A long one is set in smaller type, down to half of the size, and cut if it is still too wide.
    """
    size, height, color = (22.0, 34.0, INK) if level == 1 else (11.5, 31.0, FELT)

    def draw(paper: Paper, y: float) -> None:
        with paper.part(f"H{level}"):
            room, text = paper.size[0] - 2 * MARGIN, translate(words)
            fitted = max(min(size, room / max(line(text, bold=True).width, 1)), size / 2)
            laid = fit(text, room / fitted, bold=True)
            paper.put(MARGIN, y - height + 7, laid, fitted, color)

    return Block(height, draw)


def paragraph(
    words: str, paper_size: PaperSize, *, size: float = _SIZE, color: Color = INK, most: int = 12
) -> Block:
    """Return a paragraph across the page; it stays with the block before it."""
    lines = wrap(translate(words), paper_size.room / size, most=most)
    leading = size * _LEADING / _SIZE

    def draw(paper: Paper, y: float) -> None:
        with paper.part("P"):
            paper.put_lines(MARGIN, y - size, lines, size, leading, color)

    return Block(len(lines) * leading, draw, keep_with_previous=True)


def quiet(words: str, paper_size: PaperSize) -> Block:
    """Return a paragraph in small grey type."""
    return paragraph(words, paper_size, size=8.5, color=GREY)


def table(
    columns: Sequence[ReportColumn],
    rows: Sequence[Sequence[Cell]],
    paper_size: PaperSize,
    *,
    ruled: bool = False,
    least: float = _ROW,
) -> Iterator[Block]:
    """Yield the head and the rows of a table. Text is wrapped in its column; pieces stay on one line.

    Pieces wider than their column are set in smaller type. A `ruled` table has lines between its columns.
    Rows are at least `least` points high.
    """
    edges = _edges(columns, paper_size)
    key = object()
    yield Block(14, partial(_head, columns, edges, key, paper_size), keep_with_previous=True)
    for number, cells in enumerate(rows):
        laid = [
            _lines(cell, (right - left) / _CELL)
            for cell, (left, right) in zip(cells, edges, strict=True)
        ]
        height = max(_ROW + 11.5 * (max(map(len, laid)) - 1), least)
        draw = partial(_row, columns, edges, laid, height, key, paper_size, ruled)
        yield Block(height, draw, keep_with_previous=number < 2)
    yield Block(4, lambda _paper, _y: None, keep_with_previous=True)


def _edges(columns: Sequence[ReportColumn], paper_size: PaperSize) -> list[tuple[float, float]]:
    """Return the left and right edge of each column."""
    fixed = sum(column.width or 0 for column in columns) + _GAP * (len(columns) - 1)
    shared = (paper_size.room - fixed) / max(sum(column.width is None for column in columns), 1)
    edges, left = [], MARGIN
    for column in columns:
        right = left + (column.width or shared)
        edges.append((left, right))
        left = right + _GAP
    return edges


_Line = list[tuple[TextLine, Color]]


def _lines(cell: Cell, width: float) -> list[_Line]:
    """Return the lines of a cell: wrapped text, or pieces on one line."""
    if isinstance(cell, str):
        return [[(laid, INK)] for laid in wrap(cell, width, most=4)]
    return [[(line(piece.words, bold=piece.bold), piece.color) for piece in cell]]


def _head(
    columns: Sequence[ReportColumn],
    edges: Sequence[tuple[float, float]],
    key: object,
    paper_size: PaperSize,
    paper: Paper,
    y: float,
) -> None:
    row = paper.table(key).add("TR")
    places = [
        (column.head, (right - left) / _NAME)
        for column, (left, right) in zip(columns, edges, strict=True)
        if column.is_name
    ]
    names = iter(short_names([name for name, _ in places], [width for _, width in places]))
    for column, (left, right) in zip(columns, edges, strict=True):
        with paper.within(row.add("TH", COLUMN)):
            laid = next(names) if column.is_name else line(translate(column.head))
            size, color = (_NAME, INK) if column.is_name else (7.5, GREY)
            x = left + (right - left - laid.width * size) * column.align
            paper.put(x, y - 9, laid, size, color)
    paper.rule(MARGIN, y - 13, paper_size.right, 0.7, INK)


def short_names(names: Sequence[str], widths: Sequence[float]) -> list[TextLine]:
    """Return names in bold, cut to widths in ems; those that look the same get a number."""
    places = list(zip(names, widths, strict=True))
    short = [fit(name, width, bold=True) for name, width in places]
    return [
        fit(f"{number}. {name}", width, bold=True) if short.count(laid) > 1 else laid
        for number, ((name, width), laid) in enumerate(zip(places, short, strict=True), start=1)
    ]


def _row(
    columns: Sequence[ReportColumn],
    edges: Sequence[tuple[float, float]],
    laid: Sequence[Sequence[_Line]],
    height: float,
    key: object,
    paper_size: PaperSize,
    ruled: bool,
    paper: Paper,
    y: float,
) -> None:
    row = paper.table(key).add("TR")
    for column, (left, right), lines in zip(columns, edges, laid, strict=True):
        cell = row.add("TH", head_of_row()) if column.names_row else row.add("TD")
        with paper.within(cell):
            for number, pieces in enumerate(lines):
                width = sum(piece.width for piece, _ in pieces)
                size = min(_CELL, (right - left + _GAP / 4) / max(width, 1))
                x = left + (right - left - width * size) * column.align
                for piece, color in pieces:
                    paper.put(x, y - 11.5 - number * 11.5, piece, size, color)
                    x += piece.width * size
    paper.rule(MARGIN, y - height, paper_size.right, 0.35, RULE)
    for _, right in edges[:-1] if ruled else ():
        paper.upright(right + _GAP / 2, y - height, y)
