"""Store game, bid, outcome and side with each result, so that statistics can be limited to a period.

Revision: 0030; follows 0029. They are found from the current versions of the standing hands, by the rules in
this file and not by the engine. The results of a hand that can't be read keep empty texts.
"""

import json
from collections.abc import Iterator
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0030"
down_revision = "0029"
branch_labels = None
depends_on = None
rolling = False  # older servers would insert results without these columns

COLUMNS = ("game", "bid", "side", "outcome")
PAGE = 500
"""The number of hands in memory at a time."""

THREE_PLAY = ("six-bid", "frog", "straight-solo", "progressive")
"""The games with three active players, whatever the number at the table; in others all are active."""

NEXT_HANDS = sa.text(
    "SELECT h.club_id, h.id, v.record, v.verdict, v.seat_ids FROM hand h JOIN hand_version v "
    "ON v.club_id = h.club_id AND v.hand_id = h.id AND v.version = h.version "
    "WHERE h.state = 'standing' AND h.club_id = :club AND h.id > :hand ORDER BY h.id LIMIT :most"
)
FILL = sa.text(
    "UPDATE result SET game = :game, bid = :bid, side = :side, outcome = :outcome "
    "WHERE club_id = :club AND hand_id = :hand AND seat_id = :seat"
)


def upgrade() -> None:
    for name in COLUMNS:
        op.add_column("result", sa.Column(name, sa.String(), nullable=False, server_default=""))
    bind = op.get_bind()
    for club_id in bind.scalars(sa.text("SELECT id FROM club ORDER BY id")).all():
        last = {"club": club_id, "hand": -(2**63)}
        while page := bind.execute(NEXT_HANDS, {**last, "most": PAGE}).all():
            filled = [row for hand in page for row in _results(*hand)]
            if filled:
                bind.execute(FILL, filled)
            last["hand"] = page[-1].id


def _results(club_id: int, hand_id: int, *documents: Any) -> Iterator[dict[str, Any]]:
    """Yield the values of a hand's results; nothing for a hand that can't be read."""
    try:
        record, verdict, seat_ids = (
            json.loads(value) if isinstance(value, str) else value for value in documents
        )
        bidder, partner = verdict["bidder"], verdict["partner"]
        bid = (record.get("contract") or {}).get("bid", "pass") if bidder is not None else "pass"
        of_hand = {"club": club_id, "hand": hand_id, "game": record["game"], "bid": bid}
        of_hand["outcome"] = verdict["outcome"]
        sides = {**dict.fromkeys(_active(record), "opponent"), partner: "partner", bidder: "bidder"}
        seated = list(zip(record["players"], seat_ids, strict=True))
    except (ValueError, TypeError, KeyError, AttributeError):
        return
    for name, seat_id in seated:
        yield {**of_hand, "seat": seat_id, "side": sides.get(name, "idle")}


def _active(record: dict[str, Any]) -> list[str]:
    """Return the active players: those named, or the three on the dealer's left, or all."""
    players: list[str] = record["players"]
    if record.get("active") is not None:
        return list(record["active"])
    if record["game"] not in THREE_PLAY:
        return players
    dealer = players.index(record["dealer"])
    return [players[(dealer + step) % len(players)] for step in (1, 2, 3)]


def downgrade() -> None:
    for name in COLUMNS:
        op.drop_column("result", name)
