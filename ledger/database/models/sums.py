"""Sums stored so that no page reads every hand: results, tallies, head to head; and chip counts.

Writing a hand adds to them and reversing it subtracts the same, in the same transaction. ``solo-ledger
verify`` recomputes them all.
"""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, BigInteger, Column, Index
from sqlmodel import Field

from ledger.database.kinds.states import Side
from ledger.database.models.base import ClubOwned, UTCDateTime, one_of, refers_to, unique_in_club


class PlayerResult(ClubOwned, table=True):
    """A player's result in a standing hand, in ``chips`` or, if nobody pays it, in ``score``.

    It repeats the hand's game, bid and outcome, and has the player's side, so that the results of a period
    add up to tallies. The index finds the best and the worst of each unit; of equal ones the first.
    """

    __tablename__ = "result"
    __table_args__ = (
        unique_in_club("hand_id", "seat_id"),
        Index("ix_result_of_player", "club_id", "player_id", "unit", "amount", "hand_id"),
        refers_to("hand", "hand_id"),
        refers_to("seat", "seat_id"),
        refers_to("player", "player_id"),
    )

    hand_id: int = Field(sa_type=BigInteger)
    seat_id: int = Field(sa_type=BigInteger)
    player_id: int = Field(sa_type=BigInteger)
    amount: int = Field(sa_type=BigInteger)
    unit: str = Field(default="chips", sa_column_kwargs={"server_default": "chips"})
    game: str = Field(sa_column_kwargs={"server_default": ""})
    bid: str = Field(sa_column_kwargs={"server_default": ""})
    side: str = Field(sa_column_kwargs={"server_default": ""})
    outcome: str = Field(sa_column_kwargs={"server_default": ""})


class PlayerTally(ClubOwned, table=True):
    """A player's numbers of standing hands by game, bid and side, with the amount won (``total``).

    ``won``, ``lost`` and ``tied`` count how the contract ended, whichever side the player was on.
    """

    __tablename__ = "tally"
    __table_args__ = (
        unique_in_club("player_id", "game", "bid", "side"),
        one_of("side", Side),
        refers_to("player", "player_id"),
    )

    player_id: int = Field(sa_type=BigInteger)
    game: str
    bid: str
    side: str
    hands: int = 0
    won: int = 0
    lost: int = 0
    tied: int = 0
    total: int = Field(default=0, sa_type=BigInteger)


class HeadToHead(ClubOwned, table=True):
    """The chips that one player has paid another over all standing hands, and the number of such hands."""

    __tablename__ = "versus"
    __table_args__ = (
        unique_in_club("payer_id", "payee_id"),
        refers_to("player", "payer_id"),
        refers_to("player", "payee_id"),
        Index("ix_versus_club_id_payee_id", "club_id", "payee_id"),
    )

    payer_id: int = Field(sa_type=BigInteger)
    payee_id: int = Field(sa_type=BigInteger)
    hands: int = 0
    amount: int = Field(default=0, sa_type=BigInteger)


class ChipCount(ClubOwned, table=True):
    """A seat's chips as counted by denomination, and the ledger's ``expected`` sum.

    ``entry_id`` is the adjustment that the count led to, or None.
    """

    __tablename__ = "chip_count"
    __table_args__ = (
        refers_to("play_session", "session_id"),
        refers_to("seat", "seat_id"),
        refers_to("journal_entry", "entry_id"),
        Index("ix_chip_count_club_id_session_id", "club_id", "session_id"),
        Index("ix_chip_count_club_id_seat_id", "club_id", "seat_id"),
        Index("ix_chip_count_club_id_entry_id", "club_id", "entry_id"),
    )

    session_id: int = Field(sa_type=BigInteger)
    seat_id: int = Field(sa_type=BigInteger)
    pieces: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False))
    counted: int = Field(sa_type=BigInteger)
    expected: int = Field(sa_type=BigInteger)
    entry_id: int | None = Field(default=None, sa_type=BigInteger)
    author: str
    counted_at: datetime = Field(sa_type=UTCDateTime)
