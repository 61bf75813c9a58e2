"""Sums stored so that no page reads every hand: results, tallies, head to head; and chip counts.

Writing a hand adds to them and reversing it subtracts the same, in the same transaction. ``solo-ledger
verify`` recomputes them all.
"""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, BigInteger, Column, Index, UniqueConstraint
from sqlmodel import Field

from ledger.database.kinds.states import Side
from ledger.database.models.base import ClubOwned, UTCDateTime, one_of


class PlayerResult(ClubOwned, table=True):
    """A player's result in a standing hand, in ``chips`` or, if nobody pays it, in ``score``.

    The index finds the best and the worst of each unit; of equal ones the first.
    """

    __tablename__ = "result"
    __table_args__ = (
        UniqueConstraint("hand_id", "seat_id"),
        Index("ix_result_of_player", "player_id", "unit", "amount", "hand_id"),
    )

    id: int = Field(default=None, primary_key=True)
    hand_id: int = Field(foreign_key="hand.id")
    seat_id: int = Field(foreign_key="seat.id")
    player_id: int = Field(foreign_key="player.id")
    amount: int = Field(sa_type=BigInteger)
    unit: str = Field(default="chips", sa_column_kwargs={"server_default": "chips"})


class PlayerTally(ClubOwned, table=True):
    """A player's hands by game, bid and side."""

    __tablename__ = "tally"
    __table_args__ = (UniqueConstraint("player_id", "game", "bid", "side"), one_of("side", Side))

    id: int = Field(default=None, primary_key=True)
    player_id: int = Field(foreign_key="player.id")
    game: str
    bid: str
    side: str
    hands: int = 0
    won: int = 0
    lost: int = 0
    tied: int = 0
    total: int = Field(default=0, sa_type=BigInteger)


class HeadToHead(ClubOwned, table=True):
    """The chips that one player has paid another over all standing hands."""

    __tablename__ = "versus"
    __table_args__ = (
        UniqueConstraint("payer_id", "payee_id"),
        Index("ix_versus_club_id", "club_id"),
    )

    id: int = Field(default=None, primary_key=True)
    payer_id: int = Field(foreign_key="player.id")
    payee_id: int = Field(foreign_key="player.id", index=True)
    hands: int = 0
    amount: int = Field(default=0, sa_type=BigInteger)


class ChipCount(ClubOwned, table=True):
    """A seat's chips as counted by denomination, and the ledger's ``expected`` sum.

    ``entry_id`` is the adjustment that the count led to, or None.
    """

    __tablename__ = "chip_count"

    id: int = Field(default=None, primary_key=True)
    session_id: int = Field(foreign_key="play_session.id", index=True)
    seat_id: int = Field(foreign_key="seat.id", index=True)
    pieces: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False))
    counted: int = Field(sa_type=BigInteger)
    expected: int = Field(sa_type=BigInteger)
    entry_id: int | None = Field(default=None, foreign_key="journal_entry.id", index=True)
    author: str
    counted_at: datetime = Field(sa_type=UTCDateTime)
