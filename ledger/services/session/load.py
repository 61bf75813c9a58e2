"""Sessions loaded for reading or writing; a write checks their state and the revision that its client saw.

A session's revision goes up with every write. Each form carries the revision it was made at: a second phone
that saves the same form is refused here, one phone that sends it twice in ``common.writing``.
"""

from sqlalchemy import bindparam
from sqlmodel import col, select, update

from engine.words.sentences import say
from ledger.database.models import PlaySession, SessionState
from ledger.database.models.play import LISTED
from ledger.database.scope import Change, ScopedSession, asked_once
from ledger.services.common.writing import Seen, WriteContext, is_among
from ledger.services.session import activity
from ledger.services.session.view import SessionView, load
from ledger.words.problems import NoSuchSession, SessionClosed, SessionPaused, Stale

__all__ = ["load"]

_ADVANCE = Change(
    update(PlaySession)
    .where(col(PlaySession.id) == bindparam("session"))
    .values(revision=bindparam("revision"), hands_dealt=bindparam("hands_dealt")),
)


@asked_once
def find_row(session: ScopedSession, session_id: int) -> PlaySession:
    """Return the row of a session in any state. Raises ``NotFound``, also for a deleted one."""
    row = session.exec(
        select(PlaySession).where(PlaySession.id == session_id, LISTED)
    ).one_or_none()
    if row is None:
        raise NoSuchSession
    return row


def opened(tx: WriteContext, session_id: int) -> SessionView:
    """Return the state of an open session, in which hands can be written, after the checks of a write.

    Raises ``NotFound``, ``SessionClosed``, ``SessionPaused`` or ``Stale``.
    """
    session = load(tx.session, session_id)
    must_not_be_closed(session)
    must_be_at(tx.session, session, tx.seen)
    must_be_open(session)
    return session


def not_paused(tx: WriteContext, session_id: int) -> SessionView:
    """Return the state of an open or closed session, in which hands can be changed, after a write's checks.

    Raises ``NotFound``, ``SessionPaused`` or ``Stale``.
    """
    session = load(tx.session, session_id)
    must_be_at(tx.session, session, tx.seen)
    must_not_be_paused(session)
    return session


def unclosed(tx: WriteContext, session_id: int) -> tuple[PlaySession, SessionView]:
    """Return the row and the state of an open or paused session, to record something other than a hand.

    Raises as ``unclosed_row`` does.
    """
    row = unclosed_row(tx.session, session_id, tx.seen)
    return row, load(tx.session, row.id)


def unclosed_row(session: ScopedSession, session_id: int, seen: Seen) -> PlaySession:
    """Return the row of an open or paused session, after the checks of a write on the state ``seen``.

    Raises ``NotFound``, ``SessionClosed`` or ``Stale``.
    """
    row = find_row(session, session_id)
    must_not_be_closed(row)
    must_be_at(session, row, seen)
    return row


def advance(tx: WriteContext, view: SessionView, *, dealt: int = 0) -> int:
    """Store the next revision of a session, and ``dealt`` more hands; return the new revision.

    ``view`` keeps the old ones.
    """
    values = {
        "session": view.id,
        "revision": view.revision + 1,
        "hands_dealt": view.hands_dealt + dealt,
    }
    tx.session.change(_ADVANCE, values)
    return view.revision + 1


def must_be_open(session: PlaySession | SessionView) -> None:
    """Raise ``SessionClosed`` or ``SessionPaused`` if no hand can be written."""
    must_not_be_closed(session)
    must_not_be_paused(session)


def must_not_be_paused(session: PlaySession | SessionView) -> None:
    """Raise ``SessionPaused`` if the session is paused."""
    if session.state == SessionState.PAUSED:
        raise SessionPaused(title=session.title)


def must_not_be_closed(session: PlaySession | SessionView) -> None:
    """Raise ``SessionClosed`` if the session is closed."""
    if session.state == SessionState.CLOSED:
        raise SessionClosed(title=session.title)


def must_be_at(session: ScopedSession, row: PlaySession | SessionView, seen: Seen) -> None:
    """Raise ``Stale``, with the missed changes, if the session changed since the revision that was seen.

    Raises nothing if ``seen`` is None.
    """
    if is_among(row.revision, seen):
        return
    tags = seen if isinstance(seen, frozenset) else {str(seen)}
    revisions = [int(tag) for tag in tags if tag.isascii() and tag.isdigit() and len(tag) <= 18]
    older = [revision for revision in revisions if revision < row.revision]
    if not older:
        raise Stale(
            say(
                "“{title}” has never been as you say that you saw it; it is at revision "
                "{revision}. Nothing of yours was saved; look at it, then save again.",
                title=row.title,
                revision=row.revision,
            )
        )
    actions = activity.since(session, row, max(older))
    if not actions:
        raise Stale(
            say(
                "“{title}” has changed meanwhile. Nothing of yours was saved; look at what is new, then "
                "save again.",
                title=row.title,
            )
        )
    summary = activity.summary(actions, row.revision - max(older))
    raise Stale(
        say(
            "“{title}” has changed meanwhile: {what}. Nothing of yours was saved; look at what is new, "
            "then save again.",
            title=row.title,
            what=summary,
        ),
        hands={action.hand for action in actions if action.hand is not None},
        what=summary,
    )
