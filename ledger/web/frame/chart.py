"""A line over time, drawn as an SVG without a script or a style: figures at the side, dates below."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import pairwise

from ledger.report.plotting import step_for
from ledger.words.numbers import number

WIDTH, HEIGHT = 360, 190
RIGHT, TOP, BOTTOM = 350, 10, 164
"""Where the line ends; the dates stand beneath, the figures at the left."""

_FIGURE_WIDTH, _DATE_WIDTH = 6.6, 76
_MOST_DATES = 4


@dataclass(frozen=True, slots=True)
class Chart:
    """A line through ``values``, left to right in equal steps, with the day of each but the first.

    ``levels`` are the level lines with what is written at their left, ``dates`` what is written below;
    ``zero`` is how high nothing won lies.
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
        written: Callable[[int], str] = number,
    ) -> "Chart | None":
        """Lay the line out that begins where it stood before; None where there is nothing to draw."""
        if not values:
            return None
        every = (start, *values)
        step = step_for(max(max(*every, 0) - min(*every, 0), 1), 4)
        low, high = min(*every, 0) // step * step, -(-max(*every, 0) // step) * step
        high = max(high, low + step)
        levels = range(low, high + 1, step)
        left = round(10 + max(len(written(each)) for each in levels) * _FIGURE_WIDTH, 1)

        def x(place: int) -> float:
            return round(left + (RIGHT - left) * place / (len(every) - 1), 1)

        def y(amount: int) -> float:
            return round(BOTTOM - (BOTTOM - TOP) * (amount - low) / (high - low), 1)

        return cls(
            every,
            left,
            tuple((y(each), written(each)) for each in levels),
            tuple(_dates([(x(place), on) for place, on in enumerate(days, start=1)])),
            y(0),
            " ".join(f"{x(place)},{y(value)}" for place, value in enumerate(every)),
        )

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
    def last(self) -> tuple[str, str]:
        """Where the line ends."""
        x, _, y = self.points.rpartition(" ")[2].partition(",")
        return x, y


def _dates(days: Sequence[tuple[float, date]]) -> list[tuple[float, date, str]]:
    """Choose the days that are written below: the last, the first, some between where there is room.

    None is written twice, and each stands under its place but the last, which ends there.
    """
    if not days:
        return []
    gaps = max(min(_MOST_DATES, len(days)) - 1, 1)
    chosen = [days[round(each * (len(days) - 1) / gaps)] for each in range(gaps + 1)]
    shown = [chosen[-1]]
    for (at, on), (_, after) in reversed(list(pairwise(chosen))):
        # The last one ends at its place, so that it takes half its width more from those before.
        room = _DATE_WIDTH * (1.5 if len(shown) == 1 else 1)
        if on != after and at <= shown[-1][0] - room:
            shown.append((at, on))
    (at, on), *others = shown
    return [*((x, each, "middle") for x, each in reversed(others)), (at, on, "end")]
