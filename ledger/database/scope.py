"""The one place that keeps clubs apart.

A database session carries the scope it was opened with. Every SELECT, UPDATE and DELETE it sends on
a ``ClubOwned`` table, and on ``Club`` itself, is narrowed to that club; every new row is stamped
with it. What cannot be narrowed (text, bare tables, rows inserted or moved by statement) is refused.
Only the few doors that must find a club first (signing in, the command line) open a session for
every club, and they say so.

What is asked at every hand is a ``Built`` statement: it is narrowed when its room is imported, to a club
that it must be told each time, and answers plain values. Asking so costs a tenth of what loading objects
does. Plain rows are written by ``insert``, ``insert_all`` and ``add_up``, which stamp them.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, wraps
from importlib import import_module
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar

from sqlalchemy import (
    Alias,
    BindParameter,
    ColumnClause,
    Connection,
    Delete,
    Insert,
    Integer,
    Select,
    Table,
    TextClause,
    Update,
    bindparam,
    event,
    inspect,
)
from sqlalchemy.orm import ORMExecuteState, with_loader_criteria
from sqlalchemy.orm.session import Session as PlainSession
from sqlalchemy.orm.unitofwork import UOWTransaction
from sqlalchemy.sql import visitors
from sqlalchemy.sql.dml import ReturningUpdate
from sqlmodel import Session
from sqlmodel.sql.expression import SelectOfScalar

from ledger.database.bulk_parameters import is_given
from ledger.database.models import Club, ClubOwned
from ledger.database.prepared_statements import DriverConnection, must_be_whole, prepared
from ledger.runtime.signing import SigningKey
from ledger.words.problems import NotFound

P = ParamSpec("P")
T = TypeVar("T")

_KEY = "ledger.scope"
_CLUB = "club_in_hand"
"""What a statement calls the club that it is told."""


def _club_in_hand() -> BindParameter[int]:
    return bindparam(_CLUB, type_=Integer)


_CRITERIA = (
    *(
        with_loader_criteria(
            table,
            lambda row: row.club_id == _club_in_hand(),
            include_aliases=True,
            track_closure_variables=False,
        )
        for table in ClubOwned.__subclasses__()
    ),
    with_loader_criteria(
        Club,
        lambda row: row.id == _club_in_hand(),
        include_aliases=True,
        track_closure_variables=False,
    ),
)
"""The conditions that every statement in a club gets, one per table.

They are functions of the table: an alias of it that is joined needs a condition of its own.
"""


@dataclass(frozen=True, slots=True)
class Scope:
    """What a database session may see: one club, or every club (``club_id`` None)."""

    club_id: int | None


EVERY_CLUB = Scope(None)


class OutOfScope(RuntimeError):
    """A session was told to do what could touch another club: a programming error, never a user's."""


class Built(Generic[T]):
    """A SELECT on models that is built once, and narrowed to the club it is asked in.

    ``row`` makes a value of what a row holds, column by column. One that looks ``everywhere`` finds a club:
    only a session of every club may ask it. An UPDATE that answers what its rows hold then is one, too.
    """

    def __init__(
        self,
        row: Callable[..., T],
        statement: Select[*tuple[Any, ...]] | ReturningUpdate[*tuple[Any, ...]],
        *,
        everywhere: bool = False,
    ) -> None:
        _must_be_of_models(statement)
        self.row, self.everywhere = row, everywhere
        self.changes: type | None = (
            statement.entity_description["entity"] if isinstance(statement, Update) else None
        )
        self.statement = statement if everywhere else statement.options(*_CRITERIA)


class Change:
    """An UPDATE or DELETE of a model's rows that is built once, and narrowed to the club it is sent in."""

    def __init__(self, statement: Update | Delete) -> None:
        _must_be_of_models(statement)
        self.model: type = statement.entity_description["entity"]
        self.statement = statement.options(*_CRITERIA)


def missing(what: str) -> NotFound:
    """Return what is raised where the club has no such thing."""
    return NotFound(f"There is no such {what} in this club.")


