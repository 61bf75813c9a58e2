"""Add derived sums: results, tallies, head to head, bids and wins of each seat; add chip counts.

Revision: 0003; follows 0002a. The sums of existing hands are computed from their records and verdicts. The
active players are found by a rule in this file, not by the engine: an upgrade must give the same sums in any
later release, whatever its games are. A hand with invalid JSON adds nothing.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Any

import sqlalchemy as sa
from alembic import op

from ledger.database.models import UTCDateTime

revision = "0003"
down_revision = "0002a"
branch_labels = None
depends_on = None
rolling = False  # no server before this one accepts another revision

SUMS = ("chip_count", "versus", "tally", "result")


def upgrade() -> None:
    with op.batch_alter_table("seat") as seat:
        for column in ("hands_bid", "hands_won"):
            seat.add_column(sa.Column(column, sa.Integer(), nullable=False, server_default="0"))
    with op.batch_alter_table("seat") as seat:
        for column in ("hands_bid", "hands_won"):
            seat.alter_column(column, existing_type=sa.Integer(), server_default=None)
    _create_sums()
    _add_up_the_hands()


def downgrade() -> None:
    if op.get_bind().execute(sa.text("SELECT 1 FROM chip_count LIMIT 1")).first() is not None:
        raise RuntimeError("these books hold chip counts: revision 0002 has no place for them")
    for table in SUMS:
        op.drop_table(table)
    with op.batch_alter_table("seat") as seat:
        for column in ("hands_won", "hands_bid"):
            seat.drop_column(column)


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
    indexed: tuple[str, ...],
    *parts: sa.Column[Any] | sa.Constraint,
) -> None:
    """Create a table of a club's data with foreign keys, some of them indexed."""
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
    for column in ("club_id", *indexed):
        op.create_index(f"ix_{table}_{column}", table, [column])


def _add_up_the_hands() -> None:
    """Write results, tallies and head to head of every standing hand, and each seat's bids and wins."""
    bind = op.get_bind()
    rows = bind.execute(sa.text("SELECT id, player_id FROM seat"))
    players = {row.id: row.player_id for row in rows}
    tallies: dict[tuple[Any, ...], Counter[str]] = defaultdict(Counter)
    versus: dict[tuple[Any, ...], Counter[str]] = defaultdict(Counter)
    seats_bid: Counter[int] = Counter()
    seats_won: Counter[int] = Counter()
    for club_id, hand_id, record, verdict, seat_ids in _standing(bind):
        seats = dict(zip(record["players"], seat_ids, strict=True))
        bid = (record.get("contract") or {}).get("bid", "pass")
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
        for (payer, payee), amount in _between_seats(verdict, seats).items():
            pair = (club_id, players[payer], players[payee])
            versus[pair].update({"hands": 1, "amount": amount})
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


def _between_seats(verdict: dict[str, Any], seats: dict[str, int]) -> dict[tuple[int, int], int]:
    """Return the sum each seat paid another in a hand, without payments into or out of a pot."""
    paid: Counter[tuple[int, int]] = Counter()
    for transfer in verdict["transfers"]:
        if transfer["from"] in seats and transfer["to"] in seats and transfer["amount"]:
            paid[seats[transfer["from"]], seats[transfer["to"]]] += transfer["amount"]
    return paid


THREE_PLAY = ("six-bid", "frog", "straight-solo", "progressive")
"""The games with three active players, whatever the number at the table; in others all are active."""


def _active(record: dict[str, Any]) -> list[str]:
    """Return the active players: those named, or the three on the dealer's left, or all."""
    players = record["players"]
    if record.get("active") is not None:
        return list(record["active"])
    if record["game"] not in THREE_PLAY:
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
        try:
            record, verdict, seat_ids = (
                json.loads(value) if isinstance(value, str) else value for value in documents
            )
        except json.JSONDecodeError:
            continue
        yield club_id, hand_id, record, verdict, seat_ids
