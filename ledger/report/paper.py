"""Drawing of pages on reportlab's canvas.

Coordinates are points from the bottom left corner. A page's text is collected in one text object and drawn
over its lines at the end of the page, which is faster and makes the PDF smaller.
"""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from io import BytesIO

from reportlab import rl_config
from reportlab.lib.colors import Color, HexColor
from reportlab.lib.rl_accel import fp_str
from reportlab.pdfgen.canvas import Canvas
from reportlab.pdfgen.textobject import PDFTextObject

from ledger.report import fonts
from ledger.report.reportlab_internals import document_of, escaped, operators
from ledger.report.shaping import Run
from ledger.report.tags import ARTIFACT, Element, StructureTree, alternative_text
from ledger.report.text import TextLine, line
from ledger.words.translation import reader

INK = HexColor(0x1F2421)
GREY = HexColor(0x6E7672)
FAINT = HexColor(0x8F9692)
RULE = HexColor(0xD5DAD7)
FELT = HexColor(0x1D5C45)
RED = HexColor(0xC0261C)
PAPER = HexColor(0xFFFFFF)

_UNSPACED = "\u2e80"
"""The first character of the scripts that are written without spaces."""

# Write binary streams: the default ASCII-85 encoding is a fifth longer and takes a tenth of the time.
rl_config.useA85 = 0


class _Text(PDFTextObject):
    """The text of a page. Each piece is placed relative to the one before it, which makes rows alike."""

    def __init__(self, canvas: Canvas) -> None:
        super().__init__(canvas)
        self._at = (0, 0)
        self._run = ("", 0.0, -1)

    def operator(self, code: str) -> None:
        """Write an operator."""
        operators(self).append(code)

    def place(self, x: float, y: float, run: Run, size: float) -> None:
        """Write a run of text at a point, in hundredths of a point."""
        code = operators(self)
        canvas: Canvas = self._canvas  # type: ignore[attr-defined]
        at = (round(x * 100), round(y * 100))
        code.append(f"{_number(at[0] - self._at[0])} {_number(at[1] - self._at[1])} Td")
        self._at = at
        face = fonts.face(run.font)
        for subset, piece in face.splitString(run.text, document_of(canvas)):
            if self._run != (run.font, size, subset):
                self._run = (run.font, size, subset)
                name = face.getSubsetInternalName(subset, document_of(canvas))
                code.append(f"{name} {fp_str(size)} Tf")
            code.append(f"({escaped(canvas, piece)}) Tj")


# Cached for the benchmark pdf: cells of a row or column are at equal distances.
@lru_cache(maxsize=8192)
def _number(hundredths: int) -> str:
    """Return a number of hundredths as PDF spells it."""
    return f"{hundredths / 100:.2f}".rstrip("0").rstrip(".") if hundredths else "0"


