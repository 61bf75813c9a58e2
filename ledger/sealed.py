"""What nobody may change unseen: the columns that the register keeps, a kind of journal entry.

Players and their names, the keys to a club, its settings, who sits where, by which rules, stacks and rates.
Every write transaction notes what it changed of them, and ``services.common.register`` makes an entry of
it. It sees rows that are changed as objects of the session; nobody writes these tables another way.
"""

import hashlib
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import event, inspect
from sqlalchemy.orm import UOWTransaction
from sqlmodel import Session, SQLModel

from ledger import json_text
from ledger.scope import ScopedSession

SEALED: Mapping[str, tuple[str, ...]] = {
    "club": ("name", "name_key", "passcode_hash", "currency", "denominations", "created_at"),
    "player": ("name", "created_at", "archived"),
    "api_token": ("label", "role", "digest", "created_at", "expires_at", "revoked_at"),
    "play_session": (
        *("title", "started_on", "game", "variant", "options", "state", "first_dealer"),
        *("starting_stack", "rate_chips", "rate_money", "created_at", "closed_at", "unconverted"),
        "deleted_at",
    ),
    "seat": ("session_id", "player_id", "position", "state", "successor_id"),
    "chip_count": (
        *("session_id", "seat_id", "pieces", "counted", "expected", "entry_id", "author"),
        "counted_at",
    ),
}
"""The columns, by table. Not what verifying recomputes, nor what changes without anybody's will."""

LATER: Mapping[tuple[str, str], Any] = {
    ("player", "archived"): False,
    ("play_session", "deleted_at"): None,
}
"""What columns hold that came later, on rows of which the register has not spoken since."""

SECRET = {("club", "passcode_hash"), ("api_token", "digest")}
"""Those of which the register keeps a digest only: it is never forgotten, and others may read it."""

_CHANGED = "sealed rows that were changed"


def kept(table: str, column: str, value: Any) -> Any:
    """Return a value as the register keeps it.

    >>> kept("player", "name", "Ann"), kept("api_token", "digest", "secret")[:17]
    ('Ann', 'sha256:2bb80d537b')
    """
    if isinstance(value, datetime):
        value = value.astimezone(UTC)
    if (table, column) in SECRET and value is not None:
        return f"sha256:{hashlib.sha256(str(value).encode()).hexdigest()}"
    if value is None or isinstance(value, str | int):
        return value
    return json_text.read(json_text.write(value))


def changed(session: ScopedSession) -> dict[str, Mapping[str, Any] | None]:
    """Return what was changed of sealed rows since it was last asked: columns, None where a row is gone."""
    found: dict[str, Mapping[str, Any] | None] = session.info.pop(_CHANGED, {})
    return found


@event.listens_for(ScopedSession, "after_flush")
def _note(session: Session, _context: UOWTransaction) -> None:
    """Note what a flush wrote of sealed rows; what they were before is still known here."""
    for row in session.new:
        table, columns = _sealed(row)
        _keep(session, row, {name: kept(table, name, getattr(row, name)) for name in columns})
    for row in session.dirty:
        table, columns = _sealed(row)
        was = inspect(row).committed_state
        now = {name: getattr(row, name) for name in columns if name in was}
        _keep(
            session,
            row,
            {name: kept(table, name, value) for name, value in now.items() if value != was[name]},
        )
    for row in session.deleted:
        if _sealed(row)[1]:
            session.info.setdefault(_CHANGED, {})[_name(row)] = None


def _sealed(row: Any) -> tuple[str, tuple[str, ...]]:
    table = str(row.__tablename__)
    return table, SEALED.get(table, ())


def _keep(session: Session, row: SQLModel, values: Mapping[str, Any]) -> None:
    if values:
        noted = session.info.setdefault(_CHANGED, {})
        noted[_name(row)] = {**(noted.get(_name(row)) or {}), **values}


def _name(row: Any) -> str:
    return f"{row.__tablename__}/{row.id}"
