"""Allow entries of the kind `opening`, which import balances from other programs.

Revision: 0036; follows 0035. A database with such entries can't be downgraded: older versions don't know the
kind, and entries can't be removed from a chain. SQLite rebuilds the table to change the list of kinds, which
drops its triggers and indexes; they are created again unchanged and in the same order.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import sqlalchemy as sa
from alembic import op
from alembic.util import CommandError

revision = "0036"
down_revision = "0035"
branch_labels = None
depends_on = None
rolling = False  # older servers do not know the kind

KINDS = (
    *("hand", "reversal", "stack", "loan", "repayment", "adjustment", "pots-shared"),
    *("cash-out", "conversion", "payment", "closing", "reopening", "joining", "sitting-out"),
    *("coming-back", "seats-changed", "rules-changed", "rate-set", "pause", "resumption"),
    *("count", "register", "after-leaving", "expense", "separate-expense", "separate-payment"),
    "paper-result",
)
ADDED = "opening"
CHECK = "ck_journal_entry_kind_known"


def upgrade() -> None:
    _allow_kinds((*KINDS, ADDED))


def downgrade() -> None:
    entries = sa.table("journal_entry", sa.column("id"), sa.column("kind"))
    query = sa.select(entries.c.id).where(entries.c.kind == ADDED).limit(1)
    if op.get_bind().execute(query).first() is not None:
        raise CommandError(
            "these books hold balances that were imported from another program, which older versions "
            "do not know; restore the backup that was made before the upgrade"
        )
    _allow_kinds(KINDS)


def _allow_kinds(kinds: Sequence[str]) -> None:
    with _without_triggers(), op.batch_alter_table("journal_entry") as batch:
        batch.drop_constraint(op.f(CHECK), type_="check")
        listed = ", ".join(map(repr, kinds))
        batch.create_check_constraint(op.f(CHECK), sa.text(f"kind IN ({listed})"))


@contextmanager
def _without_triggers() -> Iterator[None]:
    """Drop SQLite's triggers while the table is rebuilt; create them and its indexes again."""
    bind = op.get_bind()
    triggers: Sequence[Any] = ()
    indexes: Sequence[Any] = ()
    if bind.dialect.name == "sqlite":
        query = "SELECT name, sql FROM sqlite_master WHERE type = ? AND sql <> '' ORDER BY rowid"
        triggers = bind.exec_driver_sql(query, ("trigger",)).all()
        indexes = bind.exec_driver_sql(
            f"{query.replace('ORDER', 'AND tbl_name = ? ORDER')}", ("index", "journal_entry")
        ).all()
    for name, _ in triggers:
        op.execute(f"DROP TRIGGER {name}")
    yield
    for name, sql in indexes:
        op.execute(f"DROP INDEX IF EXISTS {name}")
        bind.exec_driver_sql(sql)
    for _, sql in triggers:
        bind.exec_driver_sql(sql)
