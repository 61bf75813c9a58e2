"""A club, its players, the keys to it, and the answers already given."""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, BigInteger, Column, Index, UniqueConstraint
from sqlmodel import Field, SQLModel

from ledger.database.access import Role
from ledger.database.models.base import ClubOwned, UTCDateTime, among


class Club(SQLModel, table=True):
    """The people who play together, and the keys to their ledger.

    ``name_key`` is the name as it is compared; ``devices_epoch`` grows when the passcode changes, which signs
    every scorer's device out. Money is kept
    in one ``currency`` (ISO 4217), in its minor unit; ``denominations`` are the values of its chips.
    """

    id: int = Field(default=None, primary_key=True)
    name: str
    name_key: str = Field(unique=True)
    passcode_hash: str
    devices_epoch: int = 1
    currency: str = "EUR"
    denominations: list[int] = Field(
        default_factory=lambda: [5, 20, 30], sa_column=Column(JSON, nullable=False)
    )
    created_at: datetime = Field(sa_type=UTCDateTime)


class Player(ClubOwned, table=True):
    """Somebody who plays in a club; ``archived`` while they no longer come.

    ``by_other_entries`` are the chips they won over all evenings, or lost, by adjustments and when pots were
    shared out. With their tallies that is all they won: the first page of evenings adds up its own alone.
    """

    __table_args__ = (UniqueConstraint("club_id", "name_key"),)

    id: int = Field(default=None, primary_key=True)
    name: str
    name_key: str
    created_at: datetime = Field(sa_type=UTCDateTime)
    archived: bool = False
    by_other_entries: int = Field(
        default=0, sa_type=BigInteger, sa_column_kwargs={"server_default": "0"}
    )


class ApiToken(ClubOwned, table=True):
    """A bearer token, of which only a digest is kept."""

    __tablename__ = "api_token"
    __table_args__ = (among("role", Role), Index("ix_api_token_club_id", "club_id"))

    id: int = Field(default=None, primary_key=True)
    label: str
    role: str
    digest: str = Field(unique=True)
    created_at: datetime = Field(sa_type=UTCDateTime)
    expires_at: datetime | None = Field(default=None, sa_type=UTCDateTime)
    last_used_at: datetime | None = Field(default=None, sa_type=UTCDateTime)
    revoked_at: datetime | None = Field(default=None, sa_type=UTCDateTime)


class RefusedTry(SQLModel, table=True):
    """How many wrong passcodes came from a network, for a club or for a name that none has.

    ``whose`` is the club's number, or a digest of the name; from ``open_at`` on the next try is looked at.
    Or how many clubs it founded in an hour, from ``last_at`` to ``open_at``. The row belongs to no club:
    strangers write it, and only the door reads it.
    """

    __tablename__ = "refused_try"
    __table_args__ = (
        UniqueConstraint("whose", "network"),
        Index("ix_refused_try_whose_wider", "whose", "wider"),
        Index("ix_refused_try_last_at", "last_at"),
    )

    id: int = Field(default=None, primary_key=True)
    whose: str
    network: str
    wider: str
    failures: int
    last_at: datetime = Field(sa_type=UTCDateTime)
    open_at: datetime = Field(sa_type=UTCDateTime)


class IdempotentResponse(ClubOwned, table=True):
    """The answer a write was given, kept under the key its client made, so that a retry gets the same."""

    __tablename__ = "written_answer"
    __table_args__ = (UniqueConstraint("club_id", "key"),)

    id: int = Field(default=None, primary_key=True)
    key: str
    fingerprint: str
    answer: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False))
    created_at: datetime = Field(sa_type=UTCDateTime)
