"""The chart of one value over time, as SVG without scripts or inline styles."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import pairwise

from ledger.report.plotting import step_for
from ledger.words.numbers import number

WIDTH, HEIGHT = 360, 190
RIGHT, TOP, BOTTOM = 350, 10, 164
"""The edges of the plot; dates are below, figures on the left."""

_FIGURE_WIDTH, _DATE_WIDTH = 6.6, 76
_MOST_DATES = 4


@dataclass(frozen=True, slots=True)
class Chart:
    """A line through ``values`` in equal steps.

    ``levels`` are the heights and labels of the horizontal lines, ``dates`` the positions and alignments of
    the dates below, ``zero`` is the height of zero, ``points`` the line's SVG coordinates.
    """

    values: tuple[int, ...]
    left: float
    levels: tuple[tuple[float, str], ...]
    dates: tuple[tuple[float, date, str], ...]
    zero: float
    points: str

    @classmethod
    def of(
        cls,
        values: Sequence[int],
        start: int = 0,
        days: Sequence[date] = (),
        formatted: Callable[[int], str] = number,
    ) -> "Chart | None":
        """Return the chart of ``values`` after ``start``, or None if there are no values.

        ``days`` are the dates of the values, ``formatted`` writes the figures on the left.
        """
        if not values:
            return None
        all_values = (start, *values)
        step = step_for(max(max(*all_values, 0) - min(*all_values, 0), 1), 4)
        low, high = min(*all_values, 0) // step * step, -(-max(*all_values, 0) // step) * step
        high = max(high, low + step)
        levels = range(low, high + 1, step)
        left = round(10 + max(len(formatted(level)) for level in levels) * _FIGURE_WIDTH, 1)

        def x(place: int) -> float:
            return round(left + (RIGHT - left) * place / (len(all_values) - 1), 1)

        def y(amount: int) -> float:
            return round(BOTTOM - (BOTTOM - TOP) * (amount - low) / (high - low), 1)

        return cls(
            all_values,
            left,
            tuple((y(level), formatted(level)) for level in levels),
            tuple(_dates([(x(place), on) for place, on in enumerate(days, start=1)])),
            y(0),
            " ".join(f"{x(place)},{y(value)}" for place, value in enumerate(all_values)),
        )

    @property
    def now(self) -> int:
        """The last value."""
        return self.values[-1]

    @property
    def highest(self) -> int:
        """The largest value, including the start."""
        return max(self.values)

    @property
    def lowest(self) -> int:
        """The smallest value, including the start."""
        return min(self.values)

    @property
    def last(self) -> tuple[str, str]:
        """The coordinates of the line's end."""
        x, _, y = self.points.rpartition(" ")[2].partition(",")
        return x, y


def _dates(days: Sequence[tuple[float, date]]) -> list[tuple[float, date, str]]:
    """Return the dates written below the chart: the last, the first, and some between if there is room.

    No date is repeated. The last one is aligned to its end, the others are centred on their points.
    """
    if not days:
        return []
    gaps = max(min(_MOST_DATES, len(days)) - 1, 1)
    chosen = [days[round(gap * (len(days) - 1) / gaps)] for gap in range(gaps + 1)]
    labelled = [chosen[-1]]
    for (at, on), (_, after) in reversed(list(pairwise(chosen))):
        # The last date ends at its point, so it needs half a width more room on its left.
        room = _DATE_WIDTH * (1.5 if len(labelled) == 1 else 1)
        if on != after and at <= labelled[-1][0] - room:
            labelled.append((at, on))
    (at, on), *others = labelled
    return [*((x, day, "middle") for x, day in reversed(others)), (at, on, "end")]
