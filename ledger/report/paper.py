"""Drawing of pages on reportlab's canvas.

Coordinates are points from the bottom left corner. A page's text is collected in one text object and drawn
over its lines at the end of the page, which is faster and makes the PDF smaller.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from io import BytesIO

from reportlab import rl_config
from reportlab.lib.colors import Color, HexColor
from reportlab.lib.pagesizes import A4, landscape
from reportlab.lib.rl_accel import fp_str
from reportlab.pdfgen.canvas import Canvas
from reportlab.pdfgen.textobject import PDFTextObject

from ledger.report import fonts
from ledger.report.text import TextLine, line
from ledger.words.translation import reader

PORTRAIT: tuple[float, float] = A4
LANDSCAPE: tuple[float, float] = landscape(A4)

MARGIN = 42.0
FOOT = 46.0

INK = HexColor(0x1F2421)
GREY = HexColor(0x6E7672)
FAINT = HexColor(0x8F9692)
RULE = HexColor(0xD5DAD7)
FELT = HexColor(0x1D5C45)
RED = HexColor(0xC0261C)
PAPER = HexColor(0xFFFFFF)

# Write binary streams: the default ASCII-85 encoding is a fifth longer and takes a tenth of the time.
rl_config.useA85 = 0

# Cached for the benchmark pdf: formatting coordinates takes a tenth of the time.
_number = lru_cache(maxsize=8192)(fp_str)
"""Formats a coordinate for PDF; cells of a row or column share theirs."""


class _Text(PDFTextObject):
    """The text of a page, with an absolute position for each piece."""

    def place(self, x: float, y: float, words: str) -> None:
        """Write a text at a point, without computing its width."""
        self._code.append(f"1 0 0 1 {_number(x)} {_number(y)} Tm")  # type: ignore[attr-defined]
        self._textOut(words)  # type: ignore[attr-defined]


@dataclass
class Paper:
    """A PDF under construction."""

    title: str
    author: str
    head: str | None = None
    out: BytesIO = field(default_factory=BytesIO)

    def __post_init__(self) -> None:
        fonts.face(fonts.REGULAR)
        fonts.face(fonts.BOLD)
        # invariant: equal reports have equal bytes at any time.
        self.canvas = Canvas(
            self.out,
            pagesize=PORTRAIT,
            invariant=1,
            pageCompression=1,
            initialFontName=fonts.REGULAR,  # type: ignore[arg-type]  # the stubs reject a name
            lang=reader().tag,
        )
        self.canvas.setTitle(self.title)
        self.canvas.setAuthor(self.author)
        self.canvas.setCreator("Solo Ledger")
        if self.head:
            self.canvas.setKeywords(f"solo-ledger head {self.head}")  # read by verify
        self.size = PORTRAIT

    def begin(self, size: tuple[float, float]) -> None:
        """Start a page of this size in points, with no font or color set."""
        self.size = size
        self.canvas.setPageSize(size)
        self.canvas.setLineCap(1)
        self.canvas.setLineJoin(1)
        self._text = _Text(self.canvas)
        self._font: tuple[str, float] | None = None
        self._color: Color | None = None

    def end(self) -> None:
        """Draw the page's text over its lines and finish the page."""
        self.canvas.drawText(self._text)
        self.canvas.showPage()

    def finish(self) -> bytes:
        """Close the PDF and return its bytes."""
        self.canvas.save()
        return self.out.getvalue()

    def mark(self, title: str) -> None:
        """Add the current page to the PDF's outline."""
        self.canvas.bookmarkPage(title)
        self.canvas.addOutlineEntry(title, title)

    def put(self, x: float, y: float, laid: TextLine, size: float, color: Color = INK) -> None:
        """Draw a line of text that begins at `x`."""
        text = self._text
        if color is not self._color:
            text.setFillColor(color)
            self._color = color
        for run in laid.runs:
            if self._font != (run.font, size):
                text.setFont(run.font, size)
                self._font = (run.font, size)
            text.place(x + run.x * size, y + run.y * size, run.text)

    def put_lines(
        self,
        x: float,
        y: float,
        lines: Iterable[TextLine],
        size: float,
        leading: float,
        color: Color = INK,
    ) -> None:
        """Draw lines of text below one another, each `leading` points below the last."""
        for number, laid in enumerate(lines):
            self.put(x, y - number * leading, laid, size, color)

    def write(
        self,
        x: float,
        y: float,
        words: str,
        size: float,
        color: Color = INK,
        *,
        bold: bool = False,
        align: float = 0.0,
    ) -> float:
        """Draw a text and return its right edge.

        `align` is the share of its width left of `x`: 1 is right-aligned.
        """
        laid = line(words, bold=bold)
        start = x - align * laid.width * size
        self.put(start, y, laid, size, color)
        return start + laid.width * size

    def rule(self, x: float, y: float, to: float, width: float = 0.4, color: Color = RULE) -> None:
        """Draw a horizontal line."""
        self.canvas.setStrokeColor(color)
        self.canvas.setLineWidth(width)
        self.canvas.line(x, y, to, y)
