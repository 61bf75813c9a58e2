"""Players may be archived and sessions deleted: neither is offered or listed, and the books keep both.

Revision: 0017; follows 0016. Nobody was archived before, and no session deleted. On the way down all are
back, which the register says of each.
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

ENTRY = sa.table(
    "journal_entry",
    *map(sa.column, ("id", "club_id", "kind", "author", "previous_digest", "digest")),
    sa.column("details", sa.JSON),
    sa.column("occurred_at", UTCDateTime),
    sa.column("entered_at", UTCDateTime),
    sa.column("signature", sa.LargeBinary),
)

BACK = (
    ("player", "archived", "archived", False),
    ("play_session", "deleted_at", "deleted_at IS NOT NULL", None),
)
"""A table, its column, which rows are hidden by it, and what it says of those that are not."""


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
    back: dict[int, dict[str, Any]] = {}
    for table, column, hidden, value in BACK:
        asked: Any = sa.select(sa.column("club_id"), sa.column("id")).select_from(sa.table(table))
        for club_id, row_id in bind.execute(asked.where(sa.text(hidden)).order_by(sa.column("id"))):
            back.setdefault(club_id, {})[f"{table}/{row_id}"] = {column: value}
    for club_id, rows in back.items():
        _enter(club_id, rows)
    with op.batch_alter_table("player") as player:
        player.drop_column("archived")
    op.drop_column("play_session", "deleted_at")


def _enter(club_id: int, rows: Mapping[str, Any]) -> None:
    """Write an entry of what was changed of rows that nobody may change unseen; sign it if somebody can."""
    bind, at = op.get_bind(), datetime.now(UTC)
    last = sa.select(ENTRY.c.digest).where(ENTRY.c.club_id == club_id).order_by(ENTRY.c.id.desc())
    previous = bind.scalar(last.limit(1)) or "0" * 64
    said: list[Any] = [previous, None, "register", None, None, "solo-ledger", None, at, at, []]
    options = orjson.OPT_NON_STR_KEYS | orjson.OPT_SORT_KEYS
    told = orjson.dumps([*said, [("rows", rows)]], option=options)
    digest = hashlib.sha256(told).hexdigest()
    sign = bind.get_execution_options().get("ledger_sign")
    entry: dict[str, Any] = {"club_id": club_id, "kind": "register", "author": "solo-ledger"}
    entry |= {"details": {"rows": rows}, "occurred_at": at, "entered_at": at}
    entry |= {"previous_digest": previous, "digest": digest}
    entry["signature"] = sign(club_id, digest) if sign else None
    bind.execute(sa.insert(ENTRY), entry)
