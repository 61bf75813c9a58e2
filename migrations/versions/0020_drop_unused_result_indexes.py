"""Drop two indexes of results that no query uses.

Revision: 0020; follows 0019. The unique key of hand and seat also finds the results of a hand.
"""

from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None
rolling = False  # no server before this one accepts another revision

INDEXES = (("ix_result_hand_id", "hand_id"), ("ix_result_seat_id", "seat_id"))


def upgrade() -> None:
    for name, _ in INDEXES:
        op.drop_index(name, "result")


def downgrade() -> None:
    for name, column in INDEXES:
        op.create_index(name, "result", [column])
