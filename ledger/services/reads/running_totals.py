"""The running totals of an evening, in chips and in scores, after each hand or at intervals of several."""

from collections.abc import Sequence
from dataclasses import dataclass

from engine.rules.sheet import CHIPS, SCORE
from ledger.database.models import HandState
from ledger.database.scope import ScopedSession
from ledger.services.reads.hand_line import PlayerColumns
from ledger.services.reads.hand_pages import HandWithTotals, with_totals
from ledger.services.session.view import SessionView

MOST = 120
"""The number of points in a line; more could not be distinguished on a phone."""


@dataclass(frozen=True, slots=True)
class TotalsLine:
    """A player's running totals, each after the hand with the number in ``hands``.

    They begin with 0 before the player's first hand.
    """

    name: str
    hands: tuple[int, ...]
    totals: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class RunningTotals:
    """The lines of all players in one unit, in the order of a hand's figures; ``hands`` is their number."""

    lines: tuple[TotalsLine, ...]
    hands: int
    unit: str = CHIPS


def of_evening(session: ScopedSession, view: SessionView) -> tuple[RunningTotals, ...]:
    """Return the running totals of an evening in its unit, and in scores if it has some beside its chips."""
    return of_hands(view, with_totals(session, view))


def of_hands(view: SessionView, hands: Sequence[HandWithTotals]) -> tuple[RunningTotals, ...]:
    """Return the running totals from all hands of an evening, at the ends of at most ``MOST`` intervals.

    One per unit, as ``of_evening``. A line's last total is the player's current one. Void hands add nothing.
    """
    units = (CHIPS, SCORE) if view.scores_apart else (view.unit,)
    return tuple(_in_unit(view, hands, unit) for unit in units)


def _in_unit(view: SessionView, hands: Sequence[HandWithTotals], unit: str) -> RunningTotals:
    columns, dealt = PlayerColumns.of(view), len(hands)
    step = -(-dealt // MOST) or 1
    ends = [*hands[step - 1 : -1 : step], *hands[-1:]]
    lines = []
    for place, name in enumerate(columns.names):
        seats = {seat.id for seat in columns.seats[place]}
        before = next((n for n, hand in enumerate(hands) if _has_played(hand, seats)), None)
        part = len(ends) if before is None else before // step
        numbers = [min(part * step, dealt), *(end.latest.number for end in ends[part:])]
        totals = [0, *(end.totals_by_unit[unit][place] for end in ends[part:])]
        totals[-1] = columns.won(unit)[place]
        lines.append(TotalsLine(name, tuple(numbers), tuple(totals)))
    return RunningTotals(tuple(lines), dealt, unit)


def _has_played(hand: HandWithTotals, seats: set[int]) -> bool:
    """Return whether one of these seats takes part in a standing hand."""
    return hand.latest.state == HandState.STANDING and not seats.isdisjoint(hand.latest.seat_ids)
