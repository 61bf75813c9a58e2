"""Store the time at which a table agreed to end a session.

Revision: 0026; follows 0025. Existing sessions have none.
"""

import sqlalchemy as sa
from alembic import op

revision = "0026"
down_revision = "0025"
branch_labels = None
depends_on = None
rolling = False  # no server before this one accepts another revision


def upgrade() -> None:
    op.add_column("play_session", sa.Column("ends_at", sa.DateTime(timezone=True), nullable=True))


def downgrade() -> None:
    op.drop_column("play_session", "ends_at")
