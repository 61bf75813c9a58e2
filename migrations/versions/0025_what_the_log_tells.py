"""Store the values of each line of a club's log in a column, and render its sentence when it is read.

Revision: 0025; follows 0024. Until now a line was stored as an English sentence. Its values are taken
from it by the sentences that earlier releases wrote; a sentence that none of them wrote is stored as text.
"""

import re
from collections.abc import Mapping
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None
rolling = False  # no server before this one accepts another revision

SENTENCES: Mapping[str, str] = {
    "refused-passcode": "from {network}",
    "passcode-changed": "",
    "device-in": "{kind}, as {role}",
    "device-left": "{author}'s {kind}",
    "device-revoked": "{author}'s {kind}",
    "role-changed": "{author}'s {kind}: {before}, now {role}",
    "link-made": "{role}'s link, for {lasts}",
    "link-revoked": "{role}'s link",
    "token-made": "“{label}”, a {role}'s",
    "token-revoked": "“{label}”",
}
LIFETIMES: Mapping[str, str] = {
    "hour": "an hour",
    "evening": "12 hours",
    "week": "a week",
    "month": "30 days",
    "year": "a year",
}
EVENT = sa.table(
    "security_event",
    *map(sa.column, ("id", "kind", "what")),
    sa.column("details", sa.JSON()),
)


def upgrade() -> None:
    op.add_column("security_event", sa.Column("details", sa.JSON(), nullable=True))
    bind = op.get_bind()
    rows = bind.execute(sa.select(EVENT.c.id, EVENT.c.kind, EVENT.c.what)).all()
    _set("details", [{"row": number, "value": _values(*line)} for number, *line in rows])
    with op.batch_alter_table("security_event") as event:
        event.alter_column("details", existing_type=sa.JSON(), nullable=False)
        event.drop_column("what")


def downgrade() -> None:
    op.add_column("security_event", sa.Column("what", sa.String(), nullable=True))
    bind = op.get_bind()
    rows = bind.execute(sa.select(EVENT.c.id, EVENT.c.kind, EVENT.c.details)).all()
    _set("what", [{"row": number, "value": _sentence(*line)} for number, *line in rows])
    with op.batch_alter_table("security_event") as event:
        event.alter_column("what", existing_type=sa.String(), nullable=False)
        event.drop_column("details")


def _set(column: str, rows: list[dict[str, Any]]) -> None:
    if rows:
        change = sa.update(EVENT).where(EVENT.c.id == sa.bindparam("row"))
        op.get_bind().execute(change.values({column: sa.bindparam("value")}), rows)


def _values(kind: str, what: str) -> dict[str, str]:
    """Return the values in a line's sentence, or the sentence as ``text`` if no release wrote it."""
    pattern = re.sub(r"\{(\w+)\}", r"(?P<\1>.+)", SENTENCES[kind])
    found = re.fullmatch(pattern, what, re.DOTALL)
    if found is None:
        return {"text": what}
    values = found.groupdict()
    if "lasts" in values:
        names = {words: name for name, words in LIFETIMES.items()}
        values["lasts"] = names.get(values["lasts"], values["lasts"])
    return values if _sentence(kind, values) == what else {"text": what}


def _sentence(kind: str, values: Mapping[str, str]) -> str:
    """Return a line's sentence as earlier releases stored it."""
    if "text" in values:
        return values["text"]
    lasts = {"lasts": LIFETIMES.get(values["lasts"], values["lasts"])} if "lasts" in values else {}
    return SENTENCES[kind].format(**{**values, **lasts})
