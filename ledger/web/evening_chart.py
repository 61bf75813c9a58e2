"""The evening as lines, one a player, as the report has it: an SVG without a script or a style."""

from collections.abc import Sequence
from dataclasses import dataclass

from ledger.report.chart import balances, drawn, step_for
from ledger.services.reads.summary import SessionSummary

WIDTH, HEIGHT = 360, 200
LEFT, RIGHT, TOP, BOTTOM = 44, 8, 10, 20
_MOST_POINTS = 120


@dataclass(frozen=True, slots=True)
class Line:
    """One player's line: which of twelve looks it has, its points, and what it ends with."""

    player: str
    look: int
    points: str
    end: tuple[str, str]


@dataclass(frozen=True, slots=True)
class EveningChart:
    """The lines, the levels with their heights, and some hands with where they lie."""

    lines: Sequence[Line]
    levels: Sequence[tuple[int, str]]
    hands: Sequence[tuple[int, str]]
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT
    foot: int = HEIGHT - 5

    @classmethod
    def of(cls, evening: SessionSummary) -> "EveningChart | None":
        """Draw an evening; None before its second hand, which would be no line worth looking at."""
        last = len(evening.hands)
        if last < 2:
            return None
        lines = balances(evening)
        low, high = min(map(min, lines)), max(map(max, lines))
        step = step_for(max(high - low, 1), 5)
        low, high = low // step * step, max(-(-high // step) * step, low // step * step + step)
        across = (WIDTH - LEFT - RIGHT) / last
        up = (HEIGHT - TOP - BOTTOM) / (high - low)

        def place(hand: int, amount: int) -> tuple[str, str]:
            return f"{LEFT + hand * across:.1f}", f"{TOP + (high - amount) * up:.1f}"

        every = -(-last // _MOST_POINTS)
        since = evening.sat_down or (0,) * len(lines)
        return cls(
            [
                Line(
                    evening.seats[seat],
                    seat % 12,
                    " ".join(
                        ",".join(place(hand, amounts[hand]))
                        for hand in drawn(since[seat], last, every)
                    ),
                    place(last, amounts[-1]),
                )
                for seat, amounts in enumerate(lines)
            ],
            [(level, place(0, level)[1]) for level in range(low, high + 1, step)],
            [
                (evening.hands[hand - 1].number, place(hand, 0)[0])
                for hand in range(step_for(last, 8), last + 1, step_for(last, 8))
            ],
        )
