"""Kinds, states, actions, sides and roles are words of a list: held by the database as well.

Revision: 0013; follows 0012. Nothing but the code kept other words out. Books that hold one are refused in a
sentence, for what it was to mean nobody can tell. SQLite rebuilds a table to give it a constraint, and drops
its guards with it: they are put up again as they stood. So are its indexes, in their old order: of two that
serve alike SQLite takes the one that was made last.
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
HELD = {
    (table, f"ck_{table}_{column}_known"): f"{column} IN ({', '.join(map(repr, words))})"
    for (table, column), words in WORDS.items()
}
HELD["account", "ck_account_unit_fits"] = "(unit = 'chips') = (kind NOT IN ('till', 'player'))"
TABLES = tuple(dict.fromkeys(table for table, _ in HELD))


def upgrade() -> None:
    for (table, _), condition in HELD.items():
        _must_hold(table, condition)
    with _without_guards():
        for table in TABLES:
            with op.batch_alter_table(table) as batch:
                for (of, name), condition in HELD.items():
                    if of == table:
                        batch.create_check_constraint(op.f(name), sa.text(condition))


def downgrade() -> None:
    with _without_guards():
        for table in TABLES:
            with op.batch_alter_table(table) as batch:
                for of, name in HELD:
                    if of == table:
                        batch.drop_constraint(op.f(name), type_="check")


def _must_hold(table: str, condition: str) -> None:
    """Refuse books in which something is of a kind there is none of."""
    columns = [column for of, column in WORDS if of == table]
    columns += ["unit"] * (table == "account")
    asked = f"SELECT id, {', '.join(columns)} FROM {table} WHERE NOT ({condition})"  # noqa: S608
    odd = op.get_bind().execute(sa.text(f"{asked} ORDER BY id LIMIT 1")).first()
    if odd is not None:
        said = ", ".join(f"{column} “{odd[1 + at]}”" for at, column in enumerate(columns))
        raise CommandError(
            f"row {odd[0]} of {table} says {said}, which no version of this program wrote; "
            "put it right, or take an older copy of the books"
        )


@contextmanager
def _without_guards() -> Iterator[None]:
    """Take SQLite's triggers down while tables are rebuilt, and put them and the indexes up again."""
    bind = op.get_bind()
    guards: Sequence[Any] = ()
    indexes: Sequence[Any] = ()
    if bind.dialect.name == "sqlite":
        asked = "SELECT name, sql FROM sqlite_master WHERE type = ? AND sql <> '' ORDER BY rowid"
        guards = bind.exec_driver_sql(asked, ("trigger",)).all()
        indexes = bind.exec_driver_sql(asked, ("index",)).all()
    for name, _ in guards:
        op.execute(f"DROP TRIGGER {name}")
    yield
    for name, sql in indexes:
        op.execute(f"DROP INDEX {name}")
        bind.exec_driver_sql(sql)
    for _, sql in guards:
        bind.exec_driver_sql(sql)
