"""The base of all tables: metadata, the owning club, and types of values.

SQLModel tables don't validate values: schemas and the engine do, before.
Partial indexes state their condition in ``sqlite_where``. The migrations state it for PostgreSQL: here it
would load SQLAlchemy's PostgreSQL module, three megabytes, at every start.
"""

from collections.abc import Mapping
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import (
    JSON,
    BigInteger,
    CheckConstraint,
    DateTime,
    Dialect,
    ForeignKeyConstraint,
    UniqueConstraint,
)
from sqlalchemy.types import TypeDecorator
from sqlmodel import Field, SQLModel

metadata = SQLModel.metadata
# A later migration finds a constraint by its name, above all on SQLite.
metadata.naming_convention = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}


def one_of(column: str, words: type[StrEnum]) -> CheckConstraint:
    """Return a constraint that allows only the enum's words; a new word needs a migration."""
    listed = ", ".join(f"'{word}'" for word in words)
    return CheckConstraint(f"{column} IN ({listed})", name=f"{column}_known")


def refers_to(table: str, column: str) -> ForeignKeyConstraint:
    """Return a foreign key from a club's row to one of the same club, whose ``id`` is in ``column``."""
    return ForeignKeyConstraint(["club_id", column], [f"{table}.club_id", f"{table}.id"])


def unique_in_club(*columns: str) -> UniqueConstraint:
    """Return a constraint by which no two rows of a club have the same values in these columns together."""
    return UniqueConstraint("club_id", *columns)


class UTCDateTime(TypeDecorator[datetime]):
    """An aware time, stored in UTC. SQLite drops the zone, so reading adds it again."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, _dialect: Dialect) -> datetime | None:
        """Convert to UTC. Raises ``ValueError`` for a naive time: a programming error."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a time without a zone cannot be kept")
        return value.astimezone(UTC)

    def process_result_value(self, value: Any, _dialect: Dialect) -> datetime | None:
        """Return the stored time as an aware one, in UTC."""
        if value is None:
            return None
        time: datetime = value
        return time.replace(tzinfo=UTC) if time.tzinfo is None else time.astimezone(UTC)


class JsonParameter(TypeDecorator[Any]):
    """The type of a parameter sent as JSON: a mapping, or a list of the keys of one."""

    impl = JSON
    cache_ok = True

    def process_bind_param(self, value: Any, _dialect: Dialect) -> Any:
        """Return a mapping unchanged, and a list as a mapping from its items to None."""
        return value if isinstance(value, Mapping) else dict.fromkeys(value)


class ClubOwned(SQLModel):
    """A row of one club's data. ``ledger.database.narrowing`` limits every query on it to the session's club.

    Its key is the club and an ``id`` counted per club and table (``ScopedSession.next_ids``), so that a club
    can move to another database with its ids. All keys, references and indexes start with the club.
    """

    club_id: int = Field(default=None, primary_key=True, foreign_key="club.id", sa_type=BigInteger)
    id: int = Field(
        default=None,
        primary_key=True,
        sa_type=BigInteger,
        sa_column_kwargs={"autoincrement": False},
    )
