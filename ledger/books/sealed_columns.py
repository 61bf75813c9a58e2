"""What nobody may change unseen: the columns that the register keeps, a kind of journal entry.

Players and their names, who is let into a club and by which key, its settings, who sits where, by which
rules, stacks and rates. ``register`` makes an entry of what a write transaction changed of them.
"""

import hashlib
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any

from ledger.database import json
from ledger.database.access import Role

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

ROWS = "rows"
"""Under which the details of the register's entries hold what they say of rows."""


def sealed_value(table: str, column: str, value: Any) -> Any:
    """Return a value as the register keeps it.

    >>> sealed_value("player", "name", "Ann"), sealed_value("api_token", "digest", "secret")[:17]
    ('Ann', 'sha256:2bb80d537b')
    """
    if isinstance(value, datetime):
        value = value.astimezone(UTC)
    if (table, column) in SECRET and value is not None:
        return f"sha256:{hashlib.sha256(str(value).encode()).hexdigest()}"
    if value is None or isinstance(value, str | int):
        return value
    return json.read(json.write(value))


def is_sealed(table: str, held: Callable[[str], Any]) -> bool:
    """Whether the register keeps a row of ``table``; ``held`` tells what it holds in a column."""
    if table in UNSEALED:
        column, left_out = UNSEALED[table]
        return bool(held(column) != left_out)
    return table in SEALED
