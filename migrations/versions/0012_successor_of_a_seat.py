"""Store the first dealer as a seat, and for each seat that was left the seat that takes its turn.

Revision: 0012; follows 0011. For players who left before, the seat on their left was not stored: it is the
seat now at their position, unless the details of their cash-out name another. Details with invalid JSON are
ignored. Before, the first dealer was a position, which moved when its player changed seats.
"""

import json

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None
rolling = False  # no server before this one accepts another revision


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
    _use_entries(op.get_bind())
    op.execute(
        "UPDATE play_session SET first_dealer = coalesce((SELECT (SELECT count(*) FROM seat earlier "
        "WHERE earlier.session_id = chosen.session_id AND earlier.id < chosen.id) FROM seat chosen "
        "WHERE chosen.session_id = play_session.id AND chosen.state <> 'left' "
        "AND chosen.position = play_session.first_dealer), 0)"
    )


def _use_entries(connection: sa.Connection) -> None:
    """Prefer the successors that entries name: after a downgrade they are still stored there."""
    leavings = "SELECT details FROM journal_entry WHERE kind = 'cash-out' ORDER BY id"
    for (details,) in connection.execute(sa.text(leavings)).all():
        try:
            content = json.loads(details) if isinstance(details, str) else details
        except json.JSONDecodeError:
            continue
        if "successor" in content:
            connection.execute(
                sa.text(
                    "UPDATE seat SET successor_id = :successor WHERE id = :seat AND state = 'left'"
                ).bindparams(successor=content["successor"], seat=content["seat"])
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
