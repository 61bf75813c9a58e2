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
from sqlmodel import Session, SQLModel, col, func, select

from ledger.books import journal
from ledger.books.chain import EntryHeader
from ledger.books.sealed_columns import ACCESS, ROWS, SEALED, is_sealed, sealed_value
from ledger.database.kinds.entries import EntryKind
from ledger.database.models import ApiToken, Club, ClubOrigin, Device, JournalEntry, Link
from ledger.database.narrowing import OutOfScope
from ledger.database.scope import ScopedSession
from ledger.runtime.clock import now

AUTHOR = "solo-ledger"
"""The author of changes that the program makes by itself."""

_CHANGES = "changes of sealed rows"

_AT_A_TIME = 50
"""The entries of an imported register that are in memory at a time."""


def enter(session: ScopedSession) -> None:
    """Write the noted changes of sealed rows, if any, as one ``register`` entry of the club, and forget them.

    The first such entry of an imported club also adopts it (``_adoption``). Raises ``OutOfScope`` for changes
    in a transaction across clubs.
    """
    rows: dict[str, Mapping[str, Any] | None] = session.info.pop(_CHANGES, {})
    if not rows:
        return
    if session.scope.club_id is None:
        raise OutOfScope(f"sealed rows are changed in one club: {', '.join(rows)}")
    session.lock()  # so that a club's entries are written one at a time
    if _is_copy(session):
        rows |= _adoption(session)
    author, at = session.author or AUTHOR, now()
    header = EntryHeader(None, EntryKind.REGISTER, author, at, at, details={ROWS: rows})
    journal.post(session, header, {})


def _is_copy(session: ScopedSession) -> bool:
    """Return whether the club was imported and its last entry is still the last imported one."""
    last_imported = session.exec(select(func.max(ClubOrigin.last_entry_id))).one()
    last = select(func.max(JournalEntry.id))
    return last_imported is not None and last_imported == session.exec(last).one()


def _adoption(session: ScopedSession) -> dict[str, Mapping[str, Any] | None]:
    """Return the changes that make an imported club one of this installation, with its first entry here.

    The rows that gave access to it at its origin are registered as deleted, and its own row, with its number
    and passcode here, and its present links as new.
    """
    stays_behind = {"club", *ACCESS}
    changes: dict[str, Mapping[str, Any] | None] = {}
    entries = select(JournalEntry.details).where(JournalEntry.kind == EntryKind.REGISTER.value)
    entries = entries.order_by(col(JournalEntry.id)).execution_options(yield_per=_AT_A_TIME)
    for details in session.exec(entries):
        for name, values in details[ROWS].items():
            if name.partition("/")[0] not in stays_behind:
                continue
            if values is None:
                changes.pop(name, None)
            else:
                changes[name] = None
    present: list[Any] = [session.exec(select(Club)).one()]
    for model in (ApiToken, Link, Device):
        present += session.exec(select(model)).all()
    for row in present:
        if is_sealed(row.__tablename__, partial(getattr, row)):
            changes[_name(row)] = _all_values(row)
    return changes


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
