"""A changed hand is settled with players who have left by an entry of a kind of its own.

Revision: 0023; follows 0021. Books that hold such entries can't go back: no older version knows the kind, and
entries can't be taken out of a chain. SQLite rebuilds the table to give it the new list of kinds, and drops
its guards and indexes with it: they are put up again as they stood, in their order.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import sqlalchemy as sa
from alembic import op
from alembic.util import CommandError

revision = "0023"
down_revision = "0021"
branch_labels = None
depends_on = None

KINDS = (
    *("hand", "reversal", "stack", "loan", "repayment", "adjustment", "pots-shared"),
    *("cash-out", "conversion", "payment", "closing", "reopening", "joining", "sitting-out"),
    *("coming-back", "seats-changed", "rules-changed", "rate-set", "pause", "resumption"),
    *("count", "register"),
)
ADDED = "after-leaving"
CHECK = "ck_journal_entry_kind_known"


def upgrade() -> None:
    _hold((*KINDS, ADDED))


def downgrade() -> None:
    entries = sa.table("journal_entry", sa.column("id"), sa.column("kind"))
    found = sa.select(entries.c.id).where(entries.c.kind == ADDED).limit(1)
    if op.get_bind().execute(found).first() is not None:
        raise CommandError(
            "these books hold hands that were corrected after a player had left, which older versions "
            "do not know; take an older copy of the books"
        )
    _hold(KINDS)


def _hold(kinds: Sequence[str]) -> None:
    with _without_guards(), op.batch_alter_table("journal_entry") as batch:
        batch.drop_constraint(op.f(CHECK), type_="check")
        listed = ", ".join(map(repr, kinds))
        batch.create_check_constraint(op.f(CHECK), sa.text(f"kind IN ({listed})"))


@contextmanager
def _without_guards() -> Iterator[None]:
    """Take SQLite's triggers down while the table is rebuilt, and put them and its indexes up again."""
    bind = op.get_bind()
    guards: Sequence[Any] = ()
    indexes: Sequence[Any] = ()
    if bind.dialect.name == "sqlite":
        asked = "SELECT name, sql FROM sqlite_master WHERE type = ? AND sql <> '' ORDER BY rowid"
        guards = bind.exec_driver_sql(asked, ("trigger",)).all()
        indexes = bind.exec_driver_sql(
            f"{asked.replace('ORDER', 'AND tbl_name = ? ORDER')}", ("index", "journal_entry")
        ).all()
    for name, _ in guards:
        op.execute(f"DROP TRIGGER {name}")
    yield
    for name, sql in indexes:
        op.execute(f"DROP INDEX IF EXISTS {name}")
        bind.exec_driver_sql(sql)
    for _, sql in guards:
        bind.exec_driver_sql(sql)
