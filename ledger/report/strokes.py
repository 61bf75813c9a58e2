"""The style of each player's line: colour, mark and dash.

There are six colours, which pages use, too, then the same six dashed with hollow marks. All twelve differ
even in black and white.
"""

from dataclasses import dataclass

from reportlab.lib.colors import Color, HexColor
from reportlab.pdfgen.canvas import Canvas

from ledger.report.paper import PAPER
from ledger.report.plotting import COLOURS
from ledger.services.reads.summary import SessionSummary

_COLORS = tuple(map(HexColor, COLOURS))
_MARKS: tuple[tuple[tuple[float, float], ...], ...] = (
    (),
    ((-1, -1), (1, -1), (1, 1), (-1, 1)),
    ((-1.2, -1), (1.2, -1), (0, 1.25)),
    ((0, -1.4), (1.4, 0), (0, 1.4), (-1.4, 0)),
    ((-1.2, 1), (1.2, 1), (0, -1.25)),
    ((-0.5, -1.3), (0.5, -1.3), (0.5, -0.5), (1.3, -0.5), (1.3, 0.5), (0.5, 0.5), (0.5, 1.3),
     (-0.5, 1.3), (-0.5, 0.5), (-1.3, 0.5), (-1.3, -0.5), (-0.5, -0.5)),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Stroke:
    """A line's colour, its mark (corners; none for a disc), and whether it is hollow and dashed."""

    color: Color
    corners: tuple[tuple[float, float], ...]
    hollow: bool

    def pen(self, canvas: Canvas, width: float) -> None:
        """Set the canvas's colour, width and dash to draw the line."""
        canvas.setStrokeColor(self.color)
        canvas.setLineWidth(width)
        canvas.setDash([3.2, 2.4] if self.hollow else [])

    def stamp(self, canvas: Canvas, x: float, y: float, radius: float = 2.1) -> None:
        """Draw the mark at a point; the canvas keeps the mark's colours, and lines without dashes."""
        canvas.setDash([])
        canvas.setLineWidth(0.9)
        canvas.setStrokeColor(self.color if self.hollow else PAPER)
        canvas.setFillColor(PAPER if self.hollow else self.color)
        path = canvas.beginPath()
        if self.corners:
            points = [(x + across * radius, y + up * radius) for across, up in self.corners]
            path.moveTo(*points[0])
            for point in points[1:]:
                path.lineTo(*point)
            path.close()
        else:
            path.circle(x, y, radius * 1.1)
        canvas.drawPath(path, stroke=1, fill=1)

    def sample(self, canvas: Canvas, x: float, y: float, width: float = 18) -> None:
        """Draw a short piece of the line with its mark, for the legend."""
        self.pen(canvas, 1.2)
        canvas.line(x, y, x + width, y)
        self.stamp(canvas, x + width / 2, y)


def strokes(summary: SessionSummary) -> list[Stroke]:
    """Return the style of each seat's line, in its player's colour or, without colours, by its place."""
    return list(map(stroke, summary.colours or range(len(summary.seats))))


def stroke(colour: int) -> Stroke:
    """Return the style with this number; the twelve styles repeat."""
    return Stroke(
        _COLORS[colour % len(_COLORS)],
        _MARKS[colour % len(_MARKS)],
        colour // len(_COLORS) % 2 == 1,
    )
