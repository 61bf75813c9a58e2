"""The one place that keeps clubs apart.

A database session carries the scope it was opened with. Every SELECT, UPDATE and DELETE it sends on
a ``ClubOwned`` table, and on ``Club`` itself, is narrowed to that club; every new row is stamped
with it. Only the few doors that must find a club first (signing in, the command line) open a
session for every club, and they say so.
"""

from dataclasses import dataclass
from functools import lru_cache

from sqlalchemy import ColumnElement, event
from sqlalchemy.orm import LoaderCriteriaOption, ORMExecuteState, with_loader_criteria
from sqlalchemy.orm.session import Session as PlainSession
from sqlalchemy.orm.unitofwork import UOWTransaction
from sqlmodel import Session, SQLModel, col

from ledger.models import Club, ClubOwned

_KEY = "ledger.scope"


@dataclass(frozen=True, slots=True)
class Scope:
    """What a database session may see: one club, or every club (``club_id`` None)."""

    club_id: int | None


EVERY_CLUB = Scope(None)


class ScopedSession(Session):
    """A database session that cannot see past its scope."""

    @property
    def scope(self) -> Scope:
        """The scope this session was opened with."""
        scope: Scope = self.info[_KEY]
        return scope


def narrow(session: ScopedSession, scope: Scope) -> None:
    """Give ``session`` its scope; done once, where sessions are made."""
    session.info[_KEY] = scope


@event.listens_for(ScopedSession, "do_orm_execute")
def _only_this_club(state: ORMExecuteState) -> None:
    scope: Scope = state.session.info[_KEY]
    if scope.club_id is None or state.is_column_load or state.is_relationship_load:
        return
    state.statement = state.statement.options(*_criteria(scope.club_id))


@lru_cache(maxsize=1024)
def _criteria(club_id: int) -> tuple[LoaderCriteriaOption, ...]:
    """Return the conditions that every statement in a club gets, one a table."""
    conditions: list[tuple[type[SQLModel], ColumnElement[bool]]] = [
        (table, col(table.club_id) == club_id) for table in ClubOwned.__subclasses__()
    ]
    conditions.append((Club, col(Club.id) == club_id))
    return tuple(
        with_loader_criteria(table, condition, include_aliases=True)
        for table, condition in conditions
    )


@event.listens_for(ScopedSession, "before_flush")
def _stamp(session: PlainSession, _context: UOWTransaction, _instances: object) -> None:
    scope: Scope = session.info[_KEY]
    for row in session.new:
        if not isinstance(row, ClubOwned) or scope.club_id is None:
            continue
        if row.club_id is None:
            row.club_id = scope.club_id
        elif row.club_id != scope.club_id:
            raise RuntimeError("a row of another club was about to be written")
