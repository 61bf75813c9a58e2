"""The entries in force: an entry is in force until another one reverses it; a reversal itself never is."""

from collections.abc import Collection, Sequence

from sqlalchemy import ColumnElement, and_
from sqlalchemy.orm import aliased
from sqlmodel import col, select

from ledger.database.kinds.entries import Undo, kinds
from ledger.database.models import EntryKind, JournalEntry
from ledger.database.scope import ScopedSession, asked_once

LEAVINGS = kinds(lambda kind: kind.undo is Undo.RETURN_TO_SEAT)
"""The kinds of entries by which a player leaves."""

REPEATS = "again"
"""The key of an entry's details that names the undone entry which it repeats."""


def original_number(entry: JournalEntry) -> int:
    """Return the id of the entry that this one repeats, after an undo and a redo.

    An entry that repeats none has its own id as the original number.
    """
    return int(entry.details.get(REPEATS, entry.id))


def in_force() -> ColumnElement[bool]:
    """Return the condition of a query for entries in force: neither reversals nor reversed.

    It compares the kind to leave out reversals: a condition that an entry reverses nothing makes SQLite read
    all entries of a club, because the index on that column is a unique one.
    """
    later = aliased(JournalEntry)
    reversal = select(later.id).where(later.reverses_id == JournalEntry.id).exists()
    return and_(col(JournalEntry.kind) != EntryKind.REVERSAL.value, ~reversal)


def newest_first(
    session: ScopedSession, session_id: int | None, names: Collection[str]
) -> Sequence[JournalEntry]:
    """Return a session's entries in force of these kinds, newest first; entries of hands are left out.

    Without a ``session_id`` they are those of the club, such as payments.
    """
    return session.exec(
        select(JournalEntry)
        .where(JournalEntry.session_id == session_id, col(JournalEntry.hand_id).is_(None))
        .where(col(JournalEntry.kind).in_(names), in_force())
        .order_by(col(JournalEntry.id).desc())
    ).all()


@asked_once
def is_reversed(session: ScopedSession, entry_id: int) -> bool:
    """Return whether an entry was reversed; one that was entered again since still was."""
    query = select(JournalEntry.id).where(JournalEntry.reverses_id == entry_id)
    return session.exec(query).first() is not None
