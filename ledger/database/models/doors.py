"""Who is let into a club: devices, links, tokens, and the log of what became of them."""

from datetime import datetime

from sqlalchemy import JSON, Column, Index
from sqlmodel import Field

from ledger.database.access import Event, Role
from ledger.database.models.base import ClubOwned, UTCDateTime, among


class Link(ClubOwned, table=True):
    """An address that lets whoever opens it in, in its role, until it ends or is revoked.

    Its key is worked out from ``nonce`` and the secret beside the ledger; here is only a digest of it. The
    viewer link of an older ledger has no ``nonce``: it works, and nobody can show it again.
    """

    __table_args__ = (among("role", Role), Index("ix_link_club_id", "club_id"))

    id: int = Field(default=None, primary_key=True)
    role: str
    nonce: str | None = None
    digest: str = Field(unique=True)
    made_by: str
    created_at: datetime = Field(sa_type=UTCDateTime)
    expires_at: datetime | None = Field(default=None, sa_type=UTCDateTime)
    revoked_at: datetime | None = Field(default=None, sa_type=UTCDateTime)


class Device(ClubOwned, table=True):
    """A phone or browser that is let in; its cookie holds a key, of which a digest is kept.

    A scorer's device whose ``epoch`` is not the club's has to enter the new passcode first. ``network`` is
    where it was last seen to come from: wrong passcodes of strangers make nobody wait there.
    """

    __table_args__ = (among("role", Role), Index("ix_device_club_id", "club_id"))

    id: int = Field(default=None, primary_key=True)
    role: str
    author: str
    kind: str
    digest: str = Field(unique=True)
    epoch: int
    link_id: int | None = Field(default=None, foreign_key="link.id")
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
    __table_args__ = (among("kind", Event), Index("ix_security_event_club_id", "club_id", "kind"))

    id: int = Field(default=None, primary_key=True)
    at: datetime = Field(sa_type=UTCDateTime)
    kind: str
    who: str
    details: dict[str, str] = Field(sa_column=Column(JSON, nullable=False))
    network: str
    times: int = 1
