"""The chart of an evening: a line for each player, with different colours, dashes and initials."""

from collections.abc import Sequence
from dataclasses import dataclass

from flask.typing import ResponseReturnValue

from ledger.report.plotting import spread, step_for
from ledger.services.reads import running_totals
from ledger.services.reads.running_totals import RunningTotals
from ledger.web.frame.context import SESSION, Here, shows
from ledger.words.numbers import number

HEIGHT, FLAT = 220, 180
"""The heights of a plot: on a phone, and on the board view, where its place is wider."""
RIGHT, TOP, BELOW = 330, 10, 22
"""The edges of the plot; initials are on the right, hands below, figures on the left."""

_FIGURE_WIDTH = 6.6

_LABEL_STEP = 12.0


@dataclass(frozen=True, slots=True)
class PlotLine:
    """A player's line: the seat's index, its SVG points, and the heights of its end and its initials."""

    place: int
    name: str
    total: int
    points: str
    end: float
    label: float


@dataclass(frozen=True, slots=True)
class Plot:
    """The chart: horizontal lines with figures, hands below, and the players' lines."""

    left: float
    levels: tuple[tuple[float, int], ...]
    hands: tuple[tuple[float, int], ...]
    lines: tuple[PlotLine, ...]
    unit: str
    height: int = HEIGHT

    @classmethod
    def of(cls, evening: RunningTotals, height: int = HEIGHT) -> "Plot":
        """Return the chart of running totals."""
        bottom = height - BELOW
        all_totals = [total for line in evening.lines for total in line.totals] or [0]
        step = step_for(max(max(all_totals) - min(all_totals), 1), 5)
        low, high = min(all_totals) // step * step, -(-max(all_totals) // step) * step
        high = max(high, low + step)
        left = round(10 + max(len(number(low)), len(number(high))) * _FIGURE_WIDTH, 1)

        x = [
            round(left + (RIGHT - left) * hand / max(evening.hands, 1), 1)
            for hand in range(evening.hands + 1)
        ]
        across = [f"{at}," for at in x]

        def y(amount: int) -> float:
            return bottom - (bottom - TOP) * (amount - low) / (high - low)

        ends = [round(y(line.totals[-1]), 1) for line in evening.lines]
        labels = _labels(ends, height)
        every_hand = step_for(evening.hands, 8)
        return cls(
            left,
            tuple((round(y(amount), 1), amount) for amount in range(low, high + 1, step)),
            tuple((x[hand], hand) for hand in range(every_hand, evening.hands + 1, every_hand)),
            tuple(
                PlotLine(
                    place,
                    line.name,
                    line.totals[-1],
                    " ".join(
                        [
                            f"{across[hand]}{y(total):.1f}"
                            for hand, total in zip(line.hands, line.totals, strict=True)
                        ]
                    ),
                    ends[place],
                    labels[place],
                )
                for place, line in enumerate(evening.lines)
            ),
            evening.unit,
            height,
        )

    @classmethod
    def of_evening(cls, here: Here, height: int = HEIGHT) -> tuple["Plot", ...]:
        """Return the charts of an evening: its chips, its scores, or both."""
        evenings = running_totals.of_evening(here.session, here.view)
        return tuple(cls.of(evening, height) for evening in evenings)


def _labels(ends: Sequence[float], height: int) -> list[float]:
    """Return the heights of the initials, without overlaps, in the order of the lines' ends."""
    order = sorted(range(len(ends)), key=lambda place: (ends[place], place))
    falling = spread([height - ends[place] for place in order], _LABEL_STEP, BELOW + 2, height - 6)
    at = dict(zip(order, falling, strict=True))
    return [round(height - at[place], 1) for place in range(len(ends))]


@shows(f"{SESSION}/chart")
def chart(here: Here) -> ResponseReturnValue:
    """Return the page with the charts; the scoreboard loads them from here."""
    plots = Plot.of_evening(here)
    return here.page("chart.html", made_of=plots, plots=plots)
