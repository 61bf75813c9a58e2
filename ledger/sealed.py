"""What nobody may change unseen: the columns that the register keeps, a kind of journal entry.

Players and their names, who is let into a club and by which key, its settings, who sits where, by which
rules, stacks and rates. Every write transaction notes what it changed of them, and
``services.common.register`` makes an entry of it. It sees rows that are changed as objects of the session;
nobody writes these tables another way, but for what is left out here, such as when a key was last used.
"""

import hashlib
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from functools import partial
from typing import Any

from sqlalchemy import event, inspect
from sqlalchemy.orm import UOWTransaction
from sqlmodel import Session, SQLModel

from ledger import json_text
from ledger.access import Role
from ledger.scope import ScopedSession

SEALED: Mapping[str, tuple[str, ...]] = {
    "club": (
        *("name", "name_key", "passcode_hash", "devices_epoch", "currency", "denominations"),
        "created_at",
    ),
    "player": ("name", "created_at", "archived"),
    "api_token": ("label", "role", "digest", "created_at", "expires_at", "revoked_at"),
    "link": ("role", "nonce", "digest", "made_by", "created_at", "expires_at", "revoked_at"),
    "device": (
        *("role", "author", "kind", "digest", "epoch", "link_id", "created_at", "revoked_at"),
    ),
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

SECRET = {
    ("club", "passcode_hash"),
    ("api_token", "digest"),
    ("link", "nonce"),
    ("link", "digest"),
    ("device", "digest"),
}
"""Those of which the register keeps a digest only: it is never forgotten, and others may read it."""

UNSEALED = {"device": ("role", Role.VIEWER.value)}
"""Rows that are left out, by a column and what it holds there.

Whoever has a viewer link, or a program that looks at it, comes as one more device that reads: the journal
would grow with each. A row is entered as a whole once it is none of these, and as gone when it becomes one.
"""

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


def is_sealed(table: str, held: Callable[[str], Any]) -> bool:
    """Whether the register keeps a row of ``table``; ``held`` tells what it holds in a column."""
    if table in UNSEALED:
        column, left_out = UNSEALED[table]
        return bool(held(column) != left_out)
    return table in SEALED


def changed(session: ScopedSession) -> dict[str, Mapping[str, Any] | None]:
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
    return {name: kept(table, name, getattr(row, name)) for name in SEALED[table]}


def _what_changed(row: Any) -> dict[str, Any]:
    table, was = str(row.__tablename__), inspect(row).committed_state
    now = {name: getattr(row, name) for name in SEALED[table] if name in was}
    return {name: kept(table, name, value) for name, value in now.items() if value != was[name]}


def _keep(session: Session, row: SQLModel, values: Mapping[str, Any]) -> None:
    if values:
        noted = session.info.setdefault(_CHANGED, {})
        noted[_name(row)] = {**(noted.get(_name(row)) or {}), **values}


def _gone(session: Session, row: SQLModel) -> None:
    session.info.setdefault(_CHANGED, {})[_name(row)] = None


def _name(row: Any) -> str:
    return f"{row.__tablename__}/{row.id}"
