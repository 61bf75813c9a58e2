"""Counts of chips that were posted and taken back are forgotten, as those that were only noted always were.

Revision: 0010; follows 0009, which left them: what was counted wrong could be taken for what is held.
"""

from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute(
        "DELETE FROM chip_count WHERE entry_id IN "
        "(SELECT reverses_id FROM journal_entry WHERE reverses_id IS NOT NULL)"
    )


def downgrade() -> None:
    """Leave them forgotten: nothing else tells what they said."""
