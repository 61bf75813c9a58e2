"""The row of a session, for who reads or writes in it: it is there, and it is open."""

from sqlmodel import select

from ledger.models import PlaySession, SessionState
from ledger.problems import NoSuchSession, SessionClosed, SessionPaused
from ledger.scope import ScopedSession, asked_once
from ledger.services.common.writing import Writing
from ledger.services.session.revision import must_be_at
from ledger.services.session.view import SessionView, view


@asked_once
def load(session: ScopedSession, session_id: int) -> SessionView:
    """Return one session. Raises ``NotFound``."""
    return view(session, find_row(session, session_id))


@asked_once
def find_row(session: ScopedSession, session_id: int) -> PlaySession:
    """Return the row of a session, whatever its state. Raises ``NotFound``."""
    row = session.exec(select(PlaySession).where(PlaySession.id == session_id)).one_or_none()
    if row is None:
        raise NoSuchSession
    return row


def opened(tx: Writing, session_id: int) -> tuple[PlaySession, SessionView]:
    """Return a session that hands may be written in: its row, and all of it as it stands.

    Raises ``NotFound``, ``SessionClosed``, ``SessionPaused`` or ``Stale``.
    """
    row = unclosed_row(tx.session, session_id, tx.revision)
    must_be_open(row)
    return row, view(tx.session, row)


def unclosed(tx: Writing, session_id: int) -> tuple[PlaySession, SessionView]:
    """Return a session that is open or paused, as ``opened`` does: what is recorded is not a hand."""
    row = unclosed_row(tx.session, session_id, tx.revision)
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


def unclosed_row(session: ScopedSession, session_id: int, revision: int | None) -> PlaySession:
    """Return the row of a session that is open or paused: what is not a hand may be recorded in a break, too.

    Raises ``NotFound``, ``SessionClosed`` or ``Stale``.
    """
    row = find_row(session, session_id)
    must_not_be_closed(row)
    must_be_at(session, row, revision)
    return row
