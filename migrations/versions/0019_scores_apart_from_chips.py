"""Store whether a result is in chips or a score, and keep each seat's scores apart from its chips.

Revision: 0019; follows 0018. Nobody pays a score, for example German Solo's points. Both are computed from
the standing hands; a hand whose record can't be read counts as chips.
"""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None
rolling = False  # no server before this one accepts another revision

SCORED = ("german-solo",)
"""The games with scores at this revision."""

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
        .where(_game_of().in_(SCORED))
    )
    op.execute(sa.update(RESULT).where(RESULT.c.hand_id.in_(played)).values(unit="score"))
    of_seat = RESULT.c.seat_id == SEAT.c.id, RESULT.c.unit == "score"
    total = sa.select(sa.func.sum(RESULT.c.amount)).where(*of_seat).scalar_subquery()
    has_any = sa.select(RESULT.c.hand_id).where(*of_seat).exists()
    op.execute(sa.update(SEAT).where(has_any).values(scored=total))
    op.drop_index("ix_result_player_id_amount_hand_id", "result")
    op.create_index("ix_result_of_player", "result", ["player_id", "unit", "amount", "hand_id"])


def _game_of() -> sa.ColumnElement[str]:
    """Return the game of a record; invalid JSON, which only SQLite can hold, gives NULL."""
    game: sa.ColumnElement[str] = VERSION.c.record["game"].as_string()
    if op.get_bind().dialect.name != "sqlite":
        return game
    return sa.case((sa.func.json_valid(VERSION.c.record), game))


def downgrade() -> None:
    op.drop_index("ix_result_of_player", "result")
    op.create_index(
        "ix_result_player_id_amount_hand_id", "result", ["player_id", "amount", "hand_id"]
    )
    op.drop_column("result", "unit")
    op.drop_column("seat", "scored")
