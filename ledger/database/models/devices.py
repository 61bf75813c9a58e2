"""Access to a club: devices, links, and the log of security events."""

from datetime import datetime

from sqlalchemy import JSON, BigInteger, Column, Index
from sqlmodel import Field

from ledger.database.access import Event, Role
from ledger.database.models.base import ClubOwned, UTCDateTime, one_of, refers_to, unique_in_club


class Link(ClubOwned, table=True):
    """An address that gives its opener a role in the club, until it expires or is revoked.

    Its key is derived from ``nonce`` and the secret key; only its digest is stored. The viewer link of an
    older ledger has no ``nonce``: it works, but can't be shown again.
    """

    __table_args__ = (
        one_of("role", Role),
        unique_in_club("digest"),
    )

    role: str
    nonce: str | None = None
    digest: str
    made_by: str
    created_at: datetime = Field(sa_type=UTCDateTime)
    expires_at: datetime | None = Field(default=None, sa_type=UTCDateTime)
    revoked_at: datetime | None = Field(default=None, sa_type=UTCDateTime)


class Device(ClubOwned, table=True):
    """A signed-in phone or browser; its cookie holds a key, the row a digest of it.

    A scorer's device with another ``epoch`` than the club's must enter the new passcode first. ``network`` is
    its last known one: wrong passcodes of strangers delay nobody there.
    """

    __table_args__ = (
        one_of("role", Role),
        refers_to("link", "link_id"),
        unique_in_club("digest"),
    )

    role: str
    author: str
    kind: str
    digest: str
    epoch: int
    link_id: int | None = Field(default=None, sa_type=BigInteger)
    network: str
    created_at: datetime = Field(sa_type=UTCDateTime)
    last_used_at: datetime = Field(sa_type=UTCDateTime)
    revoked_at: datetime | None = Field(default=None, sa_type=UTCDateTime)


class SecurityEvent(ClubOwned, table=True):
    """A line of a club's log: a change of access to the club, or refused passcodes.

    ``who`` did it; ``details`` names the device, link or token (``ledger.services.club.events``).
    Consecutive refused passcodes with the same ``network`` share a line, ``times`` being their number; for
    a known device or token, ``network`` holds its name instead.
    """

    __tablename__ = "security_event"
    __table_args__ = (
        one_of("kind", Event),
        Index("ix_security_event_club_id", "club_id", "kind"),
    )

    at: datetime = Field(sa_type=UTCDateTime)
    kind: str
    who: str
    details: dict[str, str] = Field(sa_column=Column(JSON, nullable=False))
    network: str
    times: int = 1
