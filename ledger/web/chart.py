"""A small line over time, drawn as an SVG without a script or a style: only points in a box."""

from collections.abc import Sequence
from dataclasses import dataclass

WIDTH, HEIGHT, EDGE = 320, 96, 6


@dataclass(frozen=True, slots=True)
class Chart:
    """A line through ``values``, left to right in equal steps, and where nothing won or lost lies."""

    values: tuple[int, ...]

    @classmethod
    def of(cls, values: Sequence[int], start: int = 0) -> "Chart | None":
        """Make the line that begins where it stood before; None where there is nothing to draw."""
        return cls((start, *values)) if values else None

    @property
    def now(self) -> int:
        """What the line ends with."""
        return self.values[-1]

    @property
    def highest(self) -> int:
        """The most it ever was."""
        return max(self.values)

    @property
    def lowest(self) -> int:
        """The least it ever was."""
        return min(self.values)

    @property
    def box(self) -> str:
        """The SVG's own measures."""
        return f"0 0 {WIDTH} {HEIGHT}"

    @property
    def zero(self) -> str:
        """How high the line of nothing won lies."""
        return self._high(0)

    @property
    def points(self) -> str:
        """The line's points.

        >>> Chart((0, 10, -10)).points
        '6.0,48.0 160.0,6.0 314.0,90.0'
        """
        step = (WIDTH - 2 * EDGE) / max(len(self.values) - 1, 1)
        return " ".join(
            f"{EDGE + place * step:.1f},{self._high(value)}"
            for place, value in enumerate(self.values)
        )

    @property
    def last(self) -> tuple[str, str]:
        """Where the line ends."""
        x, _, y = self.points.rpartition(" ")[2].partition(",")
        return x, y

    def _high(self, value: int) -> str:
        low, top = min(self.lowest, 0), max(self.highest, 0)
        share = (value - low) / (top - low) if top > low else 0.5
        return f"{HEIGHT - EDGE - share * (HEIGHT - 2 * EDGE):.1f}"
