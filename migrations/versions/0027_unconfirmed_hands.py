"""Let a club require that another device confirms hands, and count the confirmations of a session.

Revision: 0027; follows 0026. No club requires it yet. A downgrade registers that no hand waits and no club
requires a confirmation, as the older version does not know them.
"""

import hashlib
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import orjson
import sqlalchemy as sa
from alembic import op

from ledger.database.models import UTCDateTime

revision = "0027"
down_revision = "0026"
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
REGISTERED = (
    ("club", "id", "confirm_from <> 0", {"confirm_from": 0}),
    ("hand", "club_id", "unconfirmed_from IS NOT NULL", None),
)
"""A table, its club's column, the condition of registered rows, and the values that a downgrade registers."""


def upgrade() -> None:
    op.add_column(
        "club", sa.Column("confirm_from", sa.Integer(), nullable=False, server_default="0")
    )
    op.add_column(
        "play_session", sa.Column("confirmations", sa.Integer(), nullable=False, server_default="0")
    )
    op.add_column("hand", sa.Column("unconfirmed_from", sa.String(), nullable=True))


def downgrade() -> None:
    bind = op.get_bind()
    rows: dict[int, dict[str, Any]] = {}
    for table, owner, condition, values in REGISTERED:
        query: Any = sa.select(sa.column(owner), sa.column("id")).select_from(sa.table(table))
        for club_id, row_id in bind.execute(
            query.where(sa.text(condition)).order_by(sa.text("id"))
        ):
            rows.setdefault(club_id, {})[f"{table}/{row_id}"] = values
    for club_id, changes in rows.items():
        _enter(club_id, changes)
    op.drop_column("hand", "unconfirmed_from")
    op.drop_column("play_session", "confirmations")
    op.drop_column("club", "confirm_from")


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
