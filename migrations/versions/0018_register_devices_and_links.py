"""Record changes of devices and links in register entries; drop two redundant indexes.

Revision: 0018; follows 0017. Existing rows are registered as they are now, except viewers' devices. A
downgrade registers that these rows are no longer recorded, as the older version does not know them.
"""

import hashlib
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

import orjson
import sqlalchemy as sa
from alembic import op

from ledger.database.models import UTCDateTime

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None
rolling = False  # no server before this one accepts another revision

ROWS_PER_ENTRY = 200
"""The most rows in one entry."""

SEALED: Mapping[str, Mapping[str, Any]] = {
    "club": {"devices_epoch": sa.Integer},
    "link": {
        "role": sa.String,
        "nonce": sa.String,
        "digest": sa.String,
        "made_by": sa.String,
        "created_at": UTCDateTime,
        "expires_at": UTCDateTime,
        "revoked_at": UTCDateTime,
    },
    "device": {
        "role": sa.String,
        "author": sa.String,
        "kind": sa.String,
        "digest": sa.String,
        "epoch": sa.Integer,
        "link_id": sa.Integer,
        "created_at": UTCDateTime,
        "revoked_at": UTCDateTime,
    },
}
SECRET = {("link", "nonce"), ("link", "digest"), ("device", "digest")}
INDEXES = (
    ("ix_hand_session_id", "hand", "session_id"),
    ("ix_hand_version_hand_id", "hand_version", "hand_id"),
)
"""Indexes whose rows are also found by the unique keys of hands and of versions."""

ENTRY = sa.table(
    "journal_entry",
    *map(sa.column, ("id", "club_id", "kind", "author", "previous_digest", "digest")),
    sa.column("details", sa.JSON),
    sa.column("occurred_at", UTCDateTime),
    sa.column("entered_at", UTCDateTime),
    sa.column("signature", sa.LargeBinary),
)


def upgrade() -> None:
    for name, table, _ in INDEXES:
        op.drop_index(name, table)
    for club_id in _clubs():
        _enter_all(club_id, dict(_present_rows(club_id)))


def downgrade() -> None:
    for name, table, column in INDEXES:
        op.create_index(name, table, [column])
    for club_id in _clubs():
        _enter_all(club_id, {row: None for row, _ in _present_rows(club_id) if row[:5] != "club/"})


def _clubs() -> list[int]:
    return list(op.get_bind().execute(sa.text("SELECT id FROM club ORDER BY id")).scalars())


def _present_rows(club_id: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield each registered row of a club with its present values."""
    for name, columns in SEALED.items():
        own = "id" if name == "club" else "club_id"
        table = sa.table(
            name,
            *(sa.column(key, sa.Integer) for key in {"id", own}),
            *(sa.column(column, kind) for column, kind in columns.items()),
        )
        query = sa.select(table.c.id, *(table.c[column] for column in columns))
        query = query.where(table.c[own] == club_id).order_by(table.c.id)
        if name == "device":
            query = query.where(table.c.role != "viewer")
        for row_id, *values in op.get_bind().execute(query):
            pairs = zip(columns, values, strict=True)
            yield f"{name}/{row_id}", {key: _sealed(name, key, value) for key, value in pairs}


def _sealed(table: str, column: str, value: Any) -> Any:
    if (table, column) in SECRET and value is not None:
        return f"sha256:{hashlib.sha256(value.encode()).hexdigest()}"
    return orjson.loads(orjson.dumps(value))


def _enter_all(club_id: int, rows: Mapping[str, Any]) -> None:
    items = list(rows.items())
    for start in range(0, len(items), ROWS_PER_ENTRY):
        _enter(club_id, dict(items[start : start + ROWS_PER_ENTRY]))


def _enter(club_id: int, rows: Mapping[str, Any]) -> None:
    """Write a register entry of rows, signed if the connection has a signer."""
    bind, at = op.get_bind(), datetime.now(UTC)
    last = sa.select(ENTRY.c.digest).where(ENTRY.c.club_id == club_id).order_by(ENTRY.c.id.desc())
    previous = bind.scalar(last.limit(1)) or "0" * 64
    content: list[Any] = [previous, None, "register", None, None, "solo-ledger", None, at, at, []]
    options = orjson.OPT_NON_STR_KEYS | orjson.OPT_SORT_KEYS
    sealed = orjson.dumps([*content, [("rows", rows)]], option=options)
    digest = hashlib.sha256(sealed).hexdigest()
    sign = bind.get_execution_options().get("ledger_sign")
    entry: dict[str, Any] = {"club_id": club_id, "kind": "register", "author": "solo-ledger"}
    entry |= {"details": {"rows": rows}, "occurred_at": at, "entered_at": at}
    entry |= {"previous_digest": previous, "digest": digest}
    entry["signature"] = sign(club_id, digest) if sign else None
    bind.execute(sa.insert(ENTRY), entry)
