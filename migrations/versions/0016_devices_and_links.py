"""Create tables for devices, links and the log of a club; store only digests of keys.

Revision: 0016; follows 0015. A club's viewer link keeps working; from now on only its digest is stored. A
downgrade makes a new viewer link for each club, as the old key can't be recovered, and turns owners' tokens
into scorers'. SQLite rebuilds a table to change a constraint.
"""

import hashlib
import secrets
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import orjson
import sqlalchemy as sa
from alembic import op

from ledger.database.models import UTCDateTime

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None
rolling = False  # no server before this one accepts another revision

CREATED_AT: "sa.ColumnClause[datetime]" = sa.column("created_at", sa.DateTime(timezone=True))
OLD, NEW = ("scorer", "viewer"), ("owner", "scorer", "viewer")
EVENTS = (
    *("refused-passcode", "passcode-changed", "device-in", "device-left", "device-revoked"),
    *("role-changed", "link-made", "link-revoked", "token-made", "token-revoked"),
)

ENTRY = sa.table(
    "journal_entry",
    *map(sa.column, ("id", "club_id", "kind", "author", "previous_digest", "digest")),
    sa.column("details", sa.JSON),
    sa.column("occurred_at", UTCDateTime),
    sa.column("entered_at", UTCDateTime),
    sa.column("signature", sa.LargeBinary),
)


def _in_list(column: str, words: tuple[str, ...]) -> str:
    return f"{column} IN ({', '.join(map(repr, words))})"


def _moment(name: str, *, nullable: bool = False) -> "sa.Column[datetime]":
    return sa.Column(name, sa.DateTime(timezone=True), nullable=nullable)


def _text(name: str, *, nullable: bool = False) -> "sa.Column[str]":
    return sa.Column(name, sa.String(), nullable=nullable)


def _table(
    name: str, *columns: "sa.Column[Any]", role: str = "role", words: tuple[str, ...] = NEW
) -> None:
    op.create_table(
        name,
        sa.Column("club_id", sa.Integer(), nullable=False),
        sa.Column("id", sa.Integer(), nullable=False),
        _text(role),
        *columns,
        *([sa.UniqueConstraint("digest", name=f"uq_{name}_digest")] if role == "role" else []),
        sa.CheckConstraint(_in_list(role, words), name=op.f(f"ck_{name}_{role}_known")),
        sa.ForeignKeyConstraint(["club_id"], ["club.id"], name=f"fk_{name}_club_id_club"),
        sa.PrimaryKeyConstraint("id", name=f"pk_{name}"),
    )


def upgrade() -> None:
    _table(
        "link",
        _text("nonce", nullable=True),
        _text("digest"),
        _text("made_by"),
        _moment("created_at"),
        _moment("expires_at", nullable=True),
        _moment("revoked_at", nullable=True),
    )
    _table(
        "device",
        _text("author"),
        _text("kind"),
        _text("digest"),
        sa.Column("epoch", sa.Integer(), nullable=False),
        sa.Column(
            "link_id",
            sa.Integer(),
            sa.ForeignKey("link.id", name="fk_device_link_id_link"),
            nullable=True,
        ),
        _text("network"),
        _moment("created_at"),
        _moment("last_used_at"),
        _moment("revoked_at", nullable=True),
    )
    _table(
        "security_event",
        _moment("at"),
        _text("who"),
        _text("what"),
        _text("network"),
        sa.Column("times", sa.Integer(), nullable=False),
        role="kind",
        words=EVENTS,
    )
    for table in ("link", "device"):
        op.create_index(f"ix_{table}_club_id", table, ["club_id"])
    op.create_index("ix_security_event_club_id", "security_event", ["club_id", "kind"])
    with op.batch_alter_table("api_token") as token:
        token.add_column(_moment("expires_at", nullable=True))
        token.add_column(_moment("last_used_at", nullable=True))
        token.drop_constraint(op.f("ck_api_token_role_known"), type_="check")
        token.create_check_constraint(
            op.f("ck_api_token_role_known"), sa.text(_in_list("role", NEW))
        )
    _keep_viewer_links()
    with op.batch_alter_table("club") as club:
        club.drop_constraint("uq_club_viewer_key", type_="unique")
        club.drop_column("viewer_key")


def _keep_viewer_links() -> None:
    """Store each club's viewer link as a row that is valid until it is revoked."""
    bind = op.get_bind()
    links = sa.table(
        "link",
        *map(sa.column, ("club_id", "role", "digest", "made_by")),
        sa.column("created_at", sa.DateTime(timezone=True)),
    )
    query: Any = sa.select(sa.column("id"), sa.column("viewer_key"), CREATED_AT)
    for club_id, key, created_at in bind.execute(query.select_from(sa.table("club"))).all():
        values = {"digest": _digest(key), "created_at": created_at}
        made_by = "an earlier version"
        bind.execute(
            links.insert().values(club_id=club_id, role="viewer", made_by=made_by, **values)
        )


def _digest(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()


def downgrade() -> None:
    with op.batch_alter_table("club") as club:
        club.add_column(_text("viewer_key", nullable=True))
    bind = op.get_bind()
    for (club_id,) in bind.execute(sa.text("SELECT id FROM club")).all():
        change = sa.text("UPDATE club SET viewer_key = :key WHERE id = :id")
        bind.execute(change.bindparams(key=secrets.token_urlsafe(16), id=club_id))
    with op.batch_alter_table("club") as club:
        club.alter_column("viewer_key", existing_type=sa.String(), nullable=False)
        club.create_unique_constraint("uq_club_viewer_key", ["viewer_key"])
    owners = bind.execute(sa.text("SELECT id, club_id FROM api_token WHERE role = 'owner'")).all()
    op.execute("UPDATE api_token SET role = 'scorer' WHERE role = 'owner'")
    for token_id, club_id in owners:
        _enter(club_id, {f"api_token/{token_id}": {"role": "scorer"}})
    with op.batch_alter_table("api_token") as token:
        token.drop_constraint(op.f("ck_api_token_role_known"), type_="check")
        token.create_check_constraint(
            op.f("ck_api_token_role_known"), sa.text(_in_list("role", OLD))
        )
        token.drop_column("last_used_at")
        token.drop_column("expires_at")
    for table in ("security_event", "device", "link"):
        op.drop_table(table)


def _enter(club_id: int, rows: Mapping[str, Any]) -> None:
    """Write a register entry of changed rows, signed if the connection has a signer."""
    bind, at = op.get_bind(), datetime.now(UTC)
    last = sa.select(ENTRY.c.digest).where(ENTRY.c.club_id == club_id).order_by(ENTRY.c.id.desc())
    previous = bind.scalar(last.limit(1)) or "0" * 64
    content: list[Any] = [previous, None, "register", None, None, "solo-ledger", None, at, at, []]
    options = orjson.OPT_NON_STR_KEYS | orjson.OPT_SORT_KEYS
    sealed = orjson.dumps([*content, [("rows", rows)]], option=options)
    digest = hashlib.sha256(sealed).hexdigest()
    sign = bind.get_execution_options().get("ledger_sign")
    entry: dict[str, Any] = {"club_id": club_id, "kind": "register", "author": "solo-ledger"}
    entry |= {"details": {"rows": rows}, "occurred_at": at, "entered_at": at}
    entry |= {"previous_digest": previous, "digest": digest}
    entry["signature"] = sign(club_id, digest) if sign else None
    bind.execute(sa.insert(ENTRY), entry)
