"""Store the sum of each player's winnings by entries that are not hands.

Revision: 0021; follows 0020. It is computed from adjustments, shared pots and their reversals. Before, the
newest evenings of a player could only be summed up by reading all of those entries.
"""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None
rolling = False  # no server before this one accepts another revision


def upgrade() -> None:
    op.add_column(
        "player", sa.Column("by_other_entries", sa.BigInteger(), nullable=False, server_default="0")
    )
    op.execute(
        "UPDATE player SET by_other_entries = coalesce(("
        "SELECT sum(posting.amount) FROM seat JOIN account ON account.seat_id = seat.id "
        "JOIN posting ON posting.account_id = account.id "
        "JOIN journal_entry AS entry ON entry.id = posting.entry_id "
        "LEFT JOIN journal_entry AS undone ON undone.id = entry.reverses_id "
        "WHERE seat.player_id = player.id "
        "AND coalesce(undone.kind, entry.kind) IN ('adjustment', 'pots-shared')), 0)"
    )


def downgrade() -> None:
    op.drop_column("player", "by_other_entries")
