"""The register: an entry with each write transaction's changes of sealed rows, written before the commit.

The entry belongs to the club and moves nothing. Its ``details`` have, under ``rows``, each changed row, like
``player/3``, with the columns set, or null for a deleted row. So the last value of each sealed column is
in the journal's chain, and ``verify`` compares the row with it.

Only changes of the session's objects are noticed. Other statements write to these tables only columns that
are not sealed, like the time of last use.
"""

from collections.abc import Mapping
from functools import partial
from typing import Any

from sqlalchemy import event, inspect
from sqlalchemy.orm import UOWTransaction
from sqlmodel import Session, SQLModel

from ledger.books import journal
from ledger.books.chain import EntryHeader
from ledger.books.sealed_columns import ROWS, SEALED, is_sealed, sealed_value
from ledger.database.kinds.entries import EntryKind
from ledger.database.narrowing import OutOfScope
from ledger.database.scope import ScopedSession
from ledger.runtime.clock import now

AUTHOR = "solo-ledger"
"""The author of changes that the program makes by itself."""

_CHANGES = "changes of sealed rows"


def enter(session: ScopedSession) -> None:
    """Write the transaction's changes of sealed rows, if any, as an entry of this club, and forget them.

    Raises ``OutOfScope`` for such changes in a transaction across clubs.
    """
    rows: dict[str, Mapping[str, Any] | None] = session.info.pop(_CHANGES, {})
    if not rows:
        return
    if session.scope.club_id is None:
        raise OutOfScope(f"sealed rows are changed in one club: {', '.join(rows)}")
    session.lock()  # so that a club's entries are written one at a time
    author, at = session.author or AUTHOR, now()
    header = EntryHeader(None, EntryKind.REGISTER, author, at, at, details={ROWS: rows})
    journal.post(session, header, {})


@event.listens_for(ScopedSession, "after_flush")
def _note(session: Session, _context: UOWTransaction) -> None:
    """Note a flush's changes of sealed rows, while their previous values are still known.

    A row that becomes sealed is noted with all its values, and one that is sealed no longer as deleted.
    """
    for row in session.new:
        if is_sealed(row.__tablename__, partial(getattr, row)):
            _note_values(session, row, _all_values(row))
    for row in session.dirty:
        is_now = is_sealed(row.__tablename__, partial(getattr, row))
        if is_now:
            _note_values(
                session, row, _changed_values(row) if _was_sealed(row) else _all_values(row)
            )
        elif _was_sealed(row):
            _note_deletion(session, row)
    for row in session.deleted:
        if _was_sealed(row):
            _note_deletion(session, row)


def _was_sealed(row: Any) -> bool:
    before = inspect(row).committed_state
    return is_sealed(row.__tablename__, lambda name: before.get(name, getattr(row, name)))


def _all_values(row: Any) -> dict[str, Any]:
    table = str(row.__tablename__)
    return {name: sealed_value(table, name, getattr(row, name)) for name in SEALED[table]}


def _changed_values(row: Any) -> dict[str, Any]:
    table, before = str(row.__tablename__), inspect(row).committed_state
    values = {name: getattr(row, name) for name in SEALED[table] if name in before}
    return {
        name: sealed_value(table, name, value)
        for name, value in values.items()
        if value != before[name]
    }


def _note_values(session: Session, row: SQLModel, values: Mapping[str, Any]) -> None:
    if values:
        changes = session.info.setdefault(_CHANGES, {})
        changes[_name(row)] = {**(changes.get(_name(row)) or {}), **values}


def _note_deletion(session: Session, row: SQLModel) -> None:
    session.info.setdefault(_CHANGES, {})[_name(row)] = None


def _name(row: Any) -> str:
    return f"{row.__tablename__}/{row.id}"
