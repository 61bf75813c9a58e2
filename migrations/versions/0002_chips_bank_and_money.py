"""Add chips, the bank and money: accounts of every kind, and seats that players take and leave.

Revision: 0002; follows 0001. Existing accounts get their keys.
"""

from collections.abc import Callable

import sqlalchemy as sa
from alembic import op

from ledger.database.models import UTCDateTime

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None
rolling = False  # no server before this one accepts another revision

GUARDED = ("journal_entry", "posting", "hand_version")


def upgrade() -> None:
    _for_each_protected_table(_unguard)
    with op.batch_alter_table("club") as club:
        club.add_column(sa.Column("currency", sa.String(), nullable=False, server_default="EUR"))
        club.add_column(
            sa.Column("denominations", sa.JSON(), nullable=False, server_default="[5, 20, 30]")
        )
    with op.batch_alter_table("club") as club:
        club.alter_column("currency", existing_type=sa.String(), server_default=None)
        club.alter_column("denominations", existing_type=sa.JSON(), server_default=None)
    with op.batch_alter_table("play_session") as session:
        session.add_column(
            sa.Column("starting_stack", sa.Integer(), nullable=False, server_default="0")
        )
        session.add_column(sa.Column("rate_chips", sa.Integer(), nullable=True))
        session.add_column(sa.Column("rate_money", sa.Integer(), nullable=True))
    with op.batch_alter_table("play_session") as session:
        session.alter_column("starting_stack", existing_type=sa.Integer(), server_default=None)
    with op.batch_alter_table("seat") as seat:
        seat.drop_constraint("uq_seat_session_id_player_id", type_="unique")
        seat.drop_constraint("uq_seat_session_id_position", type_="unique")
        seat.add_column(sa.Column("state", sa.String(), nullable=False, server_default="playing"))
        seat.add_column(sa.Column("advanced", sa.BigInteger(), nullable=False, server_default="0"))
        seat.add_column(sa.Column("converted", sa.BigInteger(), nullable=False, server_default="0"))
    with op.batch_alter_table("seat") as seat:
        for column in ("state", "advanced", "converted"):
            seat.alter_column(column, server_default=None)
    with op.batch_alter_table("account") as account:
        account.drop_constraint("uq_account_session_id_kind_seat_id", type_="unique")
        account.alter_column("session_id", existing_type=sa.Integer(), nullable=True)
        account.add_column(sa.Column("key", sa.String(), nullable=True))
        account.add_column(sa.Column("player_id", sa.Integer(), nullable=True))
        account.add_column(sa.Column("name", sa.String(), nullable=True))
        account.add_column(sa.Column("closed_at", UTCDateTime(), nullable=True))
    _set_account_keys()
    with op.batch_alter_table("account") as account:
        account.alter_column("key", existing_type=sa.String(), nullable=False)
        account.create_unique_constraint("uq_account_key_club_id", ["key", "club_id"])
        account.create_foreign_key("fk_account_player_id_player", "player", ["player_id"], ["id"])
        account.create_index("ix_account_player_id", ["player_id"])
    with op.batch_alter_table("journal_entry") as entry:
        entry.alter_column("session_id", existing_type=sa.Integer(), nullable=True)
        entry.add_column(sa.Column("details", sa.JSON(), nullable=False, server_default="{}"))
    with op.batch_alter_table("journal_entry") as entry:
        entry.alter_column("details", existing_type=sa.JSON(), server_default=None)
    _for_each_protected_table(_guard)
    _protect_closed_accounts()


