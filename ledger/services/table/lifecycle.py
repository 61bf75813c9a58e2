"""Whether a session is written in: paused and resumed, closed and reopened, each by an entry."""

from ledger import journal
from ledger.models import EntryKind, SessionState
from ledger.problems import Conflict
from ledger.services.common import names
from ledger.services.common.writing import Answer, Writing, writes
from ledger.services.money import till
from ledger.services.session import seats, snapshot
from ledger.services.session.load import find_row, unclosed_row
from ledger.services.session.revision import must_be_at
from ledger.services.session.view import view


@writes("pause session")
def pause(tx: Writing, session_id: int) -> Answer:
    """Pause a session: no hand is recorded until it is resumed."""
    return _change_state(tx, session_id, SessionState.PAUSED, EntryKind.PAUSE)


@writes("resume session")
def resume(tx: Writing, session_id: int) -> Answer:
    """Go on with a paused session."""
    return _change_state(tx, session_id, SessionState.OPEN, EntryKind.RESUMPTION)


@writes("rename session")
def rename(tx: Writing, session_id: int, *, title: str) -> Answer:
    """Give a session another title, a closed one as well. Raises ``Invalid`` at ``title``, and ``Stale``."""
    session = tx.session
    row = find_row(session, session_id)
    must_be_at(session, row, tx.seen)
    row.title = names.clean(title, "title", "The session's name")
    return seats.changed(tx, row)


def _change_state(tx: Writing, session_id: int, state: SessionState, kind: EntryKind) -> Answer:
    session = tx.session
    row = unclosed_row(session, session_id, tx.seen)
    if row.state == state:
        raise Conflict(f"“{row.title}” is already {state.value}.")
    then = snapshot.standing(session, row)
    row.state = state.value
    return seats.changed(tx, row, snapshot.note(tx, row, kind, then))


@writes("close session")
def close(tx: Writing, session_id: int) -> Answer:
    """Close a session, by an entry: nothing more is written in it until it is reopened.

    Chips that are worth money and no money yet stay chips: the answer says whose, and the club's money
    names the session from then on. Raises ``TillNotEmpty`` while somebody was cashed out for money and
    the others were not.
    """
    session = tx.session
    row = unclosed_row(session, session_id, tx.seen)
    till.must_be_empty(session, row)
    left = view(session, row).unconverted
    row.unconverted = bool(left)
    row.state, row.closed_at = SessionState.CLOSED.value, tx.at
    entry = journal.post(session, tx.header(session_id, EntryKind.CLOSING), {})
    return seats.changed(tx, row, entry, unconverted=left)


@writes("reopen session")
def reopen(tx: Writing, session_id: int) -> Answer:
    """Reopen a closed session, by an entry."""
    session = tx.session
    row = find_row(session, session_id)
    if row.state != SessionState.CLOSED:
        raise Conflict(f"“{row.title}” is already {row.state}.")
    must_be_at(session, row, tx.seen)
    row.state, row.closed_at, row.unconverted = SessionState.OPEN.value, None, False
    entry = journal.post(session, tx.header(session_id, EntryKind.REOPENING), {})
    return seats.changed(tx, row, entry)