class ScopedSession(Session):
    """A database session that cannot see past its scope.

    ``answers`` are what ``asked_once`` was answered in a read transaction, None in one that writes;
    ``author`` is who writes in one that does, ``signer`` what signs the entries made in it.
    """

    answers: dict[object, Any] | None = None
    author: str = ""
    signer: SigningKey | None = None
    _driver: DriverConnection | None = None

    @property
    def scope(self) -> Scope:
        """The scope this session was opened with."""
        scope: Scope = self.info[_KEY]
        return scope

    def one(self, wanted: SelectOfScalar[T], what: str) -> T:
        """Return the one row of the club that is wanted. Raises ``NotFound``: there is no such thing."""
        found = self.exec(wanted).one_or_none()
        if found is None:
            raise missing(what)
        return found

    def ask(self, built: Built[T], **given: Any) -> list[T]:
        """Return the rows of a built statement; ``given`` are its parameters."""
        if built.everywhere != (self.scope.club_id is None):
            raise OutOfScope("a built statement is asked in one club, or was built to find one")
        driver = self.driver
        given[_CLUB] = self.scope.club_id
        make = built.row
        found = [make(*row) for row in prepared(built.statement, driver.dialect).ask(driver, given)]
        if built.changes is not None:
            self._expire(built.changes)
        return found

    def change(self, change: Change, *given: Mapping[str, Any]) -> None:
        """Send a change once for each of ``given``; each must meet a row of the club.

        Objects of these rows that the session holds are read again when they are next looked at.
        """
        if self.scope.club_id is None:
            raise OutOfScope("rows are changed in one club")
        if not given:
            return
        driver, club = self.driver, {_CLUB: self.scope.club_id}
        sent = prepared(change.statement, driver.dialect).send(driver, *given, **club)
        if sent.rowcount < len(given):
            raise OutOfScope("a row that is not the club's was about to be changed")
        self._expire(change.model)

    def _expire(self, model: type) -> None:
        for row in self.identity_map.values():
            if isinstance(row, model):
                self.expire(row)

    @property
    def driver(self) -> DriverConnection:
        """The connection that plain rows go by, once what was changed of objects has gone before them."""
        if self.in_transaction():  # of objects: without one there is none to be written
            self.flush()
        return self._driver or self._opened()

    def _opened(self) -> DriverConnection:
        engine: Any = self.bind
        self._driver = DriverConnection.begun(engine)
        return self._driver

    def get_bind(self, *_asked: Any, **_more: Any) -> Connection:
        """Return the connection of this transaction, which begins when it is first needed.

        Objects go by it, too: most transactions read and write none, and are spared what the ORM does to
        begin and end one of its own.
        """
        return (self._driver or self._opened()).connection

    def commit(self) -> None:
        """Let all that was written stand. Raises ``GonePast`` where a statement of it failed."""
        self.flush()
        connection = self.get_bind()
        must_be_whole(connection)
        connection.commit()

    def finish(self) -> None:
        """Send all that is to be written; what fails was not saved."""
        must_be_whole(self.get_bind())
        self.flush()

    def close(self) -> None:
        """End the transaction; the next one begins at another moment."""
        if self.in_transaction():
            super().close()
        if self._driver is not None:
            self._driver.connection.close()
            self._driver = None
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
    if session.answers and session.scope != scope:
        session.answers.clear()
    session.info[_KEY] = scope


def insert(session: ScopedSession, model: type[ClubOwned], row: Mapping[str, Any]) -> int:
    """Write a row of the club, where nobody needs it back as an object; return its number."""
    (number,) = _write(session, [row], _insert(model, numbered=True)).fetchone()
    return int(number)


def insert_all(
    session: ScopedSession, model: type[ClubOwned], rows: Sequence[Mapping[str, Any]]
) -> None:
    """Write rows of the club in one go.

    SQLite would otherwise be asked for each one separately, because of its number.
    """
    if rows:
        _write(session, rows, _insert(model))


