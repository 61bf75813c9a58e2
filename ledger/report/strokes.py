"""The style of each player's line: colour, mark and dash.

They are those of pages. A second player with the same colour has a dashed line with hollow marks, so that all
twelve differ even in black and white.
"""

from dataclasses import dataclass

from reportlab.lib.colors import Color, HexColor
from reportlab.pdfgen.canvas import Canvas

from ledger.report.paper import PAPER
from ledger.services.reads.summary import SessionSummary
from ledger.words.player_marks import Corners, is_again, player_colour


@dataclass(frozen=True, slots=True)
class Stroke:
    """A line's colour, the corners of its mark, and whether it is hollow and dashed."""

    color: Color
    corners: Corners
    hollow: bool

    def pen(self, canvas: Canvas, width: float) -> None:
        """Set the canvas's colour, width and dash to draw the line."""
        canvas.setStrokeColor(self.color)
        canvas.setLineWidth(width)
        canvas.setDash([3.2, 2.4] if self.hollow else [])

    def stamp(self, canvas: Canvas, x: float, y: float, radius: float = 2.9) -> None:
        """Draw the mark at a point; the canvas keeps the mark's colours, and lines without dashes."""
        canvas.setDash([])
        canvas.setLineWidth(0.9 if self.hollow else 0.5)
        canvas.setStrokeColor(self.color if self.hollow else PAPER)
        canvas.setFillColor(PAPER if self.hollow else self.color)
        path = canvas.beginPath()
        first, *others = [(x + across * radius, y + up * radius) for across, up in self.corners]
        path.moveTo(*first)
        for point in others:
            path.lineTo(*point)
        path.close()
        canvas.drawPath(path, stroke=1, fill=1)

    def sample(self, canvas: Canvas, x: float, y: float, width: float = 18) -> None:
        """Draw a short piece of the line with its mark, for the legend."""
        self.pen(canvas, 1.2)
        canvas.line(x, y, x + width, y)
        self.stamp(canvas, x + width / 2, y, 3.4)


def strokes(summary: SessionSummary) -> list[Stroke]:
    """Return the style of each seat's line, in its player's colour or, without colours, by its place."""
    return list(map(stroke, summary.colours or range(len(summary.seats))))


def stroke(colour: int) -> Stroke:
    """Return the style with this number; from 12 on the styles are hollow, from 24 on they repeat."""
    player = player_colour(colour)
    return Stroke(HexColor(player.light), player.corners, is_again(colour))
