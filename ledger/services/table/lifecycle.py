"""Pausing, resuming, closing, reopening, renaming and deleting a session, and its agreed end.

A session started by mistake can be deleted: it disappears from lists and pages, but not from the journal,
where it is closed and its starting stacks are reversed.
"""

from collections.abc import Sequence
from datetime import datetime, time, timedelta

from sqlmodel import col, select

from engine.words.sentences import later, say
from ledger.books import journal
from ledger.database.kinds.entries import KINDS, kinds
from ledger.database.models import EntryKind, JournalEntry, PlaySession, SessionState
from ledger.database.scope import ScopedSession
from ledger.runtime.clock import local
from ledger.services.common import names
from ledger.services.common.writing import WriteContext, WriteResponse, writes
from ledger.services.hands import posting
from ledger.services.money import till
from ledger.services.session import reversals, seats, snapshot
from ledger.services.session.load import find_row, must_be_at, unclosed_row
from ledger.services.session.view import load
from ledger.services.undo import reverse
from ledger.words.problems import Conflict, Invalid, Unchanged

_OF_TABLE = kinds(lambda kind: kind.of_table)
_STACKS = kinds(lambda kind: kind.seats and kind.is_advanced)
_MOVED = kinds(lambda kind: not kind.of_table)


class SomethingWritten(Conflict):
    """Raised when a session with recorded hands, chips or money, even undone ones, would be deleted."""

    code = "something-written"
    sentence = later(
        "Something was recorded in “{title}”, so it can't be deleted; it can be closed, and its "
        "hands voided."
    )


class ScoredOnPaper(Conflict):
    """Raised when an evening scored on paper would be reopened."""

    code = "scored-on-paper"
    sentence = later(
        "“{title}” was scored on paper, so no hand can be recorded in it; correct its result instead."
    )


@writes("pause session")
def pause(tx: WriteContext, session_id: int) -> WriteResponse:
    """Pause a session: no hand can be recorded until it is resumed.

    Raises ``Unchanged`` for a paused session, ``SessionClosed`` and ``Stale``.
    """
    return _change_state(tx, session_id, SessionState.PAUSED, EntryKind.PAUSE)


@writes("resume session")
def resume(tx: WriteContext, session_id: int) -> WriteResponse:
    """Resume a paused session. Raises ``Unchanged`` for an open one, ``SessionClosed`` and ``Stale``."""
    return _change_state(tx, session_id, SessionState.OPEN, EntryKind.RESUMPTION)


@writes("rename session")
def rename(tx: WriteContext, session_id: int, *, title: str) -> WriteResponse:
    """Rename a session, even a closed one.

    Raises ``Invalid`` at ``title``, ``Unchanged`` and ``Stale``.
    """
    session = tx.session
    row = find_row(session, session_id)
    must_be_at(session, row, tx.seen)
    cleaned = names.clean(title, "title", say("The session's name"))
    if cleaned == row.title:
        raise Unchanged
    row.title = cleaned
    return seats.changed(tx, row)


@writes("agree on the end")
def agree_end(tx: WriteContext, session_id: int, *, at: str) -> WriteResponse:
    """Agree to end a session at the next such time of day by the reader's clock.

    An empty text removes the end. Nothing happens at that time. Raises ``Invalid`` at ``at``, ``Unchanged``,
    ``SessionClosed``, ``Stale``.
    """
    row = unclosed_row(tx.session, session_id, tx.seen)
    end = _next_time(at.strip(), local(tx.at)) if at.strip() else None
    if end == row.ends_at:
        raise Unchanged
    row.ends_at = end
    return seats.changed(tx, row)


def _next_time(at: str, after: datetime) -> datetime:
    """Return the next moment after ``after`` at a time of day such as 22:30. Raises ``Invalid`` at ``at``.

    >>> _next_time("00:30", datetime(2025, 11, 20, 21, 15))
    datetime.datetime(2025, 11, 21, 0, 30)
    """
    try:
        end = datetime.combine(after.date(), time.fromisoformat(at), after.tzinfo)
    except ValueError as error:
        message = say("This is not a time; give one such as 22:30.")
        raise Invalid.at("at", "ill-formed", message) from error
    return end if end > after else end + timedelta(days=1)


_ALREADY = {
    SessionState.OPEN: later("“{title}” is already open."),
    SessionState.PAUSED: later("“{title}” is already paused."),
    SessionState.CLOSED: later("“{title}” is already closed."),
}


