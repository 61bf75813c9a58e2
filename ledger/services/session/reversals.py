"""Which entries count: one stands until another reverses it; a reversal itself never counts as more."""

from sqlalchemy import ColumnElement, and_
from sqlalchemy.orm import aliased
from sqlmodel import col, select

from ledger.database.models import EntryKind, JournalEntry
from ledger.database.scope import ScopedSession, asked_once

AGAIN = "again"
"""The key of an entry's details that names the entry which it repeats, after that one was undone."""


def first_number(entry: JournalEntry) -> int:
    """Return the number under which an entry was first made, before it was undone and entered again."""
    return int(entry.details.get(AGAIN, entry.id))


def stands() -> ColumnElement[bool]:
    """Keep a query of entries to those that stand: that reverse nothing, and were not reversed.

    A reversal is told by its kind: asked for those that reverse nothing, SQLite walks through all of a
    club's, as the index of what is reversed is a unique one.
    """
    later = aliased(JournalEntry)
    taken_back = select(later.id).where(later.reverses_id == JournalEntry.id).exists()
    return and_(col(JournalEntry.kind) != EntryKind.REVERSAL.value, ~taken_back)


@asked_once
def is_taken_back(session: ScopedSession, entry_id: int) -> bool:
    """Whether an entry was reversed."""
    found = select(JournalEntry.id).where(JournalEntry.reverses_id == entry_id)
    return session.exec(found).first() is not None
