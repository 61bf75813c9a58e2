"""Index entries and an account's postings by time, to read a balance as it was at an instant.

Revision: 0008; follows 0007. Before, that read every later posting. The account's index contains the club, as
every query does, so that counting and skipping postings reads no rows.
"""

from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None
rolling = False  # no server before this one accepts another revision


def upgrade() -> None:
    op.create_index(
        "ix_journal_entry_club_id_entered_at", "journal_entry", ["club_id", "entered_at"]
    )
    op.create_index(
        "ix_posting_account_id_club_id_entry_id", "posting", ["account_id", "club_id", "entry_id"]
    )
    op.drop_index("ix_posting_account_id", "posting")


def downgrade() -> None:
    op.create_index("ix_posting_account_id", "posting", ["account_id"])
    op.drop_index("ix_posting_account_id_club_id_entry_id", "posting")
    op.drop_index("ix_journal_entry_club_id_entered_at", "journal_entry")
