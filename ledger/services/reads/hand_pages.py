"""The hands of a session, a page at a time, with the running totals.

A running balance after hand ``n`` is what everybody had won (or lost) by the next hand: by what the books
say today of hands 1 to ``n``, corrections among them, and by what was adjusted or shared out before hand
``n + 1`` was written. It is found from what everybody has won so far, less what came later: so a
page costs what it shows and what is newer, and the newest page the same at any length.
"""

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
_LATER = Built(
    lambda seat_id, amount: (int(seat_id), int(amount)),
    select(Result.seat_id, func.sum(Result.amount))
    .join(Hand, col(Hand.id) == Result.hand_id)
    .where(Hand.session_id == bindparam("session"), Hand.number > bindparam("last"))
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
    since = _written(found[min(found)][1])
    others = [each for each in other_entries.of_session(session, view, since=since) if each.counts]
    left = list(columns.nets)
    written_next = None
    if following is not None:
        written_next = _written(following[1])
        _take_later(session, view, last, written_next, columns, left, others)
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


def _take_later(
    session: ScopedSession,
    view: SessionView,
    last: int,
    following: int,
    columns: Columns,
    left: list[int],
    others: Sequence[OtherEntry],
) -> None:
    """Take what came after hand ``last`` out of ``left``; the next was written by entry ``following``."""
    _subtract(left, columns.figures(dict(session.ask(_LATER, session=view.id, last=last))))
    for each in others:
        if each.entry > following:
            _subtract(left, each.amounts)


def _subtract(left: list[int], figures: Sequence[int]) -> None:
    for place, figure in enumerate(figures):
        left[place] -= figure
