"""Create the tables of clubs, players, sessions, hands and the journal, with triggers that protect them.

Revision: 0001; follows nothing.
"""

from typing import Any

import sqlalchemy as sa
from alembic import op

from ledger.database.models import UTCDateTime

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None
rolling = False  # no server before this one accepts another revision

GUARDED = ("journal_entry", "posting", "hand_version")


def upgrade() -> None:
    op.create_table(
        "club",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("name_key", sa.String(), nullable=False),
        sa.Column("passcode_hash", sa.String(), nullable=False),
        sa.Column("viewer_key", sa.String(), nullable=False),
        sa.Column("devices_epoch", sa.Integer(), nullable=False),
        sa.Column("created_at", UTCDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_club"),
        sa.UniqueConstraint("name_key", name="uq_club_name_key"),
        sa.UniqueConstraint("viewer_key", name="uq_club_viewer_key"),
    )
    _owned(
        "player",
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("name_key", sa.String(), nullable=False),
        sa.Column("created_at", UTCDateTime(), nullable=False),
        sa.UniqueConstraint("club_id", "name_key", name="uq_player_club_id_name_key"),
    )
    _owned(
        "api_token",
        sa.Column("label", sa.String(), nullable=False),
        sa.Column("role", sa.String(), nullable=False),
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("created_at", UTCDateTime(), nullable=False),
        sa.Column("revoked_at", UTCDateTime(), nullable=True),
        sa.UniqueConstraint("digest", name="uq_api_token_digest"),
    )
    _owned(
        "written_answer",
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("fingerprint", sa.String(), nullable=False),
        sa.Column("answer", sa.JSON(), nullable=False),
        sa.Column("created_at", UTCDateTime(), nullable=False),
        sa.UniqueConstraint("club_id", "key", name="uq_written_answer_club_id_key"),
    )
    _owned(
        "play_session",
        sa.Column("title", sa.String(), nullable=False),
        sa.Column("started_on", sa.Date(), nullable=False),
        sa.Column("game", sa.String(), nullable=False),
        sa.Column("variant", sa.String(), nullable=True),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("hands_dealt", sa.Integer(), nullable=False),
        sa.Column("first_dealer", sa.Integer(), nullable=False),
        sa.Column("created_at", UTCDateTime(), nullable=False),
        sa.Column("closed_at", UTCDateTime(), nullable=True),
    )
    _owned(
        "seat",
        _reference("seat", "session_id", "play_session"),
        _reference("seat", "player_id", "player"),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.UniqueConstraint("session_id", "player_id", name="uq_seat_session_id_player_id"),
        sa.UniqueConstraint("session_id", "position", name="uq_seat_session_id_position"),
    )
    _owned(
        "hand",
        _reference("hand", "session_id", "play_session"),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.UniqueConstraint("session_id", "number", name="uq_hand_session_id_number"),
    )
    _owned(
        "account",
        _reference("account", "session_id", "play_session"),
        sa.Column("kind", sa.String(), nullable=False),
        _reference("account", "seat_id", "seat", nullable=True),
        sa.Column("unit", sa.String(), nullable=False),
        sa.Column("balance", sa.BigInteger(), nullable=False),
        sa.UniqueConstraint(
            "session_id", "kind", "seat_id", name="uq_account_session_id_kind_seat_id"
        ),
    )
    _owned(
        "journal_entry",
        _reference("journal_entry", "session_id", "play_session"),
        sa.Column("kind", sa.String(), nullable=False),
        _reference("journal_entry", "hand_id", "hand", nullable=True),
        _reference("journal_entry", "reverses_id", "journal_entry", nullable=True, index=False),
        sa.Column("author", sa.String(), nullable=False),
        sa.Column("reason", sa.String(), nullable=True),
        sa.Column("occurred_at", UTCDateTime(), nullable=False),
        sa.Column("entered_at", UTCDateTime(), nullable=False),
        sa.Column("previous_digest", sa.String(), nullable=False),
        sa.Column("digest", sa.String(), nullable=False),
        sa.UniqueConstraint("reverses_id", name="uq_journal_entry_reverses_id"),
        sa.UniqueConstraint("digest", name="uq_journal_entry_digest"),
    )
    _owned(
        "posting",
        _reference("posting", "entry_id", "journal_entry"),
        _reference("posting", "account_id", "account"),
        sa.Column("amount", sa.BigInteger(), nullable=False),
        sa.Column("balance", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("amount <> 0", name="ck_posting_amount_moves"),
    )
    _owned(
        "hand_version",
        _reference("hand_version", "session_id", "play_session"),
        _reference("hand_version", "hand_id", "hand"),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("action", sa.String(), nullable=False),
        sa.Column("record", sa.JSON(), nullable=False),
        sa.Column("verdict", sa.JSON(), nullable=False),
        sa.Column("seat_ids", sa.JSON(), nullable=False),
        sa.Column("engine_version", sa.String(), nullable=False),
        _reference("hand_version", "entry_id", "journal_entry", nullable=True),
        sa.Column("reason", sa.String(), nullable=True),
        sa.Column("author", sa.String(), nullable=False),
        sa.Column("played_at", UTCDateTime(), nullable=False),
        sa.Column("entered_at", UTCDateTime(), nullable=False),
        sa.UniqueConstraint("hand_id", "version", name="uq_hand_version_hand_id_version"),
    )
    for table in GUARDED:
        _guard(table)


def downgrade() -> None:
    for table in GUARDED:
        _unguard(table)
    for table in (
        "hand_version",
        "posting",
        "journal_entry",
        "account",
        "hand",
        "seat",
        "play_session",
        "written_answer",
        "api_token",
        "player",
        "club",
    ):
        op.drop_table(table)
    if op.get_bind().dialect.name == "postgresql":
        op.execute("DROP FUNCTION books_only_grow()")


def _owned(table: str, *parts: sa.Column[Any] | sa.Constraint) -> None:
    """Create a table of a club's data, and an index for each foreign key."""
    op.create_table(
        table,
        sa.Column("id", sa.Integer(), nullable=False),
        _reference(table, "club_id", "club"),
        *parts,
        sa.PrimaryKeyConstraint("id", name=f"pk_{table}"),
    )
    indexed = [part.name for part in parts if isinstance(part, sa.Column) and part.info.get("ix")]
    for column in ("club_id", *indexed):
        op.create_index(f"ix_{table}_{column}", table, [column])


def _reference(
    table: str, column: str, target: str, *, nullable: bool = False, index: bool = True
) -> sa.Column[int]:
    name = f"fk_{table}_{column}_{target}"
    key = sa.ForeignKey(f"{target}.id", name=name)
    return sa.Column(column, sa.Integer(), key, nullable=nullable, info={"ix": index})


def _guard(table: str) -> None:
    """Make the database reject every change of existing rows."""
    if op.get_bind().dialect.name == "sqlite":
        for verb in ("UPDATE", "DELETE"):
            op.execute(
                f"CREATE TRIGGER {table}_no_{verb.lower()} BEFORE {verb} ON {table} "
                f"BEGIN SELECT RAISE(ABORT, 'the books only grow: no {verb} on {table}'); END"
            )
        return
    op.execute(
        "CREATE OR REPLACE FUNCTION books_only_grow() RETURNS trigger LANGUAGE plpgsql AS $$ "
        "BEGIN RAISE EXCEPTION 'the books only grow: no % on %', TG_OP, TG_TABLE_NAME; END $$"
    )
    op.execute(
        f"CREATE TRIGGER {table}_no_change BEFORE UPDATE OR DELETE OR TRUNCATE ON {table} "
        "FOR EACH STATEMENT EXECUTE FUNCTION books_only_grow()"
    )


def _unguard(table: str) -> None:
    if op.get_bind().dialect.name == "sqlite":
        for verb in ("update", "delete"):
            op.execute(f"DROP TRIGGER {table}_no_{verb}")
    else:
        op.execute(f"DROP TRIGGER {table}_no_change ON {table}")
