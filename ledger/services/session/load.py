"""A session, for reading or writing in it: it is there, it is open, and it was seen as it is."""

from sqlalchemy import bindparam
from sqlmodel import col, select, update

from ledger.database.models import PlaySession, SessionState
from ledger.database.models.play import LISTED
from ledger.database.scope import Change, ScopedSession, asked_once
from ledger.services.common.seen import Seen
from ledger.services.common.writing import WriteContext
from ledger.services.session.revision import must_be_at
from ledger.services.session.view import SessionView, load, view
from ledger.words.problems import NoSuchSession, SessionClosed, SessionPaused

__all__ = ["load"]

_ADVANCE = Change(
    update(PlaySession)
    .where(col(PlaySession.id) == bindparam("session"))
    .values(revision=bindparam("revision"), hands_dealt=bindparam("hands_dealt")),
)


@asked_once
def find_row(session: ScopedSession, session_id: int) -> PlaySession:
    """Return the row of a session, whatever its state. Raises ``NotFound``."""
    row = session.exec(
        select(PlaySession).where(PlaySession.id == session_id, LISTED)
    ).one_or_none()
    if row is None:
        raise NoSuchSession
    return row


def opened(tx: WriteContext, session_id: int) -> SessionView:
    """Return a session that hands may be written in, as it stands.

    Raises ``NotFound``, ``SessionClosed``, ``SessionPaused`` or ``Stale``.
    """
    found = load(tx.session, session_id)
    must_not_be_closed(found)
    must_be_at(tx.session, found, tx.seen)
    must_be_open(found)
    return found


def advance(tx: WriteContext, view: SessionView, *, dealt: int = 0) -> int:
    """Count a write to a session, and the hands ``dealt`` by it; return its revision from now on."""
    now_is = {
        "session": view.id,
        "revision": view.revision + 1,
        "hands_dealt": view.hands_dealt + dealt,
    }
    tx.session.change(_ADVANCE, now_is)
    return view.revision + 1


def unclosed(tx: WriteContext, session_id: int) -> tuple[PlaySession, SessionView]:
    """Return a session that is open or paused, its row too: what is recorded is not a hand."""
    row = unclosed_row(tx.session, session_id, tx.seen)
    return row, view(tx.session, row)


def must_be_open(of: PlaySession | SessionView) -> None:
    """Raise ``SessionClosed`` or ``SessionPaused`` where no hand may be written."""
    must_not_be_closed(of)
    if of.state == SessionState.PAUSED:
        raise SessionPaused(title=of.title)


def must_not_be_closed(of: PlaySession | SessionView) -> None:
    """Raise ``SessionClosed`` where nothing more is written."""
    if of.state == SessionState.CLOSED:
        raise SessionClosed(title=of.title)


def unclosed_row(session: ScopedSession, session_id: int, seen: Seen) -> PlaySession:
    """Return the row of a session that is open or paused: what is not a hand may be recorded in a break, too.

    Raises ``NotFound``, ``SessionClosed`` or ``Stale``.
    """
    row = find_row(session, session_id)
    must_not_be_closed(row)
    must_be_at(session, row, seen)
    return row