def add_up(
    session: ScopedSession,
    model: type[ClubOwned],
    key: tuple[str, ...],
    rows: Sequence[Mapping[str, Any]],
) -> None:
    """Add each row's figures to those of the club's row with the same unique ``key``, or begin one."""
    if rows:
        figures = tuple(name for name in rows[0] if name not in key)
        adding = _insert(model, session.driver.dialect.name, key, figures)
        if _write(session, rows, adding).rowcount < len(rows):
            raise OutOfScope("figures were about to be added to a row of another club")


@lru_cache(maxsize=64)
def _insert(
    model: type[ClubOwned],
    dialect: str = "sqlite",
    key: tuple[str, ...] = (),
    figures: tuple[str, ...] = (),
    *,
    numbered: bool = False,
) -> Insert:
    """Build an INSERT; of figures one that adds them to the row that holds its ``key`` already.

    One that is ``numbered`` answers the new row's number.
    """
    # PostgreSQL's part of SQLAlchemy takes megabytes: it is loaded with books that are kept there.
    made: Any = import_module(f"sqlalchemy.dialects.{dialect}").insert(inspect(model).local_table)
    if key:
        held, new = made.table.c, made.excluded
        made = made.on_conflict_do_update(
            index_elements=key,
            set_={name: held[name] + new[name] for name in figures},
            where=held.club_id == new.club_id,
        )
    found: Insert = made.returning(made.table.c.id) if numbered else made
    return found


def _write(session: ScopedSession, rows: Sequence[Mapping[str, Any]], statement: Insert) -> Any:
    """Stamp rows with the club, and write them; return the driver's cursor."""
    if session.scope.club_id is None:
        raise OutOfScope("rows are written in one club")
    driver = session.driver
    stamped = prepared(statement, driver.dialect, (*rows[0], "club_id"))
    return stamped.send(driver, *rows, club_id=session.scope.club_id)


@event.listens_for(ScopedSession, "do_orm_execute")
def _only_this_club(state: ORMExecuteState) -> None:
    scope: Scope = state.session.info[_KEY]
    if scope.club_id is None:
        return
    _must_be_narrowable(state)
    state.statement = state.statement.options(*_CRITERIA)
    given: Any = state.parameters or {}
    state.parameters = {**given, _CLUB: scope.club_id}


def _must_be_narrowable(state: ORMExecuteState) -> None:
    """Refuse a statement that the conditions would not reach: a programming error, never a user's."""
    if not state.is_orm_statement or state.is_from_statement:
        raise OutOfScope("only statements on models can be kept to one club")
    if state.is_insert or (state.is_update and state.is_executemany):
        raise OutOfScope("rows are written one by one, as objects of the session")
    if isinstance(state.statement, Update) and _moves(state.statement):
        raise OutOfScope("a row stays in its club")


def _moves(statement: Update) -> bool:
    """Whether an UPDATE gives rows to a club."""
    named = {getattr(column, "key", column) for column in statement._values or ()}
    return "club_id" in {*named, *statement.compile().params}


def _must_be_of_models(statement: Select[*tuple[Any, ...]] | Update | Delete) -> None:
    """Refuse to build what the conditions would not reach, in whatever part of it."""
    of_models: list[Any] = []
    others: list[Any] = []
    for part in visitors.iterate(statement):
        if not is_given(part):
            (of_models if "parententity" in part._annotations else others).append(part)
    theirs = {part.table if isinstance(part, ColumnClause) else part for part in of_models}
    theirs |= {table.element for table in theirs if isinstance(table, Alias)}
    bare = [
        part
        for part in others
        if isinstance(part, TextClause | Insert)
        or (isinstance(part, Table | Alias) and part not in theirs)
        or (isinstance(part, ColumnClause) and isinstance(part.table, Table | Alias))
    ]
    if bare or statement._propagate_attrs.get("compile_state_plugin") != "orm":
        raise OutOfScope("only statements on models can be kept to one club")
    if isinstance(statement, Update) and _moves(statement):
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
