"""Index results so that a player's best and worst hand is the first among equal ones.

Revision: 0009; follows 0008. The index before it did not order equal hands.
"""

from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None
rolling = False  # no server before this one accepts another revision


def upgrade() -> None:
    op.create_index(
        "ix_result_player_id_amount_hand_id", "result", ["player_id", "amount", "hand_id"]
    )
    op.drop_index("ix_result_player_id_amount", "result")


def downgrade() -> None:
    op.create_index("ix_result_player_id_amount", "result", ["player_id", "amount"])
    op.drop_index("ix_result_player_id_amount_hand_id", "result")
