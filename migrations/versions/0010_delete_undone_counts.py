"""Delete chip counts whose adjustment was undone.

Revision: 0010; follows 0009. Undoing a count without an adjustment already deleted it; a remaining one
could be mistaken for the chips a player holds.
"""

from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None
rolling = False  # no server before this one accepts another revision


def upgrade() -> None:
    op.execute(
        "DELETE FROM chip_count WHERE entry_id IN "
        "(SELECT reverses_id FROM journal_entry WHERE reverses_id IS NOT NULL)"
    )


def downgrade() -> None:
    """Do nothing: the deleted counts can't be recovered."""
