"""An evening: the session, its seats, and its hands with every version of their records."""

from datetime import date, datetime
from typing import Any

from sqlalchemy import JSON, BigInteger, Boolean, Column, Index, false, literal_column, text
from sqlmodel import Field, col

from ledger.database.kinds.states import HandAction, HandState, SeatState, SessionState
from ledger.database.models.base import ClubOwned, UTCDateTime, one_of, refers_to, unique_in_club
from ledger.database.models.books import Account

MAY_HOLD_CHIPS = text("rate_chips IS NOT NULL AND (state <> 'closed' OR unconverted)")
"""The condition of a partial index; a query in exactly these words can use that index."""


class PlaySession(ClubOwned, table=True):
    """One evening. ``game``, ``variant`` and ``options`` apply to the next hand; each hand stores its own.

    ``revision`` grows with every write to the session; each write names the revision that its author saw.
    ``confirmations`` counts the hands confirmed, which makes no other write stale. ``hands_dealt`` is the
    number of the last hand; ``first_dealer`` is the index of the first dealer's
    seat, in the order of joining. ``starting_stack`` is the bank's loan to each seat. If the table plays
    for money, ``rate_chips`` chips are worth ``rate_money`` minor units of the club's currency.
    ``unconverted`` means that the session was closed before all chips worth money were cashed in; a
    partial index finds sessions that may hold chips. ``ends_at`` is the end that the table agreed on.
    ``deleted_at`` hides a session from every list: nothing was written in it, or all of it was reversed.
    An evening ``on_paper`` has a result, but no hands; it is closed from the beginning.
    """

    __tablename__ = "play_session"
    __table_args__ = (
        one_of("state", SessionState),
        Index("ix_play_session_club_id_started_on_id", "club_id", "started_on", "id"),
        Index(
            "ix_play_session_may_hold_chips",
            "club_id",
            sqlite_where=MAY_HOLD_CHIPS,
        ),
        Index("ix_play_session_on_paper", "club_id", sqlite_where=text("on_paper")),
    )

    title: str
    started_on: date
    game: str
    variant: str | None = None
    options: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False))
    state: str = SessionState.OPEN.value
    revision: int = 1
    confirmations: int = Field(default=0, sa_column_kwargs={"server_default": "0"})
    hands_dealt: int = 0
    first_dealer: int = 0
    starting_stack: int = 0
    rate_chips: int | None = None
    rate_money: int | None = None
    created_at: datetime = Field(sa_type=UTCDateTime)
    closed_at: datetime | None = Field(default=None, sa_type=UTCDateTime)
    unconverted: bool = False
    deleted_at: datetime | None = Field(default=None, sa_type=UTCDateTime)
    ends_at: datetime | None = Field(default=None, sa_type=UTCDateTime)
    on_paper: bool = Field(default=False, sa_column_kwargs={"server_default": false()})


ON_PAPER = literal_column("play_session.on_paper", Boolean())
"""The condition of the partial index: SQLite uses it for these words only, not for ``on_paper = 1``."""

LISTED = col(PlaySession.deleted_at).is_(None)
"""The condition for sessions that were not deleted."""

LIVE_NUMBER = col(PlaySession.revision) + col(PlaySession.confirmations)
"""The number that pages of a session follow: it grows with every write and every confirmation."""


class Seat(ClubOwned, table=True):
    """A player's place in a session; ``position`` counts clockwise from 0 and changes as players come and go.

    ``advanced`` is the bank's net payment to the seat by any entry between the two (stack, loan, repayment,
    cash-out, conversion): the seat won its account's balance less that. ``converted`` is the part of the
    winnings already cashed in. ``scored`` is the sum of scores that nobody pays: it is in the account's
    balance, too (in older ledgers a leaving player gave it to the bank, which lowered ``advanced``), but is
    not chips. A player who comes back takes a new seat; ``successor_id`` of the old one is the seat on its
    left, which took over its turn to deal. ``scored``, ``hands_bid`` and ``hands_won`` are updated with each
    hand, so that a scoreboard reads no hand. The index counts a player's evenings, newest first.
    """

    __table_args__ = (
        one_of("state", SeatState),
        Index("ix_seat_club_id_player_id_session_id", "club_id", "player_id", "session_id"),
        refers_to("play_session", "session_id"),
        refers_to("player", "player_id"),
        refers_to("seat", "successor_id"),
        Index("ix_seat_club_id_session_id", "club_id", "session_id"),
    )

    session_id: int = Field(sa_type=BigInteger)
    player_id: int = Field(sa_type=BigInteger)
    position: int
    state: str = SeatState.PLAYING.value
    advanced: int = Field(default=0, sa_type=BigInteger)
    converted: int = Field(default=0, sa_type=BigInteger)
    scored: int = Field(default=0, sa_type=BigInteger, sa_column_kwargs={"server_default": "0"})
    hands_bid: int = 0
    hands_won: int = 0
    successor_id: int | None = Field(default=None, sa_type=BigInteger)


WON_IN_CHIPS = col(Account.balance) - col(Seat.scored) - col(Seat.advanced)
"""The chips that a seat won: its account's balance without its score and the bank's payments."""

UNPAID_CHIPS = WON_IN_CHIPS - col(Seat.converted)
"""The part of the won chips that is not cashed in yet."""


class Hand(ClubOwned, table=True):
    """One deal and its play, by its number in the session; ``version`` is the current one.

    ``unconfirmed_from`` is the device that entered it, until another one confirms it; None if none needs to.
    """

    __table_args__ = (
        unique_in_club("session_id", "number"),
        one_of("state", HandState),
        refers_to("play_session", "session_id"),
    )

    session_id: int = Field(sa_type=BigInteger)
    number: int
    state: str = HandState.STANDING.value
    version: int = 1
    unconfirmed_from: str | None = None


class HandVersionTable(ClubOwned, table=True):
    """A hand's record and verdict at one version; versions are added, never changed.

    ``record`` includes the rules; ``seat_ids`` are the players' seats in the record's order; a voiding
    repeats the record and verdict that it voids. ``engine_version`` names the engine that scored it, and a
    correction keeps the hand's. ``verdict`` stores the reasoning as ``steps``, values rendered in each
    language; older versions store English sentences as ``explanation``. ``cause`` marks an undo or redo, or
    the hand that this version followed, like the entry's details (``services.session.steps``).
    """

    __tablename__ = "hand_version"
    __table_args__ = (
        unique_in_club("hand_id", "version"),
        one_of("action", HandAction),
        refers_to("play_session", "session_id"),
        refers_to("hand", "hand_id"),
        refers_to("journal_entry", "entry_id"),
        Index("ix_hand_version_club_id_session_id", "club_id", "session_id"),
        Index("ix_hand_version_club_id_entry_id", "club_id", "entry_id"),
    )

    session_id: int = Field(sa_type=BigInteger)
    hand_id: int = Field(sa_type=BigInteger)
    version: int
    action: str
    record: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False))
    verdict: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False))
    seat_ids: list[int] = Field(sa_column=Column(JSON, nullable=False))
    engine_version: str
    entry_id: int | None = Field(default=None, sa_type=BigInteger)
    reason: str | None = None
    cause: dict[str, int | None] | None = Field(
        default=None, sa_column=Column(JSON(none_as_null=True))
    )
    author: str
    played_at: datetime = Field(sa_type=UTCDateTime)
    entered_at: datetime = Field(sa_type=UTCDateTime)
