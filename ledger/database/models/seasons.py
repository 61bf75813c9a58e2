"""The seasons of a club: named periods with a table of their own."""

from datetime import date, datetime
from typing import Any

from sqlalchemy import JSON, Column
from sqlmodel import Field

from ledger.database.kinds.seasons import ScoringMethod
from ledger.database.models.base import ClubOwned, UTCDateTime, one_of, unique_in_club


class Season(ClubOwned, table=True):
    """A period with evenings that are scored by a ``method``; several can overlap.

    With a ``game`` only the evenings of that game count. Players with fewer than ``least_evenings`` get no
    place. Players with equal totals are ordered by ``tie_breaks``, the first that differs. ``closing`` is the
    table at the moment of closing, as ``ledger.services.reads.seasons`` writes it.
    """

    __table_args__ = (unique_in_club("name_key"), one_of("method", ScoringMethod))

    name: str
    name_key: str
    first_day: date
    last_day: date
    game: str | None = None
    method: str
    least_evenings: int
    tie_breaks: list[str] = Field(sa_column=Column(JSON, nullable=False))
    prize: str
    closed_at: datetime | None = Field(default=None, sa_type=UTCDateTime)
    closing: dict[str, Any] | None = Field(default=None, sa_column=Column(JSON(none_as_null=True)))
