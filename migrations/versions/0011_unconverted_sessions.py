"""Mark closed sessions with chips that have a rate but were never converted, and index them.

Revision: 0011; follows 0010. Before, nothing showed that money was still due.
"""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None
rolling = False  # no server before this one accepts another revision

MAY_HOLD_CHIPS = "rate_chips IS NOT NULL AND (state <> 'closed' OR unconverted)"
INDEX = "ix_play_session_may_hold_chips"


def upgrade() -> None:
    with op.batch_alter_table("play_session") as session:
        session.add_column(
            sa.Column("unconverted", sa.Boolean(), nullable=False, server_default=sa.false())
        )
    with op.batch_alter_table("play_session") as session:
        session.alter_column("unconverted", existing_type=sa.Boolean(), server_default=None)
    op.create_index(
        INDEX,
        "play_session",
        ["club_id"],
        sqlite_where=sa.text(MAY_HOLD_CHIPS),
        postgresql_where=sa.text(MAY_HOLD_CHIPS),
    )
    op.execute(
        "UPDATE play_session SET unconverted = true "
        "WHERE state = 'closed' AND rate_chips IS NOT NULL AND id IN ("
        "SELECT seat.session_id FROM seat JOIN account ON account.seat_id = seat.id "
        "GROUP BY seat.session_id, seat.player_id "
        "HAVING sum(account.balance - seat.advanced - seat.converted) <> 0)"
    )


def downgrade() -> None:
    op.drop_index(INDEX, "play_session")
    with op.batch_alter_table("play_session") as session:
        session.drop_column("unconverted")
