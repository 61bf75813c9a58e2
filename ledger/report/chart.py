"""The chart of every player's balance after each hand, with a label at the end of each line."""

from collections.abc import Sequence
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
    """The edges of the plot, and the scales of hands and amounts."""

    left: float
    right: float
    bottom: float
    top: float
    low: int
    high: int
    hands: int

    def x(self, hand: float) -> float:
        """Return the x of a hand; hand 0 is the start."""
        return self.left + (self.right - self.left) * hand / max(self.hands, 1)

    def y(self, amount: float) -> float:
        """Return the y of an amount."""
        return self.bottom + (self.top - self.bottom) * (amount - self.low) / (self.high - self.low)


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
    paper: Paper,
    summary: SessionSummary,
    unit: str,
    *,
    x: float,
    y: float,
    width: float,
    height: float,
) -> None:
    """Draw the chart of balances in one unit, with its top left corner at (x, y)."""
    with paper.figure(alternative(summary, unit)):
        _draw(paper, summary, unit, x=x, y=y, width=width, height=height)


def alternative(summary: SessionSummary, unit: str) -> str:
    """Return what the chart shows, in words: every player's last balance."""
    ends = zip(summary.seats, (amounts[-1] for amounts in balances(summary, unit)), strict=True)
    listed = [f"{isolate(name)} {numbers.change(amount)}" for name, amount in ends]
    return translate(
        say(
            "Line chart of everybody's balance after each of {n:hand|hands}. At the end: {listed:list}.",
            n=len(summary.hands),
            listed=listed,
        )
    )


def _draw(
    paper: Paper,
    summary: SessionSummary,
    unit: str,
    *,
    x: float,
    y: float,
    width: float,
    height: float,
) -> None:
    lines = balances(summary, unit)
    low, high = min(map(min, lines)), max(map(max, lines))
    step = step_for(max(high - low, 1), 7)
    low, high = low // step * step, -(-high // step) * step
    high = max(high, low + step)
    axis = max(len(numbers.number(low)), len(numbers.number(high))) * 4.3 + 8
    label = min(_WIDEST_LABEL, 64 + max(line(seat).width for seat in summary.seats) * _LABEL)
    frame = _Frame(
        x + axis, x + width - label, y - height + 22, y - 6, low, high, len(summary.hands)
    )
    _grid(paper, frame, step, summary)
    styles = strokes(summary)
    ends = _lines(paper, frame, lines, styles, summary.sat_down or (0,) * len(lines))
    _labels(paper, frame, summary, lines, styles, ends, width=label)


def _grid(paper: Paper, frame: _Frame, step: int, summary: SessionSummary) -> None:
    """Draw the horizontal lines with their amounts, and the numbers of hands below."""
    for amount in range(frame.low, frame.high + 1, step):
        at = frame.y(amount)
        nought = amount == 0
        paper.rule(frame.left, at, frame.right, 0.7 if nought else 0.35, GREY if nought else RULE)
        paper.write(frame.left - 6, at - 2.6, numbers.number(amount), 7, GREY, align=1)
    interval = step_for(frame.hands, 12)
    for hand in range(interval, frame.hands + 1, interval):
        number = f"{summary.hands[hand - 1].number}"
        paper.write(frame.x(hand), frame.bottom - 12, number, 7, GREY, align=0.5)
    paper.write(frame.left, frame.bottom - 12, translate(say("Hand")), 7, FAINT)


def _lines(
    paper: Paper,
    frame: _Frame,
    lines: list[list[int]],
    styles: Sequence[Stroke],
    sat_down: Sequence[int],
) -> list[float]:
    """Draw every player's line with its marks and return the heights of their ends."""
    canvas = paper.canvas
    # More points than the page can resolve would only blur the dashes.
    step = -(-frame.hands // _MOST_POINTS)
    for seat, amounts in enumerate(lines):
        path = canvas.beginPath()
        first, *others = points_of_line(sat_down[seat], frame.hands, step)
        path.moveTo(frame.x(first), frame.y(amounts[first]))
        for hand in others:
            path.lineTo(round(frame.x(hand), 1), round(frame.y(amounts[hand]), 1))
        styles[seat].pen(canvas, 1.25 if frame.hands <= 200 else 0.9)
        canvas.drawPath(path)
    canvas.setDash([])
    for seat, amounts in enumerate(lines):
        # Each line is marked at different hands, so that marks do not overlap.
        phase = (seat + 0.5) / len(lines)
        played = frame.hands - sat_down[seat]
        for mark in range(min(_MARKS_A_LINE, played)):
            hand = sat_down[seat] + round((mark + phase) * played / _MARKS_A_LINE)
            styles[seat].stamp(canvas, frame.x(hand), frame.y(amounts[hand]))
    return [frame.y(amounts[-1]) for amounts in lines]


def _labels(
    paper: Paper,
    frame: _Frame,
    summary: SessionSummary,
    lines: list[list[int]],
    styles: Sequence[Stroke],
    ends: list[float],
    *,
    width: float,
) -> None:
    """Draw the names and last balances at the right ends of the lines, without overlaps."""
    order = sorted(range(len(ends)), key=lambda seat: (-ends[seat], seat))
    heights = spread([ends[seat] for seat in order], _LABEL_STEP, frame.bottom, frame.top + 4)
    for seat, at in zip(order, heights, strict=True):
        left = frame.right + 10
        styles[seat].pen(paper.canvas, 0.5)
        paper.canvas.setDash([])
        paper.canvas.line(frame.right + 1, ends[seat], left - 1, at)
        styles[seat].sample(paper.canvas, left, at, 14)
        amount = numbers.number(lines[seat][-1])
        paper.write(frame.right + width, at - 2.8, amount, _LABEL, GREY, align=1)
        room = width - 32 - (len(amount) + 1) * _LABEL * 0.55
        paper.put(left + 19, at - 2.8, fit(summary.seats[seat], room / _LABEL), _LABEL, INK)
