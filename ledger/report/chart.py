"""The chart of every player's total after each hand or evening, with a label at the end of each line."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.words.sentences import say
from ledger.report.characters import isolate
from ledger.report.paper import FAINT, GREY, INK, RULE, Paper
from ledger.report.plotting import spread, step_for
from ledger.report.strokes import Stroke, strokes
from ledger.report.text import fit, line
from ledger.services.reads.summary import SessionSummary
from ledger.words import numbers
from ledger.words.translation import translate

_LABEL = 8.0
_LABEL_STEP = 10.5
_WIDEST_LABEL = 190.0
"""The widest column of labels, in points."""
_MARKS_A_LINE = 6
_MOST_POINTS = 200


@dataclass(frozen=True, slots=True)
class _Frame:
    """The edges of the plot, and the scales of steps and amounts."""

    left: float
    right: float
    bottom: float
    top: float
    low: int
    high: int
    steps: int

    def x(self, step: float) -> float:
        """Return the x of a step; step 0 is the start."""
        return self.left + (self.right - self.left) * step / max(self.steps, 1)

    def y(self, amount: float) -> float:
        """Return the y of an amount."""
        return self.bottom + (self.top - self.bottom) * (amount - self.low) / (self.high - self.low)


@dataclass(frozen=True, slots=True)
class Course:
    """The content of a chart: everybody's totals, 0 and then one after each step.

    Attributes:
        names: The players.
        styles: Their lines' styles.
        totals: Their totals.
        starts: For each player the step at which the line begins.
        labels: The texts below the steps that have one.
        axis: The word below the start.
        alternative: The chart in words.
    """

    names: Sequence[str]
    styles: Sequence[Stroke]
    totals: Sequence[Sequence[int]]
    starts: Sequence[int]
    labels: Mapping[int, str]
    axis: str
    alternative: str

    @property
    def steps(self) -> int:
        """The number of steps."""
        return len(self.totals[0]) - 1


def of_session(summary: SessionSummary, unit: str) -> Course:
    """Return the course of an evening in one unit: a step is a hand."""
    totals = balances(summary, unit)
    interval = step_for(len(summary.hands), 12)
    hands = range(interval, len(summary.hands) + 1, interval)
    return Course(
        summary.seats,
        strokes(summary),
        totals,
        summary.sat_down or (0,) * len(totals),
        {hand: f"{summary.hands[hand - 1].number}" for hand in hands},
        translate(say("Hand")),
        say(
            "Line chart of everybody's balance after each of {n:hand|hands}. At the end: {listed:list}.",
            n=len(summary.hands),
            listed=ends_of(summary.seats, totals),
        ),
    )


def ends_of(names: Sequence[str], totals: Sequence[Sequence[int]]) -> list[str]:
    """Return everybody's last total, with their name."""
    pairs = zip(names, totals, strict=True)
    return [f"{isolate(name)} {numbers.change(amounts[-1])}" for name, amounts in pairs]


def balances(summary: SessionSummary, unit: str) -> list[list[int]]:
    """Return for each seat 0 and its balance after each hand, including adjustments before the next hand.

    Hands played in another ``unit`` repeat the previous balance.
    """
    lines = [[0] for _ in summary.seats]
    for hand in summary.hands:
        for seat, totals in enumerate(lines):
            totals.append(hand.balances[seat] if hand.unit == unit else totals[-1])
    return lines


def points_of_line(first: int, last: int, step: int = 1) -> list[int]:
    """Return the hands at which a line has a point, beginning when its player sat down.

    >>> points_of_line(0, 5, 2), points_of_line(3, 5), points_of_line(5, 5)
    ([0, 2, 4, 5], [3, 4, 5], [5])
    """
    return [*range(first, last, step), last]


def draw_chart(
    paper: Paper, course: Course, *, x: float, y: float, width: float, height: float
) -> None:
    """Draw the chart of a course, with its top left corner at (x, y)."""
    with paper.figure(translate(course.alternative)):
        _draw(paper, course, x=x, y=y, width=width, height=height)


