"""The hands of a session, a page at a time, with what everybody had won by then.

A running balance after hand ``n`` is what everybody had won (or lost) by the next hand: by what the books
say today of hands 1 to ``n``, corrections among them, and by what was adjusted or shared out before hand
``n + 1`` was written. It is found from what everybody has won by now, less what came later: so a
page costs what it shows and what is newer, and the newest page the same at any length.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from sqlalchemy.orm import aliased
from sqlmodel import col, func, select

from ledger.models import (
    Account,
    EntryKind,
    Hand,
    HandState,
    HandVersion,
    JournalEntry,
    Posting,
    Result,
)
from ledger.scope import ScopedSession
from ledger.services.lines import Columns, line
from ledger.services.payout import Written
from ledger.services.sessions import SessionView
from ledger.services.summary import HandLine

BESIDE_HANDS = (EntryKind.ADJUSTMENT.value, EntryKind.POTS_SHARED.value)
"""The kinds of entries, besides those of hands, by which chips are won or lost."""


def last_standing(session: ScopedSession, session_id: int) -> tuple[Hand, HandVersion] | None:
    """Return the last hand that stands, and its version."""
    found = session.exec(
        select(Hand, HandVersion)
        .where(Hand.session_id == session_id, Hand.state == HandState.STANDING.value)
        .where(HandVersion.hand_id == Hand.id, HandVersion.version == Hand.version)
        .order_by(col(Hand.number).desc())
        .limit(1)
    ).first()
    return None if found is None else (found[0], found[1])


def versions_of(session: ScopedSession, hand_ids: Sequence[int]) -> Mapping[int, list[HandVersion]]:
    """Return every version of these hands, oldest first."""
    versions: dict[int, list[HandVersion]] = defaultdict(list)
    for version in session.exec(
        select(HandVersion)
        .where(col(HandVersion.hand_id).in_(hand_ids))
        .order_by(col(HandVersion.hand_id), col(HandVersion.version))
    ):
        versions[version.hand_id].append(version)
    return versions


def lines(
    session: ScopedSession, view: SessionView, first: int = 1, last: int | None = None
) -> list[HandLine]:
    """Return the lines of hands ``first`` to ``last`` (both among them; None: to the end), in order."""
    query = select(Hand).where(Hand.session_id == view.id, Hand.number >= first)
    if last is not None:
        query = query.where(Hand.number <= last)
    found = session.exec(query.order_by(col(Hand.number))).all()
    if not found:
        return []
    versions = versions_of(session, [hand.id for hand in found])
    columns = Columns.of(view)
    beside = _beside(session, view.id, versions[found[0].id][0].entry_id or 0)
    left = Counter(dict(zip(range(len(columns.nets)), columns.nets, strict=True)))
    written_next = _take_later(session, view, found[-1].number, columns, left, beside)
    made: list[HandLine] = []
    for hand in reversed(found):
        *older, latest = versions[hand.id]
        deltas = Written.of(latest).deltas
        balances = tuple(left[place] for place in range(len(columns.names)))
        made.append(line(hand, latest, older, columns, balances))
        if hand.state == HandState.STANDING:
            _subtract(left, columns.figures(deltas))
        written = versions[hand.id][0].entry_id or 0
        for entry_id, seat_id, amount in beside:
            if written < entry_id and (written_next is None or entry_id < written_next):
                _subtract(left, columns.figures({seat_id: amount}))
        written_next = written
    return made[::-1]


def _take_later(
    session: ScopedSession,
    view: SessionView,
    last: int,
    columns: Columns,
    left: Counter[int],
    beside: Sequence[tuple[int, int, int]],
) -> int | None:
    """Take what came after hand ``last`` out of ``left``; return the entry the next hand was written by."""
    following = session.exec(
        select(HandVersion.entry_id)
        .join(Hand, col(Hand.id) == HandVersion.hand_id)
        .where(Hand.session_id == view.id, Hand.number == last + 1, HandVersion.version == 1)
    ).one_or_none()
    if following is None:
        return None
    later = session.exec(
        select(Result.seat_id, func.sum(Result.amount))
        .join(Hand, col(Hand.id) == Result.hand_id)
        .where(Hand.session_id == view.id, Hand.number > last)
        .group_by(col(Result.seat_id))
    )
    _subtract(left, columns.figures({seat_id: int(amount) for seat_id, amount in later}))
    for entry_id, seat_id, amount in beside:
        if entry_id > following:
            _subtract(left, columns.figures({seat_id: amount}))
    return following


def _subtract(left: Counter[int], figures: Sequence[int]) -> None:
    left.subtract(dict(enumerate(figures)))


def _beside(session: ScopedSession, session_id: int, since: int) -> Sequence[tuple[int, int, int]]:
    """Return what entries that are no hand's let seats win or lose since an entry: entry, seat, amount."""
    original = aliased(JournalEntry)
    rows = session.exec(
        select(JournalEntry.id, Account.seat_id, Posting.amount)
        .outerjoin(original, col(original.id) == JournalEntry.reverses_id)
        .join(Posting, col(Posting.entry_id) == JournalEntry.id)
        .join(Account, col(Account.id) == Posting.account_id)
        .where(JournalEntry.session_id == session_id, JournalEntry.id > since)
        .where(col(JournalEntry.hand_id).is_(None), col(Account.seat_id).is_not(None))
        .where(func.coalesce(original.kind, JournalEntry.kind).in_(BESIDE_HANDS))
    )
    return [(entry_id, seat_id or 0, amount) for entry_id, seat_id, amount in rows]
