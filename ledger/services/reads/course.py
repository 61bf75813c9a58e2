"""The course of an evening: what everybody had won after each hand, or after every so many of a long one."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Integer, bindparam
from sqlmodel import col, func, select

from ledger.models import Hand, HandVersion, Result
from ledger.scope import Built, ScopedSession
from ledger.services.reads import other_entries
from ledger.services.reads.hand_line import Columns
from ledger.services.session.view import SessionView

MOST = 120
"""How many points a line has at most; more could not be told apart on a phone."""


@dataclass(frozen=True, slots=True)
class Line:
    """A player's line: ``totals`` after ``hands`` of the evening, from the hand before their first."""

    name: str
    hands: tuple[int, ...]
    totals: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Course:
    """Everybody's line, in the order in which a hand's figures stand, over so many ``hands``."""

    lines: tuple[Line, ...]
    hands: int


_part: Any = ((col(Hand.number) - 1) // bindparam("each", type_=Integer)).label("part")
_WON = Built(
    lambda part, seat_id, amount: (int(part), int(seat_id), int(amount)),
    select(_part, Result.seat_id, func.sum(Result.amount))
    .join(Hand, col(Hand.id) == Result.hand_id)
    .where(Hand.session_id == bindparam("session"))
    .group_by(_part, col(Result.seat_id)),
)
_WRITTEN = Built(
    lambda number, entry_id: (int(number), int(entry_id or 0)),
    select(Hand.number, HandVersion.entry_id)
    .where(HandVersion.hand_id == Hand.id, HandVersion.version == 1)
    .where(Hand.session_id == bindparam("session"))
    .order_by(col(Hand.number)),
)


def course(session: ScopedSession, view: SessionView) -> Course:
    """Return everybody's line. The database adds up what lies between two points."""
    columns, dealt = Columns.of(view), view.hands_dealt
    each = -(-dealt // MOST) or 1
    parts = -(-dealt // each)
    gained: list[dict[int, int]] = [{} for _ in range(parts)]
    for part, seat_id, amount in session.ask(_WON, session=view.id, each=each):
        gained[part][seat_id] = amount
    moved = [columns.figures(won) for won in gained]
    besides = _besides(session, view, each, parts)
    lines = []
    for place, name in enumerate(columns.names):
        seats = {seat.id for seat in columns.seats[place]}
        first = next((part for part, won in enumerate(gained) if seats & won.keys()), parts)
        hands, totals = [min(first * each, dealt)], [0]
        for part in range(first, parts):
            hands.append(min((part + 1) * each, dealt))
            totals.append(totals[-1] + moved[part][place] + besides[part][place])
        totals[-1] = columns.nets[place]
        lines.append(Line(name, tuple(hands), tuple(totals)))
    return Course(tuple(lines), dealt)


def _besides(
    session: ScopedSession, view: SessionView, each: int, parts: int
) -> list[tuple[int, ...]]:
    """Return what was won and lost by other entries, by the part in which it was entered."""
    width = len(Columns.of(view).names)
    sums = [[0] * width for _ in range(parts)]
    every = other_entries.of_session(session, view) if parts else ()
    entries = [entry for entry in every if entry.counts]
    written = list(session.ask(_WRITTEN, session=view.id)) if entries else []
    for entry in entries:
        after = max((number for number, at in written if at < entry.entry), default=1)
        part = (after - 1) // each
        sums[part] = [a + b for a, b in zip(sums[part], entry.amounts, strict=True)]
    return [tuple(each) for each in sums]