def _draw(paper: Paper, course: Course, *, x: float, y: float, width: float, height: float) -> None:
    low, high = min(map(min, course.totals)), max(map(max, course.totals))
    step = step_for(max(high - low, 1), 7)
    low, high = low // step * step, -(-high // step) * step
    high = max(high, low + step)
    axis = max(len(numbers.number(low)), len(numbers.number(high))) * 4.3 + 8
    label = min(_WIDEST_LABEL, 64 + max(line(name).width for name in course.names) * _LABEL)
    frame = _Frame(x + axis, x + width - label, y - height + 22, y - 6, low, high, course.steps)
    _grid(paper, frame, step, course)
    _lines(paper, frame, course)
    _labels(paper, frame, course, width=label)


def _grid(paper: Paper, frame: _Frame, step: int, course: Course) -> None:
    """Draw the horizontal lines with their amounts, and the labels of steps below."""
    for amount in range(frame.low, frame.high + 1, step):
        at = frame.y(amount)
        nought = amount == 0
        paper.rule(frame.left, at, frame.right, 0.7 if nought else 0.35, GREY if nought else RULE)
        paper.write(frame.left - 6, at - 2.6, numbers.number(amount), 7, GREY, align=1)
    for place, text in course.labels.items():
        paper.write(frame.x(place), frame.bottom - 12, text, 7, GREY, align=0.5)
    paper.write(frame.left, frame.bottom - 12, course.axis, 7, FAINT)


def _lines(paper: Paper, frame: _Frame, course: Course) -> None:
    """Draw every player's line with its marks."""
    canvas = paper.canvas
    # More points than the page can resolve would only blur the dashes.
    interval = -(-frame.steps // _MOST_POINTS)
    lines = list(zip(course.styles, course.totals, course.starts, strict=True))
    for style, amounts, start in lines:
        path = canvas.beginPath()
        first, *others = points_of_line(start, frame.steps, interval)
        path.moveTo(frame.x(first), frame.y(amounts[first]))
        for step in others:
            path.lineTo(round(frame.x(step), 1), round(frame.y(amounts[step]), 1))
        style.pen(canvas, 1.25 if frame.steps <= 200 else 0.9)
        canvas.drawPath(path)
    canvas.setDash([])
    for place, (style, amounts, start) in enumerate(lines):
        # Each line is marked at different steps, so that marks do not overlap.
        phase = (place + 0.5) / len(lines)
        played = frame.steps - start
        for mark in range(min(_MARKS_A_LINE, played)):
            step = start + round((mark + phase) * played / _MARKS_A_LINE)
            style.stamp(canvas, frame.x(step), frame.y(amounts[step]))


def _labels(paper: Paper, frame: _Frame, course: Course, *, width: float) -> None:
    """Draw the names and last totals at the right ends of the lines, without overlaps."""
    ends = [frame.y(amounts[-1]) for amounts in course.totals]
    order = sorted(range(len(ends)), key=lambda place: (-ends[place], place))
    heights = spread([ends[place] for place in order], _LABEL_STEP, frame.bottom, frame.top + 4)
    for place, at in zip(order, heights, strict=True):
        left, style = frame.right + 10, course.styles[place]
        style.pen(paper.canvas, 0.5)
        paper.canvas.setDash([])
        paper.canvas.line(frame.right + 1, ends[place], left - 1, at)
        style.sample(paper.canvas, left, at, 14)
        amount = numbers.number(course.totals[place][-1])
        paper.write(frame.right + width, at - 2.8, amount, _LABEL, GREY, align=1)
        room = width - 32 - (len(amount) + 1) * _LABEL * 0.55
        paper.put(left + 19, at - 2.8, fit(course.names[place], room / _LABEL), _LABEL, INK)
