"""A club, its players and API tokens, its refused passcodes, and stored responses to its writes."""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, BigInteger, Column, Index, Integer, LargeBinary, UniqueConstraint
from sqlmodel import Field, SQLModel

from ledger.database.access import Role
from ledger.database.models.base import ClubOwned, UTCDateTime, one_of, unique_in_club


class Club(SQLModel, table=True):
    """The people who play together.

    ``name_key`` is the normalized name, for comparing; ``devices_epoch`` grows with each new passcode, which
    signs out every scorer's device. Money is in minor units of ``currency`` (ISO 4217); ``denominations`` are
    the values of the club's chips. Another device confirms hands in which somebody wins or loses at least
    ``confirm_from``; 0 means none. ``last_ids`` holds the highest id given in each table of the club's rows.
    ``moved_to`` is the address of the installation to which the club has left; nobody can enter it here.
    """

    id: int = Field(
        default=None, primary_key=True, sa_type=BigInteger().with_variant(Integer, "sqlite")
    )
    name: str
    name_key: str
    passcode_hash: str
    devices_epoch: int = 1
    currency: str = "EUR"
    denominations: list[int] = Field(
        default_factory=lambda: [5, 20, 30], sa_column=Column(JSON, nullable=False)
    )
    confirm_from: int = Field(default=0, sa_column_kwargs={"server_default": "0"})
    last_ids: dict[str, int] = Field(
        default_factory=dict, sa_column=Column(JSON, nullable=False, server_default="{}")
    )
    moved_to: str | None = None
    created_at: datetime = Field(sa_type=UTCDateTime)


class ClubName(SQLModel, table=True):
    """The lookup of a club by its normalized name, of which the primary key allows only one."""

    __tablename__ = "club_name"

    key: str = Field(primary_key=True)
    club_id: int = Field(foreign_key="club.id", sa_type=BigInteger)


class KeyDigest(SQLModel, table=True):
    """The lookup of a club by the digest of a token's or link's key, as its bearer doesn't name the club."""

    __tablename__ = "key_digest"

    digest: str = Field(primary_key=True)
    club_id: int = Field(foreign_key="club.id", sa_type=BigInteger)


class ClubOrigin(ClubOwned, table=True):
    """An installation at which the club's entries were written before it was imported here.

    They are those up to ``last_entry_id`` that no earlier origin has. ``number`` is the club's id there, and
    ``public_key`` the key that signed them, or None if nothing was signed. ``signature`` is that of
    ``ledger.books.chain.origin_statement`` by the key of this installation. A club whose last entry is the
    last one of an origin is a copy: nothing was written in it here, and a longer archive can be imported.
    """

    __tablename__ = "club_origin"

    number: int = Field(sa_type=BigInteger)
    public_key: str | None = None
    last_entry_id: int = Field(sa_type=BigInteger)
    signature: bytes | None = Field(default=None, sa_type=LargeBinary)
    arrived_at: datetime = Field(sa_type=UTCDateTime)


class Player(ClubOwned, table=True):
    """A player of a club; ``archived`` while they no longer come.

    ``colour`` is the number of one of ``PLAYER_COLOURS``, with its mark. None, as in older players, means
    the one of their place in the order of entry. ``emoji`` is empty or one emoji. ``picture`` is a small
    JPEG or None, and ``picture_digest`` its SHA-256 or empty.

    ``by_other_entries`` is the sum of chips won or lost by adjustments and shared pots, over all evenings.
    With the player's tallies it is everything they won.
    """

    __table_args__ = (unique_in_club("name_key"),)

    name: str
    name_key: str
    created_at: datetime = Field(sa_type=UTCDateTime)
    archived: bool = False
    colour: int | None = None
    emoji: str = Field(default="", sa_column_kwargs={"server_default": ""})
    by_other_entries: int = Field(
        default=0, sa_type=BigInteger, sa_column_kwargs={"server_default": "0"}
    )
    picture_digest: str = Field(default="", sa_column_kwargs={"server_default": ""})
    picture: bytes | None = Field(default=None, sa_type=LargeBinary)


class ApiToken(ClubOwned, table=True):
    """A bearer token of a club; only the digest of its secret is stored."""

    __tablename__ = "api_token"
    __table_args__ = (
        one_of("role", Role),
        unique_in_club("digest"),
    )

    label: str
    role: str
    digest: str
    created_at: datetime = Field(sa_type=UTCDateTime)
    expires_at: datetime | None = Field(default=None, sa_type=UTCDateTime)
    last_used_at: datetime | None = Field(default=None, sa_type=UTCDateTime)
    revoked_at: datetime | None = Field(default=None, sa_type=UTCDateTime)


class RefusedTry(SQLModel, table=True):
    """The number of wrong passcodes from a network, for a club or for a name that no club has.

    ``whose`` is the club's number or a digest of the name; the next try is accepted from ``open_at`` on.
    Another row counts the clubs founded from a network in an hour, from ``last_at`` to ``open_at``. The rows
    belong to no club, because strangers write them; only signing in and founding read them.
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
    """The response to a write, by the client's idempotency key: a retry gets the same response.

    ``fingerprint`` is a hash of the request; another request with the key is refused.
    """

    __tablename__ = "written_answer"
    __table_args__ = (unique_in_club("key"),)

    key: str
    fingerprint: str
    answer: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False))
    created_at: datetime = Field(sa_type=UTCDateTime)
