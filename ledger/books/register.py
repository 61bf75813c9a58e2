"""The register: an entry of what each write transaction changed of sealed rows, made just before it ends.

It belongs to the club and moves nothing. ``details`` hold under ``rows`` each row that was changed, such as
``player/3``, with the columns that were set, or null where the row is gone. So the last word on each
column is in the journal's chain, and ``verify`` compares the row with it.

Rows are seen that are changed as objects of the session. Nobody writes these tables another way, but for
what is not sealed, such as when a key was last used.
"""

from collections.abc import Mapping
from functools import partial
from typing import Any

from sqlalchemy import event, inspect
from sqlalchemy.orm import UOWTransaction
from sqlmodel import Session, SQLModel, select

from ledger.books import journal
from ledger.books.chain import EntryHeader
from ledger.books.sealed_columns import ROWS, SEALED, is_sealed, sealed_value
from ledger.database.kinds.entries import EntryKind
from ledger.database.models import Club
from ledger.database.scope import Built, OutOfScope, ScopedSession
from ledger.runtime.clock import now

NOBODY = "solo-ledger"
"""Who changed what nobody asked for by name."""

_CHANGED = "sealed rows that were changed"
_LOCK = Built(int, select(Club.id).with_for_update())


def enter(session: ScopedSession) -> None:
    """Write what the transaction changed of sealed rows, if anything, as an entry of the club in hand."""
    rows = _changed(session)
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


def _changed(session: ScopedSession) -> dict[str, Mapping[str, Any] | None]:
    """Return what was changed of sealed rows since it was last asked: columns, None where a row is gone."""
    found: dict[str, Mapping[str, Any] | None] = session.info.pop(_CHANGED, {})
    return found


@event.listens_for(ScopedSession, "after_flush")
def _note(session: Session, _context: UOWTransaction) -> None:
    """Note what a flush wrote of sealed rows; what they were before is still known here."""
    for row in session.new:
        if is_sealed(row.__tablename__, partial(getattr, row)):
            _keep(session, row, _whole(row))
    for row in session.dirty:
        is_now = is_sealed(row.__tablename__, partial(getattr, row))
        if is_now and _was_sealed(row):
            _keep(session, row, _what_changed(row))
        elif is_now:
            _keep(session, row, _whole(row))
        elif _was_sealed(row):
            _gone(session, row)
    for row in session.deleted:
        if _was_sealed(row):
            _gone(session, row)


def _was_sealed(row: Any) -> bool:
    was = inspect(row).committed_state
    return is_sealed(row.__tablename__, lambda name: was.get(name, getattr(row, name)))


def _whole(row: Any) -> dict[str, Any]:
    table = str(row.__tablename__)
    return {name: sealed_value(table, name, getattr(row, name)) for name in SEALED[table]}


def _what_changed(row: Any) -> dict[str, Any]:
    table, was = str(row.__tablename__), inspect(row).committed_state
    now = {name: getattr(row, name) for name in SEALED[table] if name in was}
    return {
        name: sealed_value(table, name, value) for name, value in now.items() if value != was[name]
    }


def _keep(session: Session, row: SQLModel, values: Mapping[str, Any]) -> None:
    if values:
        noted = session.info.setdefault(_CHANGED, {})
        noted[_name(row)] = {**(noted.get(_name(row)) or {}), **values}


def _gone(session: Session, row: SQLModel) -> None:
    session.info.setdefault(_CHANGED, {})[_name(row)] = None


def _name(row: Any) -> str:
    return f"{row.__tablename__}/{row.id}"
