"""Store players' pictures and their digests.

Revision: 0035; follows 0034. Existing players have no picture. A downgrade deletes pictures, and
registers that.
"""

import hashlib
from datetime import UTC, datetime
from typing import Any

import orjson
import sqlalchemy as sa
from alembic import op

from ledger.database.models import UTCDateTime

revision = "0035"
down_revision = "0034"
branch_labels = None
depends_on = None
rolling = False  # servers before this one would register players without these columns

CLUB = sa.table("club", sa.column("id"), sa.column("last_ids", sa.JSON))
PLAYER = sa.table("player", *map(sa.column, ("club_id", "id", "picture_digest")))
ENTRY = sa.table(
    "journal_entry",
    *map(sa.column, ("id", "club_id", "kind", "author", "previous_digest", "digest")),
    sa.column("details", sa.JSON),
    sa.column("occurred_at", UTCDateTime),
    sa.column("entered_at", UTCDateTime),
    sa.column("signature", sa.LargeBinary),
)


def upgrade() -> None:
    op.add_column(
        "player", sa.Column("picture_digest", sa.String(), nullable=False, server_default="")
    )
    op.add_column("player", sa.Column("picture", sa.LargeBinary(), nullable=True))


def downgrade() -> None:
    pictured = sa.select(PLAYER.c.club_id, PLAYER.c.id).where(PLAYER.c.picture_digest != "")
    rows: dict[int, dict[str, Any]] = {}
    order = pictured.order_by(PLAYER.c.club_id, PLAYER.c.id)
    for club_id, player_id in op.get_bind().execute(order):
        rows.setdefault(club_id, {})[f"player/{player_id}"] = {"picture_digest": ""}
    for club_id, changes in rows.items():
        _register(club_id, changes)
    op.drop_column("player", "picture")
    op.drop_column("player", "picture_digest")


def _register(club_id: int, rows: dict[str, Any]) -> None:
    """Write a register entry of changed rows, signed if the connection has a signer."""
    bind, at = op.get_bind(), datetime.now(UTC)
    of_club = sa.select(CLUB.c.last_ids).where(CLUB.c.id == club_id)
    last_ids: dict[str, int] = bind.execute(of_club).scalar_one()
    last = sa.select(ENTRY.c.digest).where(ENTRY.c.club_id == club_id).order_by(ENTRY.c.id.desc())
    previous = bind.scalar(last.limit(1)) or "0" * 64
    content: list[Any] = [previous, None, "register", None, None, "solo-ledger", None, at, at, []]
    options = orjson.OPT_NON_STR_KEYS | orjson.OPT_SORT_KEYS
    digest = hashlib.sha256(orjson.dumps([*content, [("rows", rows)]], option=options)).hexdigest()
    sign = bind.get_execution_options().get("ledger_sign")
    entry_id = last_ids["journal_entry"] + 1
    entry: dict[str, Any] = {"id": entry_id, "club_id": club_id, "kind": "register"}
    entry |= {"author": "solo-ledger", "details": {"rows": rows}, "occurred_at": at}
    entry |= {"entered_at": at, "previous_digest": previous, "digest": digest}
    entry["signature"] = sign(club_id, digest) if sign else None
    bind.execute(sa.insert(ENTRY), entry)
    counted = sa.update(CLUB).where(CLUB.c.id == club_id)
    bind.execute(counted.values(last_ids={**last_ids, "journal_entry": entry_id}))
