"""Whether a session is written in: paused and resumed, closed and reopened, each by an entry."""

from ledger import journal
from ledger.access import Access
from ledger.clock import now
from ledger.db import Database
from ledger.journal import EntryHeader
from ledger.models import EntryKind, SessionState
from ledger.problems import Conflict
from ledger.services.common.idempotency import Answer, once
from ledger.services.money import till
from ledger.services.session import snapshot
from ledger.services.session.load import find_row, must_be_at, unclosed_row
from ledger.services.session.view import view


def pause(
    db: Database, access: Access, key: str, session_id: int, revision: int | None = None
) -> Answer:
    """Pause a session: no hand is written until it is resumed."""
    return _change_state(db, access, key, session_id, revision, SessionState.PAUSED)


def resume(
    db: Database, access: Access, key: str, session_id: int, revision: int | None = None
) -> Answer:
    """Go on with a paused session."""
    return _change_state(db, access, key, session_id, revision, SessionState.OPEN)


def _change_state(
    db: Database,
    access: Access,
    key: str,
    session_id: int,
    revision: int | None,
    state: SessionState,
) -> Answer:
    verb = "pause" if state is SessionState.PAUSED else "resume"
    with db.write(access) as session:

        def act() -> Answer:
            row = unclosed_row(session, session_id, revision)
            if row.state == state:
                raise Conflict(f"“{row.title}” is {state.value} already.")
            kind = EntryKind.PAUSE if state is SessionState.PAUSED else EntryKind.RESUMPTION
            then = snapshot.standing(session, row)
            row.state = state.value
            snapshot.note(session, access, row, kind, then)
            row.revision += 1
            return {"id": session_id, "revision": row.revision}

        return once(session, key, (f"{verb} session", {"id": session_id}), act)


def close(
    db: Database, access: Access, key: str, session_id: int, revision: int | None = None
) -> Answer:
    """Close a session, by an entry: nothing more is written in it until it is reopened.

    Chips that are worth money and no money yet stay chips: the answer says whose, and the club's money
    names the session from then on. Raises ``TillNotEmpty`` while somebody was cashed out for money and
    the others were not.
    """
    with db.write(access) as session:

        def act() -> Answer:
            row = unclosed_row(session, session_id, revision)
            till.must_be_empty(session, row)
            left = view(session, row).unconverted
            row.unconverted = bool(left)
            at = now()
            row.state, row.closed_at = SessionState.CLOSED.value, at
            row.revision += 1
            journal.post(
                session, EntryHeader(session_id, EntryKind.CLOSING, access.author, at, at), {}
            )
            return {"id": session_id, "revision": row.revision, "unconverted": left}

        return once(session, key, ("close session", {"id": session_id}), act)


def reopen(
    db: Database, access: Access, key: str, session_id: int, revision: int | None = None
) -> Answer:
    """Reopen a closed session, by an entry."""
    with db.write(access) as session:

        def act() -> Answer:
            row = find_row(session, session_id)
            if row.state != SessionState.CLOSED:
                raise Conflict(f"“{row.title}” is {row.state} already.")
            must_be_at(session, row, revision)
            at = now()
            row.state, row.closed_at, row.unconverted = SessionState.OPEN.value, None, False
            row.revision += 1
            journal.post(
                session, EntryHeader(session_id, EntryKind.REOPENING, access.author, at, at), {}
            )
            return {"id": session_id, "revision": row.revision}

        return once(session, key, ("reopen session", {"id": session_id}), act)
