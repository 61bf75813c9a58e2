"""Index rows by session, hand or player; index by club only the tables that are listed by club.

Revision: 0004; follows 0003. Every query contains the club. SQLite has no statistics here and preferred the
club's index to narrower ones, so the cost of a page grew with the club.
"""

from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None
rolling = False  # no server before this one accepts another revision

NOT_LISTED_BY_CLUB = (
    "account",
    "chip_count",
    "hand",
    "hand_version",
    "player",  # found by the unique index of club and name
    "posting",
    "result",
    "seat",
    "tally",
    "written_answer",  # found by the unique index of club and key
)


def upgrade() -> None:
    for table in NOT_LISTED_BY_CLUB:
        op.drop_index(f"ix_{table}_club_id", table)
    op.drop_index("ix_journal_entry_session_id", "journal_entry")
    op.create_index(
        "ix_journal_entry_session_id_club_id", "journal_entry", ["session_id", "club_id"]
    )
    op.drop_index("ix_play_session_club_id", "play_session")
    op.create_index("ix_play_session_club_id_started_on", "play_session", ["club_id", "started_on"])


def downgrade() -> None:
    op.drop_index("ix_play_session_club_id_started_on", "play_session")
    op.create_index("ix_play_session_club_id", "play_session", ["club_id"])
    op.drop_index("ix_journal_entry_session_id_club_id", "journal_entry")
    op.create_index("ix_journal_entry_session_id", "journal_entry", ["session_id"])
    for table in NOT_LISTED_BY_CLUB:
        op.create_index(f"ix_{table}_club_id", table, ["club_id"])
