"""What a hand brought says whether it is chips or a score, and each seat keeps its scores apart.

Revision: 0019; follows 0018. Nobody pays a score, such as German Solo's points. Both are found from the hands
that stand; one whose record cannot be read says nothing of its game, and is left with chips.
"""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None

SCORED = ("german-solo",)
"""The games that were played for scores at the time."""

HAND = sa.table("hand", sa.column("id", sa.Integer), sa.column("version", sa.Integer))
VERSION = sa.table(
    "hand_version",
    sa.column("hand_id", sa.Integer),
    sa.column("version", sa.Integer),
    sa.column("record", sa.JSON),
)
RESULT = sa.table("result", *map(sa.column, ("hand_id", "seat_id", "amount", "unit")))
SEAT = sa.table("seat", sa.column("id"), sa.column("scored"))


def upgrade() -> None:
    op.add_column("result", sa.Column("unit", sa.String(), nullable=False, server_default="chips"))
    op.add_column("seat", sa.Column("scored", sa.BigInteger(), nullable=False, server_default="0"))
    played = (
        sa.select(HAND.c.id)
        .where(VERSION.c.hand_id == HAND.c.id, VERSION.c.version == HAND.c.version)
        .where(_game().in_(SCORED))
    )
    op.execute(sa.update(RESULT).where(RESULT.c.hand_id.in_(played)).values(unit="score"))
    of_seat = RESULT.c.seat_id == SEAT.c.id, RESULT.c.unit == "score"
    total = sa.select(sa.func.sum(RESULT.c.amount)).where(*of_seat).scalar_subquery()
    has_any = sa.select(RESULT.c.hand_id).where(*of_seat).exists()
    op.execute(sa.update(SEAT).where(has_any).values(scored=total))
    op.drop_index("ix_result_player_id_amount_hand_id", "result")
    op.create_index("ix_result_of_player", "result", ["player_id", "unit", "amount", "hand_id"])


def _game() -> sa.ColumnElement[str]:
    """Return the game a record names; SQLite would stop at one that is no JSON, PostgreSQL holds none."""
    named: sa.ColumnElement[str] = VERSION.c.record["game"].as_string()
    if op.get_bind().dialect.name != "sqlite":
        return named
    return sa.case((sa.func.json_valid(VERSION.c.record), named))


def downgrade() -> None:
    op.drop_index("ix_result_of_player", "result")
    op.create_index(
        "ix_result_player_id_amount_hand_id", "result", ["player_id", "amount", "hand_id"]
    )
    op.drop_column("result", "unit")
    op.drop_column("seat", "scored")