def downgrade() -> None:
    _must_fit_revision_0001()
    _unprotect_closed_accounts()
    _for_each_protected_table(_unguard)
    with op.batch_alter_table("journal_entry") as entry:
        entry.drop_column("details")
        entry.alter_column("session_id", existing_type=sa.Integer(), nullable=False)
    with op.batch_alter_table("account") as account:
        account.drop_index("ix_account_player_id")
        account.drop_constraint("fk_account_player_id_player", type_="foreignkey")
        account.drop_constraint("uq_account_key_club_id", type_="unique")
        for column in ("closed_at", "name", "player_id", "key"):
            account.drop_column(column)
        account.alter_column("session_id", existing_type=sa.Integer(), nullable=False)
        account.create_unique_constraint(
            "uq_account_session_id_kind_seat_id", ["session_id", "kind", "seat_id"]
        )
    with op.batch_alter_table("seat") as seat:
        for column in ("converted", "advanced", "state"):
            seat.drop_column(column)
        seat.create_unique_constraint("uq_seat_session_id_position", ["session_id", "position"])
        seat.create_unique_constraint("uq_seat_session_id_player_id", ["session_id", "player_id"])
    with op.batch_alter_table("play_session") as session:
        for column in ("rate_money", "rate_chips", "starting_stack"):
            session.drop_column(column)
    with op.batch_alter_table("club") as club:
        club.drop_column("denominations")
        club.drop_column("currency")
    _for_each_protected_table(_guard)


_NEW = {
    "entries with chips or money": "SELECT 1 FROM journal_entry "
    "WHERE kind NOT IN ('hand', 'reversal', 'closing', 'reopening')",
    "pots or money accounts": "SELECT 1 FROM account WHERE kind NOT IN ('seat', 'world')",
    "seats that sit out or were left": "SELECT 1 FROM seat WHERE state <> 'playing'",
    "a stack or a rate": "SELECT 1 FROM play_session "
    "WHERE starting_stack <> 0 OR rate_chips IS NOT NULL",
}


def _must_fit_revision_0001() -> None:
    """Raise if revision 0001 has no place for some rows: entries can't be removed from a chain."""
    bind = op.get_bind()
    for contents, query in _NEW.items():
        if bind.execute(sa.text(f"{query} LIMIT 1")).first() is not None:
            raise RuntimeError(f"these books hold {contents}: revision 0001 has no place for them")


def _for_each_protected_table(change: Callable[[str], None]) -> None:
    """Call a function for each protected table: rebuilding a table drops SQLite's triggers."""
    for table in GUARDED:
        change(table)


def _guard(table: str) -> None:
    if op.get_bind().dialect.name == "sqlite":
        for verb in ("UPDATE", "DELETE"):
            op.execute(
                f"CREATE TRIGGER {table}_no_{verb.lower()} BEFORE {verb} ON {table} "
                f"BEGIN SELECT RAISE(ABORT, 'the books only grow: no {verb} on {table}'); END"
            )
    else:
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


def _protect_closed_accounts() -> None:
    """Make the database reject a posting to a closed account."""
    closed = "(SELECT closed_at FROM account WHERE id = NEW.account_id) IS NOT NULL"
    message = "a closed account takes no posting"
    if op.get_bind().dialect.name == "sqlite":
        op.execute(
            f"CREATE TRIGGER posting_open_account BEFORE INSERT ON posting WHEN {closed} "
            f"BEGIN SELECT RAISE(ABORT, '{message}'); END"
        )
        return
    op.execute(
        "CREATE FUNCTION books_open_account() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
        f"IF {closed} THEN RAISE EXCEPTION '{message}'; END IF; RETURN NEW; END $$"
    )
    op.execute(
        "CREATE TRIGGER posting_open_account BEFORE INSERT ON posting "
        "FOR EACH ROW EXECUTE FUNCTION books_open_account()"
    )


def _unprotect_closed_accounts() -> None:
    if op.get_bind().dialect.name == "sqlite":
        op.execute("DROP TRIGGER posting_open_account")
    else:
        op.execute("DROP TRIGGER posting_open_account ON posting")
        op.execute("DROP FUNCTION books_open_account()")


def _set_account_keys() -> None:
    op.execute(
        "UPDATE account SET key = CASE WHEN seat_id IS NULL "
        "THEN 'session/' || session_id || '/' || kind ELSE 'seat/' || seat_id END"
    )
