"""Books that replace nothing: SQLite refuses to write over what was written, too.

Revision: 0007; follows 0006. `INSERT OR REPLACE` deletes the rows in its way, and SQLite calls no trigger
for that unless a connection asks it to; so a row in the way refuses the insert. Each unique key counts, as
any of them would do for a replacement. An id that SQLite is to choose is no row's yet, and costs one look.
PostgreSQL has no such statement: its INSERT … ON CONFLICT DO UPDATE is an update, and refused as one.
"""

from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

UNIQUE = {
    "journal_entry": (("id",), ("digest",), ("reverses_id",)),
    "posting": (("id",),),
    "hand_version": (("id",), ("hand_id", "version")),
}
"""The keys by which a row of each guarded table could be replaced."""


def upgrade() -> None:
    if op.get_bind().dialect.name != "sqlite":
        return
    for table, keys in UNIQUE.items():
        in_the_way = " OR ".join(
            f"EXISTS (SELECT 1 FROM {table} WHERE "  # noqa: S608 - names from above
            + " AND ".join(f"{column} = NEW.{column}" for column in key)
            + ")"
            for key in keys
        )
        op.execute(
            f"CREATE TRIGGER {table}_no_replace BEFORE INSERT ON {table} WHEN {in_the_way} "
            f"BEGIN SELECT RAISE(ABORT, 'the books only grow: no REPLACE on {table}'); END"
        )


def downgrade() -> None:
    if op.get_bind().dialect.name == "sqlite":
        for table in UNIQUE:
            op.execute(f"DROP TRIGGER {table}_no_replace")
