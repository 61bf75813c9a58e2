"""The one place that keeps clubs apart.

A database session has a scope. Every SELECT, UPDATE and DELETE that it sends on a ``ClubOwned`` table, and on
``Club`` itself, is narrowed to the scope's club; every new row is stamped with it. Statements that can't be
narrowed (text, bare tables, rows inserted or moved by statement) are refused. Only code that must first find
a club (signing in, the command line) opens a session for every club, explicitly.

Frequent queries are ``Built`` statements: they are narrowed at import to a club that each call supplies, and
return plain values, for a tenth of the cost of loading objects. ``insert``, ``insert_all`` and ``add_up``
write and stamp plain rows.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, wraps
from importlib import import_module
from itertools import starmap
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

from ledger.database.bulk_parameters import is_json_parameter
from ledger.database.models import Club, ClubOwned
from ledger.database.prepared_statements import DriverConnection, check_unbroken, prepared
from ledger.database.sqlalchemy_internals import (
    assigned_columns,
    belongs_to_model,
    is_orm_statement,
)
from ledger.runtime.signing import SigningKey
from ledger.words.problems import NotFound

P = ParamSpec("P")
T = TypeVar("T")

_KEY = "ledger.scope"
_CLUB = "club_in_hand"
"""The parameter that holds the scope's club."""


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
"""The conditions added to every statement in a club, one per table.

They are functions of the table, because a joined alias of it needs a condition of its own.
"""


@dataclass(frozen=True, slots=True)
class Scope:
    """The rows that a database session can see: one club's, or every club's (``club_id`` None)."""

    club_id: int | None


EVERY_CLUB = Scope(None)


class OutOfScope(RuntimeError):
    """An operation that could touch another club: a programming error, never a user's."""


class Built(Generic[T]):
    """A SELECT on models, or an UPDATE with RETURNING, built once and narrowed to the session's club.

    ``row`` makes a value from a row's columns. ``everywhere`` marks a statement that finds a club: only a
    session for every club can run it.
    """

    def __init__(
        self,
        row: Callable[..., T],
        statement: Select[*tuple[Any, ...]] | ReturningUpdate[*tuple[Any, ...]],
        *,
        everywhere: bool = False,
    ) -> None:
        _check_only_models(statement)
        self.row, self.everywhere = row, everywhere
        self.changes: type | None = (
            statement.entity_description["entity"] if isinstance(statement, Update) else None
        )
        self.statement = statement if everywhere else statement.options(*_CRITERIA)


class Change:
    """An UPDATE or DELETE of a model's rows, built once and narrowed to the session's club."""

    def __init__(self, statement: Update | Delete) -> None:
        _check_only_models(statement)
        self.model: type = statement.entity_description["entity"]
        self.statement = statement.options(*_CRITERIA)


def missing(noun: str) -> NotFound:
    """Return the error for something that the club does not have."""
    return NotFound(f"There is no such {noun} in this club.")


