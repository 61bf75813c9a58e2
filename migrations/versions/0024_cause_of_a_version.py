"""Store the cause of each version of a hand: an undo, or a change of another hand.

Revision: 0024; follows 0023. New entries state the cause in their details. Before, only the reason showed it:
an undo wrote "undone", and a hand recalculated after hand 3 "hand 3 voided: misdeal". The cause of older
versions is parsed from that. A trigger protects versions from UPDATE; it is dropped and created again.
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
rolling = False  # no server before this one accepts another revision

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
    query = sa.select(
        VERSION.c.id, VERSION.c.action, VERSION.c.reason, sa.cast(ENTRY.c.details, sa.Text)
    ).where(VERSION.c.action != "recorded")
    paid = query.join_from(VERSION, ENTRY, ENTRY.c.id == VERSION.c.entry_id)
    voided = (
        query.join_from(
            VERSION,
            BEFORE,
            (BEFORE.c.hand_id == VERSION.c.hand_id) & (BEFORE.c.version == VERSION.c.version - 1),
        )
        .join(ENTRY, ENTRY.c.reverses_id == BEFORE.c.entry_id)
        .where(VERSION.c.entry_id.is_(None))
    )
    bind = op.get_bind()
    rows = [*bind.execute(paid), *bind.execute(voided)]
    causes = [{"of": number, "why": _cause(*facts)} for number, *facts in rows]
    stated = [cause for cause in causes if cause["why"] is not None]
    if stated:
        with _without_trigger():
            change = sa.update(VERSION).where(VERSION.c.id == sa.bindparam("of"))
            bind.execute(change.values(cause=sa.bindparam("why")), stated)


def downgrade() -> None:
    op.drop_column("hand_version", "cause")


def _cause(action: str, reason: str | None, details: str) -> dict[str, Any] | None:
    """Return the cause of a version: from its entry or, in older databases, from its reason."""
    try:
        content = json.loads(details)
    except ValueError:
        content = {}
    if isinstance(content, dict) and "cause" in content:
        cause: dict[str, Any] = content["cause"]
        return cause
    if action == "followed":
        match = FOLLOWS.match(str(reason))
        return {"hand": int(match[1])} if match else None
    return {"undo": None} if reason == "undone" else None


@contextmanager
def _without_trigger() -> Iterator[None]:
    bind = op.get_bind()
    if bind.dialect.name != "sqlite":
        op.execute("ALTER TABLE hand_version DISABLE TRIGGER hand_version_no_change")
        yield
        op.execute("ALTER TABLE hand_version ENABLE TRIGGER hand_version_no_change")
        return
    trigger = "hand_version_no_update"
    query = sa.text("SELECT sql FROM sqlite_master WHERE type = 'trigger' AND name = :name")
    definition = bind.execute(query, {"name": trigger}).scalar_one()
    op.execute(f"DROP TRIGGER {trigger}")
    yield
    op.execute(definition)
