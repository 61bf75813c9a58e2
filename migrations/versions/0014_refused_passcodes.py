"""Count wrong passcodes in the database, so that all processes share the count and restarts keep it.

Revision: 0014; follows 0013.
"""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None
rolling = False  # no server before this one accepts another revision


def upgrade() -> None:
    op.create_table(
        "refused_try",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("whose", sa.String(), nullable=False),
        sa.Column("network", sa.String(), nullable=False),
        sa.Column("wider", sa.String(), nullable=False),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.Column("last_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("open_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_refused_try"),
        sa.UniqueConstraint("whose", "network", name="uq_refused_try_whose_network"),
    )
    op.create_index("ix_refused_try_whose_wider", "refused_try", ["whose", "wider"])
    op.create_index("ix_refused_try_last_at", "refused_try", ["last_at"])


def downgrade() -> None:
    op.drop_table("refused_try")
