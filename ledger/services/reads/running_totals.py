"""The running totals of an evening: what everybody had won after each hand, or every so many of a long one.

Chips and scores have their own.
"""

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
"""How many points a line has at most; more could not be told apart on a phone."""


@dataclass(frozen=True, slots=True)
class TotalsLine:
    """A player's line: ``totals`` after ``hands`` of the evening, from the hand before their first."""

    name: str
    hands: tuple[int, ...]
    totals: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class RunningTotals:
    """Everybody's line in one ``unit``, in the order of a hand's figures, over so many ``hands``."""

    lines: tuple[TotalsLine, ...]
    hands: int
    unit: str = CHIPS


_part: Any = ((col(Hand.number) - 1) // bindparam("each", type_=Integer)).label("part")
_WON = Built(
    lambda unit, part, seat_id, amount: (str(unit), int(part), int(seat_id), int(amount)),
    select(PlayerResult.unit, _part, PlayerResult.seat_id, func.sum(PlayerResult.amount))
    .join(Hand, col(Hand.id) == PlayerResult.hand_id)
    .where(Hand.session_id == bindparam("session"))
    .group_by(col(PlayerResult.unit), _part, col(PlayerResult.seat_id)),
)
_WRITTEN = Built(
    lambda number, entry_id: (int(number), int(entry_id or 0)),
    select(Hand.number, HandVersionTable.entry_id)
    .where(HandVersionTable.hand_id == Hand.id, HandVersionTable.version == 1)
    .where(Hand.session_id == bindparam("session"))
    .order_by(col(Hand.number)),
)


def of_evening(session: ScopedSession, view: SessionView) -> tuple[RunningTotals, ...]:
    """Return the totals of an evening: in chips, and in scores where it has those, too."""
    units = (CHIPS, SCORE) if view.scores_apart else (view.unit,)
    return tuple(in_unit(session, view, unit) for unit in units)


def in_unit(session: ScopedSession, view: SessionView, unit: str | None = None) -> RunningTotals:
    """Return everybody's line in one unit, the session's own if none is named.

    The database adds up what lies between two points.
    """
    unit = unit or view.unit
    columns, dealt = PlayerColumns.of(view), view.hands_dealt
    each = -(-dealt // MOST) or 1
    parts = -(-dealt // each)
    gained: list[dict[int, int]] = [{} for _ in range(parts)]
    for of, part, seat_id, amount in session.ask(_WON, session=view.id, each=each):
        # Whoever played for the other unit was at the table, too.
        gained[part].setdefault(seat_id, 0)
        gained[part][seat_id] += amount if of == unit else 0
    moved = [columns.figures(won) for won in gained]
    besides = _besides(session, view, each, parts) if unit == CHIPS else [()] * parts
    lines = []
    for place, name in enumerate(columns.names):
        seats = {seat.id for seat in columns.seats[place]}
        first = next((part for part, won in enumerate(gained) if seats & won.keys()), parts)
        hands, totals = [min(first * each, dealt)], [0]
        for part in range(first, parts):
            hands.append(min((part + 1) * each, dealt))
            other = besides[part][place] if besides[part] else 0
            totals.append(totals[-1] + moved[part][place] + other)
        totals[-1] = columns.won(unit)[place]
        lines.append(TotalsLine(name, tuple(hands), tuple(totals)))
    return RunningTotals(tuple(lines), dealt, unit)


def _besides(
    session: ScopedSession, view: SessionView, each: int, parts: int
) -> list[tuple[int, ...]]:
    """Return what was won and lost by other entries, by the part in which it was entered."""
    width = len(PlayerColumns.of(view).names)
    sums = [[0] * width for _ in range(parts)]
    every = other_entries.of_session(session, view) if parts else ()
    entries = [entry for entry in every if entry.counts]
    written = list(session.ask(_WRITTEN, session=view.id)) if entries else []
    for entry in entries:
        after = max((number for number, at in written if at < entry.entry), default=1)
        part = (after - 1) // each
        sums[part] = [a + b for a, b in zip(sums[part], entry.amounts, strict=True)]
    return [tuple(each) for each in sums]
