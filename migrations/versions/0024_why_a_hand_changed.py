"""Each version of a hand says why it was made: by an undo, or because another hand changed.

Revision: 0024; follows 0023. From now on entries say so in their details. Before, only the reason told: an
undo gave "undone", and a hand that followed hand 3 "hand 3 voided: misdeal". Earlier versions are taken by
that. Versions are guarded against UPDATE: the guards are taken down for it, and put up again.
"""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None

VERSION = sa.table(
    "hand_version",
    *map(sa.column, ("id", "hand_id", "version", "action", "reason", "entry_id")),
    sa.column("cause", sa.JSON(none_as_null=True)),
)
ENTRY = sa.table("journal_entry", *map(sa.column, ("id", "reverses_id", "details")))
BEFORE = VERSION.alias("before")
FOLLOWS = re.compile(r"hand ([0-9]+) ")


def upgrade() -> None:
    op.add_column("hand_version", sa.Column("cause", sa.JSON(), nullable=True))
    told = sa.select(
        VERSION.c.id, VERSION.c.action, VERSION.c.reason, sa.cast(ENTRY.c.details, sa.Text)
    ).where(VERSION.c.action != "recorded")
    paid = told.join_from(VERSION, ENTRY, ENTRY.c.id == VERSION.c.entry_id)
    voided = (
        told.join_from(
            VERSION,
            BEFORE,
            (BEFORE.c.hand_id == VERSION.c.hand_id) & (BEFORE.c.version == VERSION.c.version - 1),
        )
        .join(ENTRY, ENTRY.c.reverses_id == BEFORE.c.entry_id)
        .where(VERSION.c.entry_id.is_(None))
    )
    bind = op.get_bind()
    rows = [*bind.execute(paid), *bind.execute(voided)]
    causes = [{"of": number, "why": _cause(*said)} for number, *said in rows]
    known = [each for each in causes if each["why"] is not None]
    if known:
        with _without_guards():
            change = sa.update(VERSION).where(VERSION.c.id == sa.bindparam("of"))
            bind.execute(change.values(cause=sa.bindparam("why")), known)


def downgrade() -> None:
    op.drop_column("hand_version", "cause")


def _cause(action: str, reason: str | None, details: str) -> dict[str, Any] | None:
    """Return why a version was made: by its entry or, in older books, by the reason given."""
    try:
        said = json.loads(details)
    except ValueError:
        said = {}
    if isinstance(said, dict) and "cause" in said:
        cause: dict[str, Any] = said["cause"]
        return cause
    if action == "followed":
        found = FOLLOWS.match(str(reason))
        return {"hand": int(found[1])} if found else None
    return {"undo": None} if reason == "undone" else None


@contextmanager
def _without_guards() -> Iterator[None]:
    bind = op.get_bind()
    if bind.dialect.name != "sqlite":
        op.execute("ALTER TABLE hand_version DISABLE TRIGGER hand_version_no_change")
        yield
        op.execute("ALTER TABLE hand_version ENABLE TRIGGER hand_version_no_change")
        return
    guard = "hand_version_no_update"
    named = sa.text("SELECT sql FROM sqlite_master WHERE type = 'trigger' AND name = :name")
    made = bind.execute(named, {"name": guard}).scalar_one()
    op.execute(f"DROP TRIGGER {guard}")
    yield
    op.execute(made)
