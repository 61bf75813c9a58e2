"""Reject `INSERT OR REPLACE` into protected tables on SQLite.

Revision: 0007; follows 0006. `INSERT OR REPLACE` deletes conflicting rows, and SQLite fires no delete trigger
for that unless the connection enables it. A trigger therefore rejects an insert that conflicts with a row in
any unique key. An id that SQLite chooses conflicts with none and costs one look-up. PostgreSQL has no such
statement: its INSERT … ON CONFLICT DO UPDATE is an update, which the existing triggers reject.
"""

from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None
rolling = False  # no server before this one accepts another revision

UNIQUE_KEYS = {
    "journal_entry": (("id",), ("digest",), ("reverses_id",)),
    "posting": (("id",),),
    "hand_version": (("id",), ("hand_id", "version")),
}
"""The unique keys of each protected table."""


def upgrade() -> None:
    if op.get_bind().dialect.name != "sqlite":
        return
    for table, keys in UNIQUE_KEYS.items():
        conflict = " OR ".join(
            f"EXISTS (SELECT 1 FROM {table} WHERE "  # noqa: S608 - names from above
            + " AND ".join(f"{column} = NEW.{column}" for column in key)
            + ")"
            for key in keys
        )
        op.execute(
            f"CREATE TRIGGER {table}_no_replace BEFORE INSERT ON {table} WHEN {conflict} "
            f"BEGIN SELECT RAISE(ABORT, 'the books only grow: no REPLACE on {table}'); END"
        )


def downgrade() -> None:
    if op.get_bind().dialect.name == "sqlite":
        for table in UNIQUE_KEYS:
            op.execute(f"DROP TRIGGER {table}_no_replace")
