"""Store where imported clubs come from, and the address to which a club has left.

Revision: 0029; follows 0028. No club was imported or has left. A downgrade is refused while one was imported:
older versions can't check the signatures of another installation. It registers that no club has left.
"""

import hashlib
from datetime import UTC, datetime
from typing import Any

import orjson
import sqlalchemy as sa
from alembic import op
from alembic.util import CommandError

from ledger.database.models import UTCDateTime

revision = "0029"
down_revision = "0028"
branch_labels = None
depends_on = None
rolling = False  # no server before this one accepts another revision

CLUB = sa.table("club", *map(sa.column, ("id", "moved_to")), sa.column("last_ids", sa.JSON))
ENTRY = sa.table(
    "journal_entry",
    *map(sa.column, ("id", "club_id", "kind", "author", "previous_digest", "digest")),
    sa.column("details", sa.JSON),
    sa.column("occurred_at", UTCDateTime),
    sa.column("entered_at", UTCDateTime),
    sa.column("signature", sa.LargeBinary),
)


def upgrade() -> None:
    op.add_column("club", sa.Column("moved_to", sa.String(), nullable=True))
    op.create_table(
        "club_origin",
        sa.Column("club_id", sa.BigInteger(), nullable=False),
        sa.Column("id", sa.BigInteger(), nullable=False, autoincrement=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("public_key", sa.String(), nullable=True),
        sa.Column("last_entry_id", sa.BigInteger(), nullable=False),
        sa.Column("signature", sa.LargeBinary(), nullable=True),
        sa.Column("arrived_at", UTCDateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("club_id", "id", name="pk_club_origin"),
        sa.ForeignKeyConstraint(["club_id"], ["club.id"], name="fk_club_origin_club_id_club"),
    )


def downgrade() -> None:
    bind = op.get_bind()
    if bind.exec_driver_sql("SELECT club_id FROM club_origin LIMIT 1").first() is not None:
        raise CommandError(
            "a club was imported from another installation, whose signatures older versions can't check; "
            "restore the backup that was made before the upgrade"
        )
    left = sa.select(CLUB.c.id, CLUB.c.last_ids).where(CLUB.c.moved_to.is_not(None))
    for club_id, last_ids in bind.execute(left).all():
        _enter_return(club_id, last_ids)
    op.drop_table("club_origin")
    op.drop_column("club", "moved_to")


def _enter_return(club_id: int, last_ids: dict[str, int]) -> None:
    """Write a register entry that the club has not left, signed if the connection has a signer."""
    bind, at, rows = op.get_bind(), datetime.now(UTC), {f"club/{club_id}": {"moved_to": None}}
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
