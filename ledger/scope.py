"""The one place that keeps clubs apart.

A database session carries the scope it was opened with. Every SELECT, UPDATE and DELETE it sends on
a ``ClubOwned`` table, and on ``Club`` itself, is narrowed to that club; every new row is stamped
with it. What cannot be narrowed (text, bare tables, rows inserted or moved by statement) is refused.
Only the few doors that must find a club first (signing in, the command line) open a session for
every club, and they say so.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

from sqlalchemy import Update, event, insert, inspect
from sqlalchemy.orm import LoaderCriteriaOption, ORMExecuteState, with_loader_criteria
from sqlalchemy.orm.session import Session as PlainSession
from sqlalchemy.orm.unitofwork import UOWTransaction
from sqlmodel import Session
from sqlmodel.sql.expression import SelectOfScalar

from ledger.models import Club, ClubOwned
from ledger.problems import NotFound

P = ParamSpec("P")
T = TypeVar("T")

_KEY = "ledger.scope"


@dataclass(frozen=True, slots=True)
class Scope:
    """What a database session may see: one club, or every club (``club_id`` None)."""

    club_id: int | None


EVERY_CLUB = Scope(None)


class OutOfScope(RuntimeError):
    """A session was told to do what could touch another club: a programming error, never a user's."""


class ScopedSession(Session):
    """A database session that cannot see past its scope.

    ``answers`` are what ``asked_once`` was answered in a read transaction, None in one that writes.
    """

    answers: dict[object, Any] | None = None

    @property
    def scope(self) -> Scope:
        """The scope this session was opened with."""
        scope: Scope = self.info[_KEY]
        return scope

    def one(self, wanted: SelectOfScalar[T], what: str) -> T:
        """Return the one row of the club that is wanted. Raises ``NotFound``: there is no such thing."""
        found = self.exec(wanted).one_or_none()
        if found is None:
            raise NotFound(f"There is no such {what} in this club.")
        return found

    def close(self) -> None:
        """End the transaction; the next one begins at another moment."""
        super().close()
        if self.answers is not None:
            self.answers.clear()


def asked_once(
    ask: Callable[Concatenate[ScopedSession, P], T],
) -> Callable[Concatenate[ScopedSession, P], T]:
    """Ask once a read transaction, which sees one moment: the same question has the same answer in it.

    A transaction that writes is asked each time.
    """

    @wraps(ask)
    def asked(session: ScopedSession, /, *given: P.args, **named: P.kwargs) -> T:
        if session.answers is None:
            return ask(session, *given, **named)
        key = (ask, given, tuple(named.items()))
        if key not in session.answers:
            session.answers[key] = ask(session, *given, **named)
        answer: T = session.answers[key]
        return answer

    return asked


def narrow(session: ScopedSession, scope: Scope) -> None:
    """Give ``session`` its scope: where it is made, or where a door finds out whose club it is for.

    A session that is narrowed to a club stays there.
    """
    if session.info.setdefault(_KEY, scope) not in (EVERY_CLUB, scope):
        raise OutOfScope("a session stays in its club")
    session.info[_KEY] = scope


def insert_all(
    session: ScopedSession, table: type[ClubOwned], rows: Sequence[Mapping[str, Any]]
) -> None:
    """Write rows of the club in one go, where nobody needs them back as objects.

    SQLite would otherwise be asked for each one separately, because of its number.
    """
    if session.scope.club_id is None:
        raise OutOfScope("rows are written in one club")
    if rows:
        session.flush()
        stamped = [{**row, "club_id": session.scope.club_id} for row in rows]
        session.connection().execute(insert(inspect(table).local_table), stamped)


@event.listens_for(ScopedSession, "do_orm_execute")
def _only_this_club(state: ORMExecuteState) -> None:
    scope: Scope = state.session.info[_KEY]
    if scope.club_id is None:
        return
    _must_be_narrowable(state)
    state.statement = state.statement.options(*_criteria(scope.club_id))


@lru_cache(maxsize=1024)
def _criteria(club_id: int) -> tuple[LoaderCriteriaOption, ...]:
    """Return the conditions that every statement in a club gets, one per table.

    They are functions of the table: an alias of it that is joined needs a condition of its own.
    """
    owned = (
        with_loader_criteria(table, lambda row: row.club_id == club_id, include_aliases=True)
        for table in ClubOwned.__subclasses__()
    )
    itself = with_loader_criteria(Club, lambda row: row.id == club_id, include_aliases=True)
    return (*owned, itself)


def _must_be_narrowable(state: ORMExecuteState) -> None:
    """Refuse a statement that the conditions would not reach: a programming error, never a user's."""
    if not state.is_orm_statement or state.is_from_statement:
        raise OutOfScope("only statements on models can be kept to one club")
    if state.is_insert or (state.is_update and state.is_executemany):
        raise OutOfScope("rows are written one by one, as objects of the session")
    if isinstance(state.statement, Update) and "club_id" in state.statement.compile().params:
        raise OutOfScope("a row stays in its club")


@event.listens_for(ScopedSession, "before_flush")
def _keep_in_club(session: PlainSession, _context: UOWTransaction, _instances: object) -> None:
    """Stamp new rows; refuse to write one that is, was or would be another club's."""
    club_id = session.info[_KEY].club_id
    if club_id is None:
        return
    for row in session.new:
        if isinstance(row, ClubOwned) and row.club_id is None:
            row.club_id = club_id
    for row in (*session.new, *session.dirty, *session.deleted):
        owner = "club_id" if isinstance(row, ClubOwned) else "id"
        state = inspect(row)
        was = state.committed_state.get(owner, club_id) if state.has_identity else club_id
        if {was, getattr(row, owner)} != {club_id}:
            raise OutOfScope("a row of another club was about to be written")
