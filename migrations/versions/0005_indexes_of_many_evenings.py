"""Indexes of many evenings: a player's among the club's, and the entries of a session that are no hand's.

Revision: 0005; follows 0004. A player's seats were read one by one to find the newest evenings, and
an evening's money could only be found among all its hands.
"""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

NO_HAND = sa.text("hand_id IS NULL")


def upgrade() -> None:
    op.create_index(
        "ix_seat_player_id_session_id_club_id", "seat", ["player_id", "session_id", "club_id"]
    )
    op.drop_index("ix_seat_player_id", "seat")
    op.create_index(
        "ix_journal_entry_beside_hands",
        "journal_entry",
        ["session_id", "club_id"],
        sqlite_where=NO_HAND,
        postgresql_where=NO_HAND,
    )


def downgrade() -> None:
    op.drop_index("ix_journal_entry_beside_hands", "journal_entry")
    op.create_index("ix_seat_player_id", "seat", ["player_id"])
    op.drop_index("ix_seat_player_id_session_id_club_id", "seat")
