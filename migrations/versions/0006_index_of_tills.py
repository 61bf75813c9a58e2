"""Index the tills that are not empty: a few rows, whatever the number of evenings.

Revision: 0006; follows 0005. Settling up queries them each time.
"""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None
rolling = False  # no server before this one accepts another revision

NOT_EMPTY = "kind = 'till' AND balance <> 0"


def upgrade() -> None:
    op.create_index(
        "ix_account_till_not_empty",
        "account",
        ["club_id"],
        sqlite_where=sa.text(NOT_EMPTY),
        postgresql_where=sa.text(NOT_EMPTY),
    )


def downgrade() -> None:
    op.drop_index("ix_account_till_not_empty", "account")