def _points(length: float) -> str:
    """Return a length in points as PDF spells it."""
    return _number(round(length * 100))


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
            invariant=1,
            pageCompression=1,
            initialFontName=fonts.REGULAR,  # type: ignore[arg-type]  # the stubs reject a name
            lang=reader().tag,
            pdfVersion=(1, 7),
        )
        self.tree = StructureTree()
        self._groups: dict[object, Element] = {}
        self.canvas.setTitle(self.title)
        self.canvas.setAuthor(self.author)
        self.canvas.setCreator("Solo Ledger")
        if self.head:
            self.canvas.setKeywords(f"solo-ledger head {self.head}")  # read by verify
        self.size = (0.0, 0.0)

    def begin(self, size: tuple[float, float]) -> None:
        """Start a page of this size in points, with no font or color set."""
        self.size = size
        self.canvas.setPageSize(size)
        self.canvas.setLineCap(1)
        self.canvas.setLineJoin(1)
        self.tree.begin_page()
        operators(self.canvas).append(ARTIFACT)
        self._text = _Text(self.canvas)
        self.content: Element | None = None
        self._open: Element | None = None
        self._rules: dict[tuple[Color, float], list[str]] = {}
        self._text.operator(ARTIFACT)
        self._color: Color | None = None

    def end(self) -> None:
        """Draw the page's text over its lines and finish the page."""
        self._draw_rules()
        self._text.operator("EMC")
        operators(self.canvas).append("EMC")
        self.canvas.drawText(self._text)
        self.canvas.showPage()
        self.tree.name_page(document_of(self.canvas).Pages.pages[-1])

    def finish(self) -> bytes:
        """Close the PDF and return its bytes."""
        self.canvas.save()
        return self.tree.add_tags(self.out.getvalue(), self.canvas)

    @contextmanager
    def within(self, element: Element) -> Iterator[Element]:
        """Let text belong to an element; all other text is an artifact."""
        self.content, before = element, self.content
        yield element
        self.content = before

    def part(self, role: str) -> AbstractContextManager[Element]:
        """Let text belong to a new element of the document, such as P or H1."""
        return self.within(self.tree.root.add(role))

    @contextmanager
    def figure(self, alternative: str) -> Iterator[Element]:
        """Let lines and text belong to a new figure, described by an alternative text."""
        element = self.tree.root.add("Figure", alternative_text(alternative))
        code = operators(self.canvas)
        code.append(f"EMC {self.tree.opening(element)}")
        with self.within(element):
            yield element
        code.append(f"EMC {ARTIFACT}")

    def table(self, key: object) -> Element:
        """Return the document's table of a key, new at its first use; its rows may be on several pages."""
        return self._group("Table", key)

    def item(self, key: object) -> Element:
        """Return a new item of the document's list of a key."""
        return self._group("L", key).add("LI").add("LBody")

    def _group(self, role: str, key: object) -> Element:
        if key not in self._groups:
            self._groups[key] = self.tree.root.add(role)
        return self._groups[key]

    def mark(self, title: str) -> None:
        """Add the current page to the PDF's outline."""
        self.canvas.bookmarkPage(title)
        self.canvas.addOutlineEntry(title, title)

    def put(self, x: float, y: float, laid: TextLine, size: float, color: Color = INK) -> None:
        """Draw a line of text that begins at `x`."""
        text = self._text
        if self.content is not self._open:
            self._open = self.content
            text.operator(f"EMC {self.tree.opening(self.content)}")
        if color is not self._color:
            text.setFillColor(color)
            self._color = color
        for run in laid.runs:
            text.place(x + run.x * size, y + run.y * size, run, size)

    def put_lines(
        self,
        x: float,
        y: float,
        lines: Sequence[TextLine],
        size: float,
        leading: float,
        color: Color = INK,
        *,
        align: float = 0.0,
    ) -> None:
        """Draw lines of text below one another, each `leading` points below the last.

        `align` is the share of a line's width left of `x`: 1 is right-aligned. A space at the end of each
        line keeps its last word apart for readers that don't see the break.
        """
        for number, laid in enumerate(lines):
            start = x - align * laid.width * size
            self.put(start, y - number * leading, laid, size, color)
            if number < len(lines) - 1 and laid.runs and laid.runs[-1].text[-1] < _UNSPACED:
                space = Run(fonts.REGULAR, " ", 0)
                self._text.place(start + laid.width * size, y - number * leading, space, size)

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
        """Draw a horizontal line. Those outside figures are drawn together at the end of the page."""
        line = f"{_points(x)} {_points(y)} m {_points(to)} {_points(y)} l"
        if self.content is not None and self.content.role == "Figure":
            self.canvas.setStrokeColor(color)
            self.canvas.setLineWidth(width)
            operators(self.canvas).append(f"{line} S")
        else:
            self._rules.setdefault((color, width), []).append(line)

    def upright(self, x: float, y: float, to: float) -> None:
        """Draw a thin vertical line, together with the rules of the page."""
        line = f"{_points(x)} {_points(y)} m {_points(x)} {_points(to)} l"
        self._rules.setdefault((RULE, 0.35), []).append(line)

    def _draw_rules(self) -> None:
        """Draw the page's rules, each pen's as one path."""
        for (color, width), lines in self._rules.items():
            self.canvas.setStrokeColor(color)
            self.canvas.setLineWidth(width)
            self.canvas.setDash([])
            operators(self.canvas).append("\n".join([*lines, "S"]))