class ScopedSession(Session):
    """A database session that cannot see past its scope.

    ``answers`` caches the results of ``asked_once`` functions in a read transaction; it is None in a write.
    ``author`` writes, and ``signer`` signs the entries, in a write transaction.
    """

    answers: dict[object, Any] | None = None
    author: str = ""
    signer: SigningKey | None = None
    _driver: DriverConnection | None = None

    @property
    def scope(self) -> Scope:
        """The scope of this session."""
        scope: Scope = self.info[_KEY]
        return scope

    def one(self, statement: SelectOfScalar[T], noun: str) -> T:
        """Return the club's one row that the statement selects. Raises ``NotFound``, naming the noun."""
        row = self.exec(statement).one_or_none()
        if row is None:
            raise missing(noun)
        return row

    def ask(self, built: Built[T], **parameters: Any) -> list[T]:
        """Return the rows of a built statement, each made into a value."""
        if built.everywhere != (self.scope.club_id is None):
            raise OutOfScope("a built statement is asked in one club, or was built to find one")
        driver = self.driver
        parameters[_CLUB] = self.scope.club_id
        statement = prepared(built.statement, driver.dialect)
        values = list(starmap(built.row, statement.ask(driver, parameters)))
        if built.changes is not None:
            self._expire(built.changes)
        return values

    def change(self, change: Change, *rows: Mapping[str, Any]) -> None:
        """Execute a change once with the parameters of each of ``rows``; each must match a row of the club.

        The session's objects of these rows are read again when next used.
        """
        if self.scope.club_id is None:
            raise OutOfScope("rows are changed in one club")
        if not rows:
            return
        driver, club = self.driver, {_CLUB: self.scope.club_id}
        cursor = prepared(change.statement, driver.dialect).send(driver, *rows, **club)
        if cursor.rowcount < len(rows):
            raise OutOfScope("a row that is not the club's was about to be changed")
        self._expire(change.model)

    def _expire(self, model: type) -> None:
        for row in self.identity_map.values():
            if isinstance(row, model):
                self.expire(row)

    @property
    def driver(self) -> DriverConnection:
        """The connection for plain rows; changed objects are written first."""
        if self.in_transaction():  # the ORM's: without one no object has changed
            self.flush()
        return self._driver or self._open_driver()

    def _open_driver(self) -> DriverConnection:
        engine: Any = self.bind
        self._driver = DriverConnection.begun(engine)
        return self._driver

    def get_bind(self, *_args: Any, **_options: Any) -> Connection:
        """Return this transaction's connection, opened at first use; the ORM's objects share it.

        Most transactions use no objects, and are spared the ORM's own transaction.
        """
        return (self._driver or self._open_driver()).connection

    def commit(self) -> None:
        """Commit everything written. Raises ``BrokenTransaction`` if one of its statements failed."""
        self.flush()
        connection = self.get_bind()
        check_unbroken(connection)
        connection.commit()

    def finish(self) -> None:
        """Write every changed object, so that a failure still means that nothing was saved."""
        check_unbroken(self.get_bind())
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
    function: Callable[Concatenate[ScopedSession, P], T],
) -> Callable[Concatenate[ScopedSession, P], T]:
    """Call the function once per read transaction and arguments; a write transaction calls it each time.

    A read transaction sees one moment, so the result can't change in it.
    """

    @wraps(function)
    def cached(session: ScopedSession, /, *args: P.args, **options: P.kwargs) -> T:
        if session.answers is None:
            return function(session, *args, **options)
        key = (function, args, tuple(options.items()))
        if key not in session.answers:
            session.answers[key] = function(session, *args, **options)
        answer: T = session.answers[key]
        return answer

    return cached


def narrow(session: ScopedSession, scope: Scope) -> None:
    """Set the session's scope. Raises ``OutOfScope`` for a session that already is in another club."""
    if session.info.setdefault(_KEY, scope) not in (EVERY_CLUB, scope):
        raise OutOfScope("a session stays in its club")
    if session.answers and session.scope != scope:
        session.answers.clear()
    session.info[_KEY] = scope


def insert(session: ScopedSession, model: type[ClubOwned], row: Mapping[str, Any]) -> int:
    """Insert a row of the club and return its number."""
    (number,) = _write(session, [row], _insert(model, numbered=True)).fetchone()
    return int(number)


def insert_all(
    session: ScopedSession, model: type[ClubOwned], rows: Sequence[Mapping[str, Any]]
) -> None:
    """Insert rows of the club in one statement; as objects SQLite would get one each, for its number."""
    if rows:
        _write(session, rows, _insert(model))


def add_up(
    session: ScopedSession,
    model: type[ClubOwned],
    key: tuple[str, ...],
    rows: Sequence[Mapping[str, Any]],
) -> None:
    """Add each row's figures to the club's row with the same unique ``key``, or insert it."""
    if rows:
        figures = tuple(name for name in rows[0] if name not in key)
        statement = _insert(model, session.driver.dialect.name, key, figures)
        if _write(session, rows, statement).rowcount < len(rows):
            raise OutOfScope("figures were about to be added to a row of another club")


