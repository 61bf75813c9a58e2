"""Add check constraints for kinds, states, actions, sides and roles.

Revision: 0013; follows 0012. Before, only the code rejected other words. A database that contains one can't
be upgraded: its meaning is unknown. SQLite rebuilds a table to add a constraint, which drops the table's
triggers; they are created again unchanged. The indexes are created again in their old order: of two equally
good indexes SQLite uses the one that was created last.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import sqlalchemy as sa
from alembic import op
from alembic.util import CommandError

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None
rolling = False  # no server before this one accepts another revision

WORDS = {
    ("account", "kind"): ("seat", "bank", "pot", "world", "differences", "till", "player"),
    ("api_token", "role"): ("scorer", "viewer"),
    ("hand", "state"): ("standing", "void"),
    ("hand_version", "action"): ("recorded", "corrected", "voided", "restored", "followed"),
    ("journal_entry", "kind"): (
        *("hand", "reversal", "stack", "loan", "repayment", "adjustment", "pots-shared"),
        *("cash-out", "conversion", "payment", "closing", "reopening", "joining", "sitting-out"),
        *("coming-back", "seats-changed", "rules-changed", "rate-set", "pause", "resumption"),
        "count",
    ),
    ("play_session", "state"): ("open", "paused", "closed"),
    ("seat", "state"): ("playing", "sitting-out", "left"),
    ("tally", "side"): ("bidder", "partner", "opponent", "idle"),
}
CONDITIONS = {
    (table, f"ck_{table}_{column}_known"): f"{column} IN ({', '.join(map(repr, words))})"
    for (table, column), words in WORDS.items()
}
CONDITIONS["account", "ck_account_unit_fits"] = (
    "(unit = 'chips') = (kind NOT IN ('till', 'player'))"
)
TABLES = tuple(dict.fromkeys(table for table, _ in CONDITIONS))


def upgrade() -> None:
    for (table, _), condition in CONDITIONS.items():
        _check_rows(table, condition)
    with _without_triggers():
        for table in TABLES:
            with op.batch_alter_table(table) as batch:
                for (owner, name), condition in CONDITIONS.items():
                    if owner == table:
                        batch.create_check_constraint(op.f(name), sa.text(condition))


def downgrade() -> None:
    with _without_triggers():
        for table in TABLES:
            with op.batch_alter_table(table) as batch:
                for owner, name in CONDITIONS:
                    if owner == table:
                        batch.drop_constraint(op.f(name), type_="check")


def _check_rows(table: str, condition: str) -> None:
    """Raise if a row does not meet a condition."""
    columns = [column for owner, column in WORDS if owner == table]
    columns += ["unit"] * (table == "account")
    query = f"SELECT id, {', '.join(columns)} FROM {table} WHERE NOT ({condition})"  # noqa: S608
    row = op.get_bind().execute(sa.text(f"{query} ORDER BY id LIMIT 1")).first()
    if row is not None:
        values = ", ".join(f"{column} “{row[1 + at]}”" for at, column in enumerate(columns))
        raise CommandError(
            f"row {row[0]} of {table} says {values}, which no version of this program wrote; "
            "put it right, or take an older copy of the books"
        )


@contextmanager
def _without_triggers() -> Iterator[None]:
    """Drop SQLite's triggers while tables are rebuilt; create them and the indexes again."""
    bind = op.get_bind()
    triggers: Sequence[Any] = ()
    indexes: Sequence[Any] = ()
    if bind.dialect.name == "sqlite":
        query = "SELECT name, sql FROM sqlite_master WHERE type = ? AND sql <> '' ORDER BY rowid"
        triggers = bind.exec_driver_sql(query, ("trigger",)).all()
        indexes = bind.exec_driver_sql(query, ("index",)).all()
    for name, _ in triggers:
        op.execute(f"DROP TRIGGER {name}")
    yield
    for name, sql in indexes:
        op.execute(f"DROP INDEX {name}")
        bind.exec_driver_sql(sql)
    for _, sql in triggers:
        bind.exec_driver_sql(sql)
