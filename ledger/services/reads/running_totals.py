"""The running totals of an evening, in chips and in scores, after each hand or at intervals of several."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Integer, bindparam
from sqlmodel import col, func, select

from engine.rules.sheet import CHIPS, SCORE
from ledger.database.models import Hand, HandVersionTable, PlayerResult
from ledger.database.scope import Built, ScopedSession
from ledger.services.reads import other_entries
from ledger.services.reads.hand_line import PlayerColumns
from ledger.services.session.view import SessionView

MOST = 120
"""The number of points in a line; more could not be distinguished on a phone."""


@dataclass(frozen=True, slots=True)
class TotalsLine:
    """A player's ``totals`` after these numbers of ``hands``, beginning before their first hand."""

    name: str
    hands: tuple[int, ...]
    totals: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class RunningTotals:
    """The lines of all players in one unit, in the order of a hand's figures."""

    lines: tuple[TotalsLine, ...]
    hands: int
    unit: str = CHIPS


_part: Any = ((col(Hand.number) - 1) // bindparam("step", type_=Integer)).label("part")
_WON = Built(
    lambda unit, part, seat_id, amount: (str(unit), int(part), int(seat_id), int(amount)),
    select(PlayerResult.unit, _part, PlayerResult.seat_id, func.sum(PlayerResult.amount))
    .join(Hand, col(Hand.id) == PlayerResult.hand_id)
    .where(Hand.session_id == bindparam("session"))
    .group_by(col(PlayerResult.unit), _part, col(PlayerResult.seat_id)),
)
_FIRST_ENTRIES = Built(
    lambda number, entry_id: (int(number), int(entry_id or 0)),
    select(Hand.number, HandVersionTable.entry_id)
    .where(HandVersionTable.hand_id == Hand.id, HandVersionTable.version == 1)
    .where(Hand.session_id == bindparam("session"))
    .order_by(col(Hand.number)),
)


def of_evening(session: ScopedSession, view: SessionView) -> tuple[RunningTotals, ...]:
    """Return the totals of an evening in its unit, and in scores if it has some beside its chips."""
    units = (CHIPS, SCORE) if view.scores_apart else (view.unit,)
    return tuple(in_unit(session, view, unit) for unit in units)


def in_unit(session: ScopedSession, view: SessionView, unit: str | None = None) -> RunningTotals:
    """Return the totals in one unit, by default the session's own, in at most ``MOST`` intervals of hands.

    A line's last total is the player's current one. Void hands add nothing.
    """
    unit = unit or view.unit
    columns, dealt = PlayerColumns.of(view), view.hands_dealt
    step = -(-dealt // MOST) or 1
    parts = -(-dealt // step)
    gains: list[dict[int, int]] = [{} for _ in range(parts)]
    for its_unit, part, seat_id, amount in session.ask(_WON, session=view.id, step=step):
        # Hands played for the other unit count as attendance.
        gains[part].setdefault(seat_id, 0)
        gains[part][seat_id] += amount if its_unit == unit else 0
    figures = [columns.figures(won) for won in gains]
    others = _other_figures(session, view, columns, step, parts) if unit == CHIPS else None
    lines = []
    for place, name in enumerate(columns.names):
        seats = {seat.id for seat in columns.seats[place]}
        first = next((part for part, won in enumerate(gains) if seats & won.keys()), parts)
        hands, totals = [min(first * step, dealt)], [0]
        for part in range(first, parts):
            hands.append(min((part + 1) * step, dealt))
            other = others[part][place] if others else 0
            totals.append(totals[-1] + figures[part][place] + other)
        totals[-1] = columns.won(unit)[place]
        lines.append(TotalsLine(name, tuple(hands), tuple(totals)))
    return RunningTotals(tuple(lines), dealt, unit)


def _other_figures(
    session: ScopedSession, view: SessionView, columns: PlayerColumns, step: int, parts: int
) -> list[list[int]]:
    """Return the winnings by other entries in each of ``parts`` intervals of ``step`` hands.

    Entries before all hands are in the first.
    """
    sums = [[0] * len(columns.names) for _ in range(parts)]
    all_entries = other_entries.of_session(session, view) if parts else ()
    entries = [entry for entry in all_entries if entry.counts]
    first_entries = list(session.ask(_FIRST_ENTRIES, session=view.id)) if entries else []
    for entry in entries:
        earlier = (number for number, entry_id in first_entries if entry_id < entry.entry)
        part = (max(earlier, default=1) - 1) // step
        sums[part] = [a + b for a, b in zip(sums[part], entry.amounts, strict=True)]
    return sums
