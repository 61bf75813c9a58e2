"""An evening: the session, who sits in it, and its hands with every version of their records."""

from datetime import date, datetime
from typing import Any

from sqlalchemy import JSON, BigInteger, Column, Index, UniqueConstraint, text
from sqlmodel import Field, col

from ledger.database.kinds.states import HandAction, HandState, SeatState, SessionState
from ledger.database.models.base import ClubOwned, UTCDateTime, among
from ledger.database.models.books import Account

MAY_HOLD_CHIPS = text("rate_chips IS NOT NULL AND (state <> 'closed' OR unconverted)")
"""What an index narrows sessions to; who asks for it in these words is answered by that index."""


class PlaySession(ClubOwned, table=True):
    """One evening. ``game``, ``variant`` and ``options`` are those of the next hand; each hand keeps its own.

    ``revision`` grows with every write to the session: a scorer who writes says which one they saw.
    ``hands_dealt`` numbers the hands without counting them; ``first_dealer`` is the seat chosen to deal first
    by its number, from 0, as they were taken. ``starting_stack`` is what the bank gives each seat;
    ``rate_chips`` chips are worth ``rate_money`` minor units of the club's currency, where the table plays
    for money. ``unconverted``: it is closed, and chips worth money there were not cashed in. By an index
    those are found that may hold such. From ``deleted_at`` on it is in no list: nothing was written in it.
    """

    __tablename__ = "play_session"
    __table_args__ = (
        among("state", SessionState),
        Index("ix_play_session_club_id_started_on", "club_id", "started_on"),
        Index(
            "ix_play_session_may_hold_chips",
            "club_id",
            sqlite_where=MAY_HOLD_CHIPS,
        ),
    )

    id: int = Field(default=None, primary_key=True)
    title: str
    started_on: date
    game: str
    variant: str | None = None
    options: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False))
    state: str = SessionState.OPEN.value
    revision: int = 1
    hands_dealt: int = 0
    first_dealer: int = 0
    starting_stack: int = 0
    rate_chips: int | None = None
    rate_money: int | None = None
    created_at: datetime = Field(sa_type=UTCDateTime)
    closed_at: datetime | None = Field(default=None, sa_type=UTCDateTime)
    unconverted: bool = False
    deleted_at: datetime | None = Field(default=None, sa_type=UTCDateTime)


LISTED = col(PlaySession.deleted_at).is_(None)
"""What narrows sessions to those that were not deleted."""


class Seat(ClubOwned, table=True):
    """A player's place in a session, counted clockwise from 0; places change as people come and go.

    ``advanced`` is what the bank gave it less what it gave the bank, by any entry between the two (stack,
    loan, repayment, cash-out, conversion): what it won is its account's balance less that. ``converted`` is
    how much of what it won has been cashed in. ``scored`` is what it got in hands played for scores, which
    nobody pays: its account holds that, too (in older books, whoever left gave it to the bank, so
    ``advanced`` is less by it), and it is part of no chips. Somebody who left and comes back takes a new
    seat; of theirs ``successor_id`` is who then sat on their left, to whom they handed their turn to deal.
    ``scored``, ``hands_bid`` and ``hands_won`` are kept as hands are written, so that a scoreboard reads no
    hand. By its index a player's evenings are counted, and picked from the club's newest.
    """

    __table_args__ = (
        among("state", SeatState),
        Index("ix_seat_player_id_session_id_club_id", "player_id", "session_id", "club_id"),
    )

    id: int = Field(default=None, primary_key=True)
    session_id: int = Field(foreign_key="play_session.id", index=True)
    player_id: int = Field(foreign_key="player.id")
    position: int
    state: str = SeatState.PLAYING.value
    advanced: int = Field(default=0, sa_type=BigInteger)
    converted: int = Field(default=0, sa_type=BigInteger)
    scored: int = Field(default=0, sa_type=BigInteger, sa_column_kwargs={"server_default": "0"})
    hands_bid: int = 0
    hands_won: int = 0
    successor_id: int | None = Field(default=None, foreign_key="seat.id")


WON_IN_CHIPS = col(Account.balance) - col(Seat.scored) - col(Seat.advanced)
"""What a seat won of chips, beside its account: without its score and what the bank gave."""

UNPAID_CHIPS = WON_IN_CHIPS - col(Seat.converted)
"""What of that is not cashed in yet."""


class Hand(ClubOwned, table=True):
    """One deal and its play, by its number in the session; ``version`` is the one that holds now."""

    __table_args__ = (UniqueConstraint("session_id", "number"), among("state", HandState))

    id: int = Field(default=None, primary_key=True)
    session_id: int = Field(foreign_key="play_session.id")
    number: int
    state: str = HandState.STANDING.value
    version: int = 1


class HandVersionTable(ClubOwned, table=True):
    """What was recorded of a hand, and what the engine answered; versions are added, never changed.

    ``record`` is the whole hand record with the rules it was scored by; ``seat_ids`` are its players'
    seats in the record's order; a voiding repeats the record and the verdict of what it voids.
    ``engine_version`` names the rules that scored it; a correction keeps the version of the hand. ``verdict``
    keeps the reasoning as ``steps``, values that each language tells in its own words; versions from before
    that keep the sentences of their day, as ``explanation``. ``cause`` says whether a version is an undo or a
    redo, or which hand it followed, as its entry's details do (``services.session.steps``).
    """

    __tablename__ = "hand_version"
    __table_args__ = (UniqueConstraint("hand_id", "version"), among("action", HandAction))

    id: int = Field(default=None, primary_key=True)
    session_id: int = Field(foreign_key="play_session.id", index=True)
    hand_id: int = Field(foreign_key="hand.id")
    version: int
    action: str
    record: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False))
    verdict: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False))
    seat_ids: list[int] = Field(sa_column=Column(JSON, nullable=False))
    engine_version: str
    entry_id: int | None = Field(default=None, foreign_key="journal_entry.id", index=True)
    reason: str | None = None
    cause: dict[str, int | None] | None = Field(
        default=None, sa_column=Column(JSON(none_as_null=True))
    )
    author: str
    played_at: datetime = Field(sa_type=UTCDateTime)
    entered_at: datetime = Field(sa_type=UTCDateTime)
