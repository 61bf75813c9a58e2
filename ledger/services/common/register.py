"""The register: an entry of what each write transaction changed of sealed rows, made just before it ends.

It belongs to the club and moves nothing. ``details`` hold under ``rows`` each row that was changed, such as
``player/3``, with the columns that were set, or null where the row is gone. So the last word on each
column is in the journal's chain, and ``verify`` compares the row with it.
"""

from sqlmodel import select

from ledger import journal
from ledger.clock import now
from ledger.entry_kinds import EntryKind
from ledger.journal import EntryHeader
from ledger.models import Club
from ledger.scope import BEFORE_COMMIT, Built, OutOfScope, ScopedSession
from ledger.sealed import changed

ROWS = "rows"
NOBODY = "solo-ledger"
"""Who changed what nobody asked for by name."""

_LOCK = Built(int, select(Club.id).with_for_update())


def enter(session: ScopedSession) -> None:
    """Write what the transaction changed of sealed rows, if anything, as an entry of the club in hand."""
    rows = changed(session)
    if not rows:
        return
    if session.scope.club_id is None:
        raise OutOfScope(f"sealed rows are changed in one club: {', '.join(rows)}")
    session.ask(_LOCK)  # on PostgreSQL: a club's entries follow one another
    at = now()
    header = EntryHeader(
        None, EntryKind.REGISTER, session.author or NOBODY, at, at, details={ROWS: rows}
    )
    journal.post(session, header, {})


BEFORE_COMMIT.append(enter)