def _change_state(
    tx: WriteContext, session_id: int, state: SessionState, kind: EntryKind
) -> WriteResponse:
    """Set the state of an open or paused session, and write an entry of ``kind`` with the former one.

    Raises ``Unchanged`` for the same state.
    """
    session = tx.session
    row = unclosed_row(session, session_id, tx.seen)
    if row.state == state:
        raise Unchanged(say(_ALREADY[state], title=row.title))
    then = snapshot.standing(session, row)
    row.state = state.value
    return seats.changed(tx, row, snapshot.note(tx, row, kind, then))


@writes("close session")
def close(tx: WriteContext, session_id: int) -> WriteResponse:
    """Close a session: nothing can be recorded in it until it is reopened.

    Chips worth money that were not cashed in stay chips; the response's ``unconverted`` lists them by player.
    Raises ``TillNotEmpty`` while somebody, but not everybody, was cashed out for money, ``SessionClosed`` and
    ``Stale``.
    """
    session = tx.session
    row = unclosed_row(session, session_id, tx.seen)
    till.must_be_empty(session, row)
    left = load(session, row.id).unconverted
    row.unconverted = bool(left)
    return seats.changed(tx, row, close_row(tx, row), unconverted=left)


def close_row(tx: WriteContext, row: PlaySession) -> int:
    """Close a session in the caller's write, and return the id of the entry."""
    row.state, row.closed_at = SessionState.CLOSED.value, tx.at
    return journal.post(tx.session, tx.header(row.id, EntryKind.CLOSING), {})


@writes("reopen session")
def reopen(tx: WriteContext, session_id: int) -> WriteResponse:
    """Reopen a closed session.

    Raises ``Unchanged`` for an open or paused one, ``ScoredOnPaper`` and ``Stale``.
    """
    session = tx.session
    row = find_row(session, session_id)
    if row.state != SessionState.CLOSED:
        raise Unchanged(say(_ALREADY[SessionState(row.state)], title=row.title))
    must_be_at(session, row, tx.seen)
    if row.on_paper:
        raise ScoredOnPaper(title=row.title)
    row.state, row.closed_at, row.unconverted = SessionState.OPEN.value, None, False
    entry = journal.post(session, tx.header(session_id, EntryKind.REOPENING), {})
    return seats.changed(tx, row, entry)


@writes("delete session")
def delete(tx: WriteContext, session_id: int) -> WriteResponse:
    """Delete a session in which only starting stacks were ever recorded, or an evening scored on paper.

    Undone entries block it as well. Its starting stacks or its result are reversed, and it is closed and
    hidden. Raises ``SomethingWritten``, ``NotFound`` for a deleted session, and ``Stale``.
    """
    session = tx.session
    row = find_row(session, session_id)
    must_be_at(session, row, tx.seen)
    if not (row.on_paper or may_be_deleted(session, session_id)):
        raise SomethingWritten(title=row.title)
    return hide(tx, row, "session deleted")


def hide(tx: WriteContext, row: PlaySession, reason: str) -> WriteResponse:
    """Reverse everything that counts in a session, close it, and hide it from all lists."""
    session = tx.session
    for entry in _counting(session, row):
        reversal = journal.reverse(session, entry.id, author=tx.author, at=tx.at, reason=reason)
        if KINDS[entry.kind].is_advanced:
            reverse.count_on_seats(session, entry, -1)
        posting.add_other_entry(session, entry.kind, reversal)
    if row.state != SessionState.CLOSED:
        close_row(tx, row)
    row.deleted_at = tx.at
    row.revision += 1
    return {"id": row.id, "revision": row.revision}


def may_be_deleted(session: ScopedSession, session_id: int) -> bool:
    """Return whether nothing was recorded in a session, not even something undone since.

    Starting stacks and changes of the table don't count.
    """
    written = select(JournalEntry.id).where(
        JournalEntry.session_id == session_id, col(JournalEntry.kind).not_in(_OF_TABLE)
    )
    return session.exec(written.limit(1)).first() is None


def _counting(session: ScopedSession, row: PlaySession) -> Sequence[JournalEntry]:
    """Return the starting stacks that were not undone, or the result of an evening on paper, newest first."""
    return reversals.newest_first(session, row.id, [*_STACKS, *_MOVED])
