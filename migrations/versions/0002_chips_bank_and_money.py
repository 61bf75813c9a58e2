"""Chips, bank and money: accounts of every kind, seats that come and go, sums kept beside the books.

Revision: 0002; follows 0001. Books already kept get their accounts' keys and their sums: both
follow from what is written in them.
"""

import json
from collections import Counter
from collections.abc import Iterator
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
        seat.add_column(
            sa.Column("state", sa.String(), nullable=False, server_default="playing")
        )
        seat.add_column(
            sa.Column("advanced", sa.BigInteger(), nullable=False, server_default="0")
        )
        for column in ("hands_bid", "hands_won"):
            seat.add_column(sa.Column(column, sa.Integer(), nullable=False, server_default="0"))
    with op.batch_alter_table("seat") as seat:
        for column in ("state", "advanced", "hands_bid", "hands_won"):
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
    _each_trigger(_unguard)
    _open_accounts()
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
        for column in ("hands_won", "hands_bid", "advanced", "state"):
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


def _name_the_accounts() -> None:
    op.execute(
        "UPDATE account SET key = CASE WHEN seat_id IS NULL "
        "THEN 'session/' || session_id || '/' || kind ELSE 'seat/' || seat_id END"
    )


def _create_sums() -> None:
    owned = (
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("club_id", sa.Integer(), nullable=False),
    )
    hand = ("hand_id", "hand")
    seat = ("seat_id", "seat")
    player = ("player_id", "player")
    session = ("session_id", "play_session")
    tables: dict[str, tuple[list[tuple[str, str]], list[sa.SchemaItem]]] = {
        "result": (
            [hand, seat, player],
            [
                sa.Column("amount", sa.BigInteger(), nullable=False),
                sa.UniqueConstraint("hand_id", "seat_id", name="uq_result_hand_id_seat_id"),
            ],
        ),
        "tally": (
            [player],
            [
                *(sa.Column(name, sa.String(), nullable=False) for name in ("game", "bid", "side")),
                *(
                    sa.Column(name, sa.Integer(), nullable=False)
                    for name in ("hands", "won", "lost", "tied")
                ),
                sa.Column("total", sa.BigInteger(), nullable=False),
                sa.UniqueConstraint(
                    "player_id", "game", "bid", "side", name="uq_tally_player_id_game_bid_side"
                ),
            ],
        ),
        "versus": (
            [("payer_id", "player"), ("payee_id", "player")],
            [
                sa.Column("hands", sa.Integer(), nullable=False),
                sa.Column("amount", sa.BigInteger(), nullable=False),
                sa.UniqueConstraint("payer_id", "payee_id", name="uq_versus_payer_id_payee_id"),
            ],
        ),
        "chip_count": (
            [session, seat],
            [
                sa.Column("pieces", sa.JSON(), nullable=False),
                sa.Column("counted", sa.BigInteger(), nullable=False),
                sa.Column("expected", sa.BigInteger(), nullable=False),
                sa.Column("entry_id", sa.Integer(), nullable=True),
                sa.Column("author", sa.String(), nullable=False),
                sa.Column("counted_at", UTCDateTime(), nullable=False),
                sa.ForeignKeyConstraint(
                    ["entry_id"], ["journal_entry.id"], name="fk_chip_count_entry_id_journal_entry"
                ),
            ],
        ),
    }
    for table, (references, rest) in tables.items():
        op.create_table(
            table,
            *(column.copy() for column in owned),
            *(sa.Column(column, sa.Integer(), nullable=False) for column, _ in references),
            *rest,
            sa.PrimaryKeyConstraint("id", name=f"pk_{table}"),
            *(
                sa.ForeignKeyConstraint([column], [f"{to}.id"], name=f"fk_{table}_{column}_{to}")
                for column, to in [("club_id", "club"), *references]
            ),
        )
        op.create_index(f"ix_{table}_club_id", table, ["club_id"])
    for table, column in (
        ("result", "hand_id"),
        ("result", "seat_id"),
        ("versus", "payee_id"),
        ("chip_count", "session_id"),
        ("chip_count", "seat_id"),
        ("chip_count", "entry_id"),
    ):
        op.create_index(f"ix_{table}_{column}", table, [column])
    op.create_index("ix_result_player_id_amount", "result", ["player_id", "amount"])


def _add_up_the_hands() -> None:
    """Enter results, tallies and head to head of every standing hand; count bids and wins a seat."""
    bind = op.get_bind()
    players = dict(bind.execute(sa.text("SELECT id, player_id FROM seat")).tuples().all())
    tallies: dict[tuple[int, int, str, str, str], Counter[str]] = {}
    versus: dict[tuple[int, int, int], Counter[str]] = {}
    bid_seats: Counter[int] = Counter()
    won_seats: Counter[int] = Counter()
    for club_id, hand_id, record, verdict, seat_ids in _standing(bind):
        seats = dict(zip(record["players"], seat_ids, strict=True))
        bid = record.get("contract", {}).get("bid", "pass")
        outcome = verdict["outcome"]
        for name, seat_id in seats.items():
            amount = verdict["deltas"][name]
            bind.execute(
                sa.text(
                    "INSERT INTO result (club_id, hand_id, seat_id, player_id, amount) "
                    "VALUES (:club, :hand, :seat, :player, :amount)"
                ),
                {
                    "club": club_id,
                    "hand": hand_id,
                    "seat": seat_id,
                    "player": players[seat_id],
                    "amount": amount,
                },
            )
            side = _side(name, record, verdict)
            key = (club_id, players[seat_id], record["game"], bid, side)
            tallies.setdefault(key, Counter()).update(
                {"hands": 1, "total": amount, **({outcome: 1} if outcome in _ENDS else {})}
            )
        if verdict["bidder"] is not None:
            bid_seats[seats[verdict["bidder"]]] += 1
            won_seats[seats[verdict["bidder"]]] += outcome == "won"
        for paid in verdict["transfers"]:
            key2 = (club_id, players[seats[paid["from"]]], players[seats[paid["to"]]])
            versus.setdefault(key2, Counter()).update({"hands": 1, "amount": paid["amount"]})
    for (club_id, player, game, bid, side), sums in tallies.items():
        bind.execute(
            sa.text(
                "INSERT INTO tally (club_id, player_id, game, bid, side, hands, won, lost, tied, total) "
                "VALUES (:club, :player, :game, :bid, :side, :hands, :won, :lost, :tied, :total)"
            ),
            {
                "club": club_id,
                "player": player,
                "game": game,
                "bid": bid,
                "side": side,
                **{name: sums[name] for name in ("hands", "won", "lost", "tied", "total")},
            },
        )
    for (club_id, payer, payee), sums in versus.items():
        bind.execute(
            sa.text(
                "INSERT INTO versus (club_id, payer_id, payee_id, hands, amount) "
                "VALUES (:club, :payer, :payee, :hands, :amount)"
            ),
            {
                "club": club_id,
                "payer": payer,
                "payee": payee,
                "hands": sums["hands"],
                "amount": sums["amount"],
            },
        )
    for seat_id, hands in bid_seats.items():
        bind.execute(
            sa.text("UPDATE seat SET hands_bid = :bid, hands_won = :won WHERE id = :seat"),
            {"bid": hands, "won": won_seats[seat_id], "seat": seat_id},
        )


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
