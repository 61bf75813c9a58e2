"""The sealed columns; ``register`` writes their changes into the journal.

They hold players and names, devices, links and tokens of a club, its settings, seasons, seats, rules, stacks
and rates, and the hands that wait for a confirmation.
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
        *("confirm_from", "moved_to", "created_at"),
    ),
    "player": ("name", "created_at", "archived", "colour", "emoji", "picture_digest"),
    "api_token": ("label", "role", "digest", "created_at", "expires_at", "revoked_at"),
    "link": ("role", "nonce", "digest", "made_by", "created_at", "expires_at", "revoked_at"),
    "device": (
        *("role", "author", "kind", "digest", "epoch", "link_id", "created_at", "revoked_at"),
    ),
    "play_session": (
        *("title", "started_on", "game", "variant", "options", "state", "first_dealer"),
        *("starting_stack", "rate_chips", "rate_money", "created_at", "closed_at", "unconverted"),
        *("deleted_at", "ends_at", "on_paper"),
    ),
    "hand": ("unconfirmed_from",),
    "seat": ("session_id", "player_id", "position", "state", "successor_id"),
    "chip_count": (
        *("session_id", "seat_id", "pieces", "counted", "expected", "entry_id", "author"),
        "counted_at",
    ),
    "season": (
        *("name", "name_key", "first_day", "last_day", "game", "method", "least_evenings"),
        *("tie_breaks", "prize", "closed_at", "closing"),
    ),
}
"""The columns by table, without those that verification recomputes or the program updates by itself."""

LATER: Mapping[tuple[str, str], Any] = {
    ("club", "confirm_from"): 0,
    ("club", "moved_to"): None,
    ("player", "archived"): False,
    ("player", "colour"): None,
    ("player", "emoji"): "",
    ("player", "picture_digest"): "",
    ("play_session", "deleted_at"): None,
    ("play_session", "ends_at"): None,
    ("play_session", "on_paper"): False,
}
"""The values of columns added later, for rows not registered since."""

SECRET = {
    ("club", "passcode_hash"),
    ("api_token", "digest"),
    ("link", "nonce"),
    ("link", "digest"),
    ("device", "digest"),
}
"""The columns registered as a digest, because the register is permanent and readable by others."""

UNSEALED: Mapping[str, tuple[str, Any]] = {
    "device": ("role", Role.VIEWER.value),
    "hand": ("unconfirmed_from", None),
}
"""The rows left out of the register, by a column and its value.

Every visitor or program with a viewer link becomes a device, and the journal would grow with each. A hand is
registered only while it waits for another device to confirm it. A row is registered as a whole when it stops
being one of these, and as deleted when it becomes one.
"""

ACCESS = ("api_token", "link", "device")
"""The tables of rows that give access to a club; they stay behind when it moves to another installation."""

ROWS = "rows"
"""The key of the rows in the details of the register's entries."""


def sealed_value(table: str, column: str, value: Any) -> Any:
    """Return a column's value as the register stores it: in JSON, a secret as a digest, a time in UTC.

    >>> sealed_value("player", "name", "Ann"), sealed_value("api_token", "digest", "secret")[:17]
    ('Ann', 'sha256:2bb80d537b')
    """
    if isinstance(value, datetime):
        value = value.astimezone(UTC)
    if (table, column) in SECRET and value is not None:
        return f"sha256:{hashlib.sha256(str(value).encode()).hexdigest()}"
    return json.read(json.write(value))


def is_sealed(table: str, value_of: Callable[[str], Any]) -> bool:
    """Return whether a row of a table is registered: its table is, and the row is not one of ``UNSEALED``.

    ``value_of`` returns the row's values by column.
    """
    if table in UNSEALED:
        column, left_out = UNSEALED[table]
        return bool(value_of(column) != left_out)
    return table in SEALED