# Cached for the benchmark saving: a save inserts into six tables; ``prepared`` knows statements by identity.
@lru_cache(maxsize=64)
def _insert(
    model: type[ClubOwned],
    dialect: str = "sqlite",
    key: tuple[str, ...] = (),
    figures: tuple[str, ...] = (),
    *,
    numbered: bool = False,
) -> Insert:
    """Build an INSERT that adds ``figures`` to an existing row with this ``key``.

    A ``numbered`` one returns the new row's number.
    """
    # Loaded only for databases on PostgreSQL: SQLAlchemy's module for it takes megabytes.
    statement: Any = import_module(f"sqlalchemy.dialects.{dialect}").insert(
        inspect(model).local_table
    )
    if key:
        row, new = statement.table.c, statement.excluded
        statement = statement.on_conflict_do_update(
            index_elements=key,
            set_={name: row[name] + new[name] for name in figures},
            where=row.club_id == new.club_id,
        )
    result: Insert = statement.returning(statement.table.c.id) if numbered else statement
    return result


def _write(session: ScopedSession, rows: Sequence[Mapping[str, Any]], statement: Insert) -> Any:
    """Stamp rows with the club and write them; return the driver's cursor."""
    if session.scope.club_id is None:
        raise OutOfScope("rows are written in one club")
    driver = session.driver
    stamped = prepared(statement, driver.dialect, (*rows[0], "club_id"))
    return stamped.send(driver, *rows, club_id=session.scope.club_id)


@event.listens_for(ScopedSession, "do_orm_execute")
def _narrow_statement(state: ORMExecuteState) -> None:
    """Add the club's conditions to a statement of the ORM, or refuse one that they would not reach."""
    scope: Scope = state.session.info[_KEY]
    if scope.club_id is None:
        return
    if not state.is_orm_statement or state.is_from_statement:
        raise OutOfScope("only statements on models can be kept to one club")
    if state.is_insert or (state.is_update and state.is_executemany):
        raise OutOfScope("rows are written one by one, as objects of the session")
    _check_club_unchanged(state.statement)
    state.statement = state.statement.options(*_CRITERIA)
    parameters: Any = state.parameters or {}
    state.parameters = {**parameters, _CLUB: scope.club_id}


def _check_club_unchanged(statement: object) -> None:
    if isinstance(statement, Update) and "club_id" in assigned_columns(statement):
        raise OutOfScope("a row stays in its club")


def _check_only_models(statement: Select[*tuple[Any, ...]] | Update | Delete) -> None:
    """Raise ``OutOfScope`` if the club's conditions would not reach some part of a statement."""
    of_models: list[Any] = []
    others: list[Any] = []
    for part in visitors.iterate(statement):
        if not is_json_parameter(part):
            (of_models if belongs_to_model(part) else others).append(part)
    tables = {part.table if isinstance(part, ColumnClause) else part for part in of_models}
    tables |= {table.element for table in tables if isinstance(table, Alias)}
    bare = [
        part
        for part in others
        if isinstance(part, TextClause | Insert)
        or (isinstance(part, Table | Alias) and part not in tables)
        or (isinstance(part, ColumnClause) and isinstance(part.table, Table | Alias))
    ]
    if bare or not is_orm_statement(statement):
        raise OutOfScope("only statements on models can be kept to one club")
    _check_club_unchanged(statement)


@event.listens_for(ScopedSession, "before_flush")
def _keep_in_club(session: PlainSession, _context: UOWTransaction, _instances: object) -> None:
    """Stamp new rows with the club; refuse a row that is, was or would be another club's."""
    club_id = session.info[_KEY].club_id
    if club_id is None:
        return
    for row in session.new:
        if isinstance(row, ClubOwned) and row.club_id is None:
            row.club_id = club_id
    for row in (*session.new, *session.dirty, *session.deleted):
        owner = "club_id" if isinstance(row, ClubOwned) else "id"
        state = inspect(row)
        before = state.committed_state.get(owner, club_id) if state.has_identity else club_id
        if {before, getattr(row, owner)} != {club_id}:
            raise OutOfScope("a row of another club was about to be written")
