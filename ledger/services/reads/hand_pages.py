"""The hands of a session, a page at a time, with the running totals.

A running balance after hand ``n`` is what everybody had won (or lost) by the next hand: by what the books
say today of hands 1 to ``n``, corrections among them, and by what was adjusted or shared out before hand
``n + 1`` was written. After a page's last hand it is found from the nearer end of the session: what came
before, or what everybody has won so far less what came later. So the oldest page costs what the newest does.
"""

import math
from collections.abc import Sequence

from sqlalchemy import bindparam
from sqlmodel import col, func, select

from ledger.models import Hand, HandState, HandVersion, Result
from ledger.scope import Built, ScopedSession
from ledger.services.reads import other_entries
from ledger.services.reads.hand_line import Columns, line
from ledger.services.reads.summary import HandLine, OtherEntry
from ledger.services.session.stored import EVERY_VERSION, StoredHand, StoredVersion, pair
from ledger.services.session.view import SessionView

_VERSIONS = Built(
    pair,
    EVERY_VERSION.where(Hand.session_id == bindparam("session"))
    .where(Hand.number >= bindparam("first"), Hand.number <= bindparam("last"))
    .order_by(col(Hand.number), col(HandVersion.version)),
)
_WON = Built(
    lambda seat_id, amount: (int(seat_id), int(amount)),
    select(Result.seat_id, func.sum(Result.amount))
    .join(Hand, col(Hand.id) == Result.hand_id)
    .where(Hand.session_id == bindparam("session"))
    .where(Hand.number > bindparam("after"), Hand.number <= bindparam("until"))
    .group_by(col(Result.seat_id)),
)


def lines(
    session: ScopedSession, view: SessionView, first: int = 1, last: int | None = None
) -> list[HandLine]:
    """Return the lines of hands ``first`` to ``last`` (both among them; None: to the end), in order."""
    last = view.hands_dealt if last is None else min(last, view.hands_dealt)
    # One hand more than is shown: what it was written by says what belongs to the hands before it.
    found: dict[int, tuple[StoredHand, list[StoredVersion]]] = {}
    for hand, version in session.ask(_VERSIONS, session=view.id, first=first, last=last + 1):
        found.setdefault(hand.number, (hand, []))[1].append(version)
    following = found.pop(last + 1, None)
    if not found:
        return []
    columns = Columns.of(view)
    written_next = None if following is None else _written(following[1])
    if last < view.hands_dealt - last:
        others = _other_wins(session, view, 0, written_next)
        before = [*_won(session, view, columns, 0, last), *(each.amounts for each in others)]
        left = _sums(columns, before)
    else:
        others = _other_wins(session, view, _written(found[min(found)][1]))
        end = math.inf if written_next is None else written_next
        later = [each.amounts for each in others if each.entry > end]
        later += _won(session, view, columns, last, view.hands_dealt)
        left = [now - since for now, since in zip(columns.nets, _sums(columns, later), strict=True)]
    made: list[HandLine] = []
    for hand, versions in reversed(found.values()):
        *older, latest = versions
        made.append(line(hand, latest, older, columns, tuple(left)))
        if hand.state == HandState.STANDING:
            _subtract(left, made[-1].deltas)
        written = _written(versions)
        for each in others:
            if written < each.entry and (written_next is None or each.entry < written_next):
                _subtract(left, each.amounts)
        written_next = written
    return made[::-1]


def _written(versions: Sequence[StoredVersion]) -> int:
    """Return the entry a hand was first written by."""
    return versions[0].entry_id or 0


def _other_wins(
    session: ScopedSession, view: SessionView, since: int, until: int | None = None
) -> list[OtherEntry]:
    """Return the other entries by which chips were won or lost, after one entry and before another."""
    found = other_entries.of_session(session, view, since=since, until=until)
    return [each for each in found if each.counts]


def _won(
    session: ScopedSession, view: SessionView, columns: Columns, after: int, until: int
) -> list[tuple[int, ...]]:
    """Return what everybody won in the hands after one number up to another, where there are any."""
    if after == until:
        return []
    return [columns.figures(dict(session.ask(_WON, session=view.id, after=after, until=until)))]


def _sums(columns: Columns, figures: Sequence[Sequence[int]]) -> list[int]:
    """Add figures up, column by column."""
    return [sum(each[place] for each in figures) for place in range(len(columns.names))]


def _subtract(left: list[int], figures: Sequence[int]) -> None:
    for place, figure in enumerate(figures):
        left[place] -= figure
