"""What all tables share: the metadata, the owner, and instants that keep their zone.

SQLModel tables do not validate what is put into them: the schemas and the engine do, before.
An index of some rows only says which by ``sqlite_where``. Migrations tell PostgreSQL the same: to say it here
would load SQLAlchemy's part for PostgreSQL with every start, three megabytes.
"""

from datetime import UTC, datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import CheckConstraint, DateTime, Dialect
from sqlalchemy.types import TypeDecorator
from sqlmodel import Field, SQLModel

metadata = SQLModel.metadata
# Constraints need names for a later migration to find them again, on SQLite above all.
metadata.naming_convention = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}


def among(column: str, words: type[StrEnum]) -> CheckConstraint:
    """Hold a column to the words of a list in the database as well; a new word needs a migration."""
    listed = ", ".join(f"'{word}'" for word in words)
    return CheckConstraint(f"{column} IN ({listed})", name=f"{column}_known")


class UTCDateTime(TypeDecorator[datetime]):
    """An aware instant, stored in UTC. SQLite drops the zone; it is given back on reading."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, _dialect: Dialect) -> datetime | None:
        """Refuse a naive time (a programming error) and store the rest in UTC."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a time without a zone cannot be kept")
        return value.astimezone(UTC)

    def process_result_value(self, value: Any, _dialect: Dialect) -> datetime | None:
        """Give an aware time back."""
        if value is None:
            return None
        at: datetime = value
        return at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)


class ClubOwned(SQLModel):
    """A row of one club's data. ``ledger.database.scope`` narrows every query on it to the club in hand.

    It has no index of its own: as every query names the club, a planner without statistics would take it
    for the best one, and read a whole club to find one session. Tables that are listed by club say so.
    """

    club_id: int = Field(default=None, foreign_key="club.id")
