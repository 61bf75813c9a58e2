"""Index a player's seats within the club, and the entries of a session that are not hands.

Revision: 0005; follows 0004. Before, finding a player's newest evenings read all of their seats, and finding
an evening's money read all of its hands.
"""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None
rolling = False  # no server before this one accepts another revision

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
