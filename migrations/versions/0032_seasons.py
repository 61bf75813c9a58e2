"""Store the seasons of clubs.

Revision: 0032; follows 0031. There are none before. A downgrade deletes them, and registers that.
"""

import hashlib
from datetime import UTC, datetime
from typing import Any

import orjson
import sqlalchemy as sa
from alembic import op

from ledger.database.models import UTCDateTime

revision = "0032"
down_revision = "0031"
branch_labels = None
depends_on = None
rolling = False  # verify of servers before this one would miss the rows that the register names

CLUB = sa.table("club", sa.column("id"), sa.column("last_ids", sa.JSON))
SEASON = sa.table("season", *map(sa.column, ("club_id", "id")))
ENTRY = sa.table(
    "journal_entry",
    *map(sa.column, ("id", "club_id", "kind", "author", "previous_digest", "digest")),
    sa.column("details", sa.JSON),
    sa.column("occurred_at", UTCDateTime),
    sa.column("entered_at", UTCDateTime),
    sa.column("signature", sa.LargeBinary),
)


def upgrade() -> None:
    op.create_table(
        "season",
        sa.Column("club_id", sa.BigInteger(), nullable=False),
        sa.Column("id", sa.BigInteger(), nullable=False, autoincrement=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("name_key", sa.String(), nullable=False),
        sa.Column("first_day", sa.Date(), nullable=False),
        sa.Column("last_day", sa.Date(), nullable=False),
        sa.Column("game", sa.String(), nullable=True),
        sa.Column("method", sa.String(), nullable=False),
        sa.Column("least_evenings", sa.Integer(), nullable=False),
        sa.Column("tie_breaks", sa.JSON(), nullable=False),
        sa.Column("prize", sa.String(), nullable=False),
        sa.Column("closed_at", UTCDateTime(timezone=True), nullable=True),
        sa.Column("closing", sa.JSON(none_as_null=True), nullable=True),
        sa.CheckConstraint("method IN ('chips', 'money', 'ranks', 'wins')", name="method_known"),
        sa.PrimaryKeyConstraint("club_id", "id", name="pk_season"),
        sa.ForeignKeyConstraint(["club_id"], ["club.id"], name="fk_season_club_id_club"),
        sa.UniqueConstraint("club_id", "name_key", name="uq_season_club_id_name_key"),
    )


def downgrade() -> None:
    seasons = sa.select(SEASON.c.club_id, SEASON.c.id).order_by(SEASON.c.club_id, SEASON.c.id)
    rows: dict[int, dict[str, Any]] = {}
    for club_id, season_id in op.get_bind().execute(seasons):
        rows.setdefault(club_id, {})[f"season/{season_id}"] = None
    for club_id, changes in rows.items():
        _register(club_id, changes)
    op.drop_table("season")


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
