"""Let players be archived and sessions be deleted: they are hidden, and their entries are kept.

Revision: 0017; follows 0016. A downgrade shows all of them again and registers that change.
"""

import hashlib
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import orjson
import sqlalchemy as sa
from alembic import op

from ledger.database.models import UTCDateTime

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None
rolling = False  # no server before this one accepts another revision

ENTRY = sa.table(
    "journal_entry",
    *map(sa.column, ("id", "club_id", "kind", "author", "previous_digest", "digest")),
    sa.column("details", sa.JSON),
    sa.column("occurred_at", UTCDateTime),
    sa.column("entered_at", UTCDateTime),
    sa.column("signature", sa.LargeBinary),
)

HIDDEN = (
    ("player", "archived", "archived", False),
    ("play_session", "deleted_at", "deleted_at IS NOT NULL", None),
)
"""A table, its column, the condition of hidden rows, and the column's value in visible rows."""


def upgrade() -> None:
    with op.batch_alter_table("player") as player:
        player.add_column(
            sa.Column("archived", sa.Boolean(), nullable=False, server_default=sa.false())
        )
    with op.batch_alter_table("player") as player:
        player.alter_column("archived", existing_type=sa.Boolean(), server_default=None)
    op.add_column("play_session", sa.Column("deleted_at", sa.DateTime(timezone=True)))


def downgrade() -> None:
    bind = op.get_bind()
    visible: dict[int, dict[str, Any]] = {}
    for table, column, hidden, value in HIDDEN:
        query: Any = sa.select(sa.column("club_id"), sa.column("id")).select_from(sa.table(table))
        for club_id, row_id in bind.execute(query.where(sa.text(hidden)).order_by(sa.column("id"))):
            visible.setdefault(club_id, {})[f"{table}/{row_id}"] = {column: value}
    for club_id, rows in visible.items():
        _enter(club_id, rows)
    with op.batch_alter_table("player") as player:
        player.drop_column("archived")
    op.drop_column("play_session", "deleted_at")


def _enter(club_id: int, rows: Mapping[str, Any]) -> None:
    """Write a register entry of changed rows, signed if the connection has a signer."""
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
