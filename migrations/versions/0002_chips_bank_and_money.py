"""Chips, bank and money: accounts of every kind, seats that come and go, sums kept beside the books.

Revision: 0002; follows 0001. Books already kept get their accounts' keys and their sums: both
follow from what is written in them.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from typing import Any

import sqlalchemy as sa
from alembic import op

from ledger.models import UTCDateTime

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

GUARDED = ("journal_entry", "posting", "hand_version")
SUMS = ("chip_count", "versus", "tally", "result")


def upgrade() -> None:
    _each_trigger(_unguard)
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
        for column in ("hands_bid", "hands_won"):
            seat.add_column(sa.Column(column, sa.Integer(), nullable=False, server_default="0"))
    with op.batch_alter_table("seat") as seat:
        for column in ("state", "advanced", "converted", "hands_bid", "hands_won"):
            seat.alter_column(column, server_default=None)
    with op.batch_alter_table("account") as account:
        account.drop_constraint("uq_account_session_id_kind_seat_id", type_="unique")
        account.alter_column("session_id", existing_type=sa.Integer(), nullable=True)
        account.add_column(sa.Column("key", sa.String(), nullable=True))
        account.add_column(sa.Column("player_id", sa.Integer(), nullable=True))
        account.add_column(sa.Column("name", sa.String(), nullable=True))
        account.add_column(sa.Column("closed_at", UTCDateTime(), nullable=True))
    _name_the_accounts()
    with op.batch_alter_table("account") as account:
        account.alter_column("key", existing_type=sa.String(), nullable=False)
        account.create_unique_constraint("uq_account_club_id_key", ["club_id", "key"])
        account.create_foreign_key("fk_account_player_id_player", "player", ["player_id"], ["id"])
        account.create_index("ix_account_player_id", ["player_id"])
    with op.batch_alter_table("journal_entry") as entry:
        entry.alter_column("session_id", existing_type=sa.Integer(), nullable=True)
        entry.add_column(sa.Column("details", sa.JSON(), nullable=False, server_default="{}"))
    with op.batch_alter_table("journal_entry") as entry:
        entry.alter_column("details", existing_type=sa.JSON(), server_default=None)
    _create_sums()
    _add_up_the_hands()
    _each_trigger(_guard)
    _close_accounts()


def downgrade() -> None:
    _must_fit_the_older_books()
    _open_accounts()
    _each_trigger(_unguard)
    for table in SUMS:
        op.drop_table(table)
    with op.batch_alter_table("journal_entry") as entry:
        entry.drop_column("details")
        entry.alter_column("session_id", existing_type=sa.Integer(), nullable=False)
    with op.batch_alter_table("account") as account:
        account.drop_index("ix_account_player_id")
        account.drop_constraint("fk_account_player_id_player", type_="foreignkey")
        account.drop_constraint("uq_account_club_id_key", type_="unique")
        for column in ("closed_at", "name", "player_id", "key"):
            account.drop_column(column)
        account.alter_column("session_id", existing_type=sa.Integer(), nullable=False)
        account.create_unique_constraint(
            "uq_account_session_id_kind_seat_id", ["session_id", "kind", "seat_id"]
        )
    with op.batch_alter_table("seat") as seat:
        for column in ("hands_won", "hands_bid", "converted", "advanced", "state"):
            seat.drop_column(column)
        seat.create_unique_constraint("uq_seat_session_id_position", ["session_id", "position"])
        seat.create_unique_constraint("uq_seat_session_id_player_id", ["session_id", "player_id"])
    with op.batch_alter_table("play_session") as session:
        for column in ("rate_money", "rate_chips", "starting_stack"):
            session.drop_column(column)
    with op.batch_alter_table("club") as club:
        club.drop_column("denominations")
        club.drop_column("currency")
    _each_trigger(_guard)


_NEW_TO_THE_BOOKS = {
    "entries with chips or money": "SELECT 1 FROM journal_entry "
    "WHERE kind NOT IN ('hand', 'reversal', 'closing', 'reopening')",
    "pots or money accounts": "SELECT 1 FROM account WHERE kind NOT IN ('seat', 'world')",
    "seats that sit out or were left": "SELECT 1 FROM seat WHERE state <> 'playing'",
    "a stack or a rate": "SELECT 1 FROM play_session "
    "WHERE starting_stack <> 0 OR rate_chips IS NOT NULL",
    "chip counts": "SELECT 1 FROM chip_count",
}


def _must_fit_the_older_books() -> None:
    """Refuse to lose what the older books have no place for: entries can't be taken out of a chain."""
    bind = op.get_bind()
    for what, query in _NEW_TO_THE_BOOKS.items():
        if bind.execute(sa.text(f"{query} LIMIT 1")).first() is not None:
            raise RuntimeError(f"these books hold {what}: revision 0001 has no place for them")


