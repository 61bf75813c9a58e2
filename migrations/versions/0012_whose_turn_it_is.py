"""Whose turn it is follows from seats: who deals first is one of them, and who leaves hands on to another.

Revision: 0012; follows 0011. Of those who left before, nobody wrote down who sat on their left: it is taken
for whoever has their place by now. Who deals first was a place that moved along with its player.
"""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("seat") as seat:
        seat.add_column(
            sa.Column(
                "successor_id",
                sa.Integer(),
                sa.ForeignKey("seat.id", name="fk_seat_successor_id_seat"),
                nullable=True,
            )
        )
    op.execute(
        "UPDATE seat SET successor_id = coalesce("
        "(SELECT here.id FROM seat here WHERE here.session_id = seat.session_id "
        "AND here.state <> 'left' AND here.position = seat.position), "
        "(SELECT here.id FROM seat here WHERE here.session_id = seat.session_id "
        "AND here.state <> 'left' AND here.position = 0)) WHERE state = 'left'"
    )
    op.execute(
        "UPDATE play_session SET first_dealer = coalesce((SELECT (SELECT count(*) FROM seat earlier "
        "WHERE earlier.session_id = chosen.session_id AND earlier.id < chosen.id) FROM seat chosen "
        "WHERE chosen.session_id = play_session.id AND chosen.state <> 'left' "
        "AND chosen.position = play_session.first_dealer), 0)"
    )


def downgrade() -> None:
    op.execute(
        "UPDATE play_session SET first_dealer = coalesce((SELECT chosen.position FROM seat chosen "
        "WHERE chosen.session_id = play_session.id AND chosen.state <> 'left' "
        "AND (SELECT count(*) FROM seat earlier WHERE earlier.session_id = chosen.session_id "
        "AND earlier.id < chosen.id) = play_session.first_dealer), 0)"
    )
    with op.batch_alter_table("seat") as seat:
        seat.drop_constraint("fk_seat_successor_id_seat", type_="foreignkey")
        seat.drop_column("successor_id")