def _each_trigger(act: Callable[[str], None]) -> None:
    """Put the guards down while tables are rebuilt (which drops SQLite's), and up again."""
    for table in GUARDED:
        act(table)


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


def _close_accounts() -> None:
    """Let the database itself refuse a posting to a closed account."""
    closed = "(SELECT closed_at FROM account WHERE id = NEW.account_id) IS NOT NULL"
    said = "a closed account takes no posting"
    if op.get_bind().dialect.name == "sqlite":
        op.execute(
            f"CREATE TRIGGER posting_open_account BEFORE INSERT ON posting WHEN {closed} "
            f"BEGIN SELECT RAISE(ABORT, '{said}'); END"
        )
        return
    op.execute(
        "CREATE FUNCTION books_open_account() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
        f"IF {closed} THEN RAISE EXCEPTION '{said}'; END IF; RETURN NEW; END $$"
    )
    op.execute(
        "CREATE TRIGGER posting_open_account BEFORE INSERT ON posting "
        "FOR EACH ROW EXECUTE FUNCTION books_open_account()"
    )


def _open_accounts() -> None:
    if op.get_bind().dialect.name == "sqlite":
        op.execute("DROP TRIGGER posting_open_account")
    else:
        op.execute("DROP TRIGGER posting_open_account ON posting")
        op.execute("DROP FUNCTION books_open_account()")


def _name_the_accounts() -> None:
    op.execute(
        "UPDATE account SET key = CASE WHEN seat_id IS NULL "
        "THEN 'session/' || session_id || '/' || kind ELSE 'seat/' || seat_id END"
    )


def _create_sums() -> None:
    _owned(
        "result",
        {"hand_id": "hand", "seat_id": "seat", "player_id": "player"},
        ("hand_id", "seat_id"),
        sa.Column("amount", sa.BigInteger(), nullable=False),
        sa.UniqueConstraint("hand_id", "seat_id", name="uq_result_hand_id_seat_id"),
    )
    op.create_index("ix_result_player_id_amount", "result", ["player_id", "amount"])
    _owned(
        "tally",
        {"player_id": "player"},
        (),
        *(sa.Column(name, sa.String(), nullable=False) for name in ("game", "bid", "side")),
        *(
            sa.Column(name, sa.Integer(), nullable=False)
            for name in ("hands", "won", "lost", "tied")
        ),
        sa.Column("total", sa.BigInteger(), nullable=False),
        sa.UniqueConstraint(
            "player_id", "game", "bid", "side", name="uq_tally_player_id_game_bid_side"
        ),
    )
    _owned(
        "versus",
        {"payer_id": "player", "payee_id": "player"},
        ("payee_id",),
        sa.Column("hands", sa.Integer(), nullable=False),
        sa.Column("amount", sa.BigInteger(), nullable=False),
        sa.UniqueConstraint("payer_id", "payee_id", name="uq_versus_payer_id_payee_id"),
    )
    entry = sa.ForeignKey("journal_entry.id", name="fk_chip_count_entry_id_journal_entry")
    _owned(
        "chip_count",
        {"session_id": "play_session", "seat_id": "seat"},
        ("session_id", "seat_id", "entry_id"),
        sa.Column("pieces", sa.JSON(), nullable=False),
        sa.Column("counted", sa.BigInteger(), nullable=False),
        sa.Column("expected", sa.BigInteger(), nullable=False),
        sa.Column("entry_id", sa.Integer(), entry, nullable=True),
        sa.Column("author", sa.String(), nullable=False),
        sa.Column("counted_at", UTCDateTime(), nullable=False),
    )


def _owned(
    table: str,
    references: dict[str, str],
    found_by: tuple[str, ...],
    *parts: sa.Column[Any] | sa.Constraint,
) -> None:
    """Create a table of a club's data that points at others, found by some of what it points at."""
    op.create_table(
        table,
        sa.Column("id", sa.Integer(), nullable=False),
        *(
            sa.Column(
                column,
                sa.Integer(),
                sa.ForeignKey(f"{to}.id", name=f"fk_{table}_{column}_{to}"),
                nullable=False,
            )
            for column, to in {"club_id": "club", **references}.items()
        ),
        *parts,
        sa.PrimaryKeyConstraint("id", name=f"pk_{table}"),
    )
    for column in ("club_id", *found_by):
        op.create_index(f"ix_{table}_{column}", table, [column])


def _add_up_the_hands() -> None:
    """Enter results, tallies and head to head of every standing hand; count bids and wins a seat."""
    bind = op.get_bind()
    found = bind.execute(sa.text("SELECT id, player_id FROM seat"))
    players = {row.id: row.player_id for row in found}
    tallies: dict[tuple[Any, ...], Counter[str]] = defaultdict(Counter)
    versus: dict[tuple[Any, ...], Counter[str]] = defaultdict(Counter)
    seats_bid: Counter[int] = Counter()
    seats_won: Counter[int] = Counter()
    for club_id, hand_id, record, verdict, seat_ids in _standing(bind):
        seats = dict(zip(record["players"], seat_ids, strict=True))
        bid = record.get("contract", {}).get("bid", "pass")
        outcome = verdict["outcome"]
        for name, seat_id in seats.items():
            player, amount = players[seat_id], verdict["deltas"][name]
            _insert(
                bind,
                "result",
                club_id=club_id,
                hand_id=hand_id,
                seat_id=seat_id,
                player_id=player,
                amount=amount,
            )
            sums = tallies[club_id, player, record["game"], bid, _side(name, record, verdict)]
            sums.update({"hands": 1, "total": amount})
            if outcome in _ENDS:
                sums[outcome] += 1
        if verdict["bidder"] is not None:
            seats_bid[seats[verdict["bidder"]]] += 1
            seats_won[seats[verdict["bidder"]]] += outcome == "won"
        for paid in verdict["transfers"]:
            payer, payee = players[seats[paid["from"]]], players[seats[paid["to"]]]
            versus[club_id, payer, payee].update({"hands": 1, "amount": paid["amount"]})
    for key, sums in tallies.items():
        owner = dict(zip(("club_id", "player_id", "game", "bid", "side"), key, strict=True))
        figures = {name: sums[name] for name in ("hands", *_ENDS, "total")}
        _insert(bind, "tally", **owner, **figures)
    for key, sums in versus.items():
        owner = dict(zip(("club_id", "payer_id", "payee_id"), key, strict=True))
        _insert(bind, "versus", **owner, **sums)
    for seat_id, hands in seats_bid.items():
        bind.execute(
            sa.text("UPDATE seat SET hands_bid = :bid, hands_won = :won WHERE id = :seat"),
            {"bid": hands, "won": seats_won[seat_id], "seat": seat_id},
        )


def _insert(bind: sa.Connection, table: str, **row: Any) -> None:
    columns = ", ".join(row)
    values = ", ".join(f":{column}" for column in row)
    bind.execute(sa.text(f"INSERT INTO {table} ({columns}) VALUES ({values})"), row)  # noqa: S608


_ENDS = ("won", "lost", "tied")


def _side(name: str, record: dict[str, Any], verdict: dict[str, Any]) -> str:
    if name == verdict["bidder"]:
        return "bidder"
    if name == verdict["partner"]:
        return "partner"
    return "opponent" if name in _active(record) else "idle"


def _active(record: dict[str, Any]) -> list[str]:
    """Who played: with more than three at a table of Six-Bid the next three from the dealer's left."""
    players = record["players"]
    if "active" in record:
        return list(record["active"])
    if record["game"] != "six-bid":
        return list(players)
    dealer = players.index(record["dealer"])
    return [players[(dealer + step) % len(players)] for step in (1, 2, 3)]


def _standing(
    bind: sa.Connection,
) -> Iterator[tuple[int, int, dict[str, Any], dict[str, Any], list[int]]]:
    rows = bind.execute(
        sa.text(
            "SELECT h.club_id, h.id, v.record, v.verdict, v.seat_ids FROM hand h "
            "JOIN hand_version v ON v.hand_id = h.id AND v.version = h.version "
            "WHERE h.state = 'standing' ORDER BY h.id"
        )
    ).all()
    for club_id, hand_id, *documents in rows:
        record, verdict, seat_ids = (
            json.loads(each) if isinstance(each, str) else each for each in documents
        )
        yield club_id, hand_id, record, verdict, seat_ids
