"""Database sessions that see one club, and the prepared statements that they send.

A statement is compiled once per dialect and sent straight to the database driver. SQLAlchemy compiles it and
supplies its type converters, listeners and errors; its execution context, which is left out, is most of the
cost of a small statement. Frequent queries are ``Built`` statements: they are narrowed at import to a club
that each call supplies, and return plain values, for a tenth of the cost of loading objects. ``insert``,
``insert_all`` and ``add_up`` write and stamp plain rows.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, wraps
from importlib import import_module
from itertools import starmap
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar

from sqlalchemy import Connection, Delete, Dialect, Insert, Select, Update, event, inspect
from sqlalchemy.sql.dml import ReturningUpdate
from sqlmodel import Session
from sqlmodel.sql.expression import SelectOfScalar

from ledger.database import narrowing
from ledger.database.models import ClubOwned
from ledger.database.narrowing import (
    CLUB,
    CRITERIA,
    EVERY_CLUB,
    SCOPE,
    OutOfScope,
    Scope,
    check_only_models,
)
from ledger.database.sqlalchemy_internals import raise_failure, statement_listeners
from ledger.runtime.signing import SigningKey
from ledger.words.problems import NotFound

P = ParamSpec("P")
T = TypeVar("T")
Statement = Select[*tuple[Any, ...]] | Insert | Update | Delete


class DriverConnection:
    """Sends SQL text over a connection's driver; its listeners are those registered at its creation."""

    __slots__ = ("_listeners", "_open_cursor", "connection", "dialect")

    def __init__(self, connection: Connection) -> None:
        self.connection, self.dialect = connection, connection.dialect
        self._open_cursor: Callable[[], Any] = connection.connection.cursor
        self._listeners = statement_listeners(connection)

    def send(self, text: str, values: Any = (), *, many: bool = False) -> Any:
        """Execute SQL text, once for each of ``values`` if ``many``, and return the driver's open cursor.

        A failure is raised as SQLAlchemy's error.
        """
        cursor = self._open_cursor()
        for listener in self._listeners:
            listener(self.connection, cursor, text, values, None, many)
        try:
            (cursor.executemany if many else cursor.execute)(text, values)
        except Exception as error:
            raise_failure(self.connection, error, text, values, cursor)
        return cursor


class BrokenTransaction(RuntimeError):
    """A transaction was continued after a failed statement: a programming error, so nothing is saved."""


def check_unbroken(connection: Connection) -> None:
    """Raise ``BrokenTransaction`` if a statement of the transaction failed.

    PostgreSQL would answer COMMIT by silently rolling back. SQLite has rolled back already if the disk
    failed, and would save only the statements that came after.
    """
    raw: Any = connection.connection.driver_connection
    if connection.dialect.name == "sqlite":
        unbroken = raw.in_transaction
    else:
        unbroken = raw.info.transaction_status.name != "INERROR"
    if not unbroken:
        raise BrokenTransaction(
            "a statement failed in this transaction, and nothing of it can stand"
        )


class PreparedStatement:
    """A statement in a dialect's SQL with its value converters; ``columns`` are those an INSERT fills.

    Raises ``ValueError`` for a statement with a parameter that is a list.
    """

    def __init__(
        self, statement: Statement, dialect: Dialect, columns: Sequence[str] | None = None
    ) -> None:
        compiled: Any = statement.compile(dialect=dialect, column_keys=columns)
        self._text = str(compiled)
        binds = compiled.binds
        if any(bind.expanding for bind in binds.values()):
            raise ValueError(
                "a list would make another statement each time: see bulk_parameters.json_table"
            )
        self._defaults = {name: bind.value for name, bind in binds.items() if not bind.required}
        self._is_positional = compiled.positiontup is not None
        self._names: list[str] = compiled.positiontup if self._is_positional else list(binds)
        writers = (
            (index, binds[name].type.dialect_impl(dialect).bind_processor(dialect))
            for index, name in enumerate(self._names)
        )
        self._writers = [(index, convert) for index, convert in writers if convert]
        readers = (
            (index, column.type.dialect_impl(dialect).result_processor(dialect, None))
            for index, column in enumerate(statement.exported_columns)
        )
        self._readers = [(index, convert) for index, convert in readers if convert]

    def send(self, driver: DriverConnection, *rows: Mapping[str, Any], **common: Any) -> Any:
        """Execute once for each row (at least one) with ``common`` added; return the driver's cursor."""
        many = len(rows) > 1
        values = [self._parameters({**self._defaults, **row, **common}) for row in rows]
        return driver.send(self._text, values if many else values[0], many=many)

    def ask(self, driver: DriverConnection, parameters: Mapping[str, Any]) -> list[list[Any]]:
        """Execute once and return the rows with their values converted."""
        cursor = self.send(driver, parameters)
        rows = list(map(list, cursor.fetchall()))
        cursor.close()
        for index, convert in self._readers:
            for row in rows:
                if row[index] is not None:
                    row[index] = convert(row[index])
        return rows

    def _parameters(self, by_name: Mapping[str, Any]) -> Any:
        """Return the converted values as the driver takes them: a dict, or a tuple in order."""
        values = [by_name[name] for name in self._names]
        for index, convert in self._writers:
            values[index] = convert(values[index])
        return tuple(values) if self._is_positional else dict(zip(self._names, values, strict=True))


# Cached for the benchmark saving: compiling a statement takes ten times as long as sending it.
prepared = lru_cache(maxsize=1024)(PreparedStatement)
"""Return the prepared form of a statement, built when it is first sent."""


class Built(Generic[T]):
    """A SELECT on models, or an UPDATE with RETURNING, built once and narrowed to the session's club.

    ``row`` makes a value from a row's columns. ``everywhere`` marks a statement that finds a club: only a
    session for every club can run it. Raises ``OutOfScope`` if parts of it can't be narrowed.
    """

    def __init__(
        self,
        row: Callable[..., T],
        statement: Select[*tuple[Any, ...]] | ReturningUpdate[*tuple[Any, ...]],
        *,
        everywhere: bool = False,
    ) -> None:
        check_only_models(statement)
        self.row, self.everywhere = row, everywhere
        self.changes: type | None = (
            statement.entity_description["entity"] if isinstance(statement, Update) else None
        )
        self.statement = statement if everywhere else statement.options(*CRITERIA)


class Change:
    """An UPDATE or DELETE of a model's rows, built and narrowed as ``Built``."""

    def __init__(self, statement: Update | Delete) -> None:
        check_only_models(statement)
        self.model: type = statement.entity_description["entity"]
        self.statement = statement.options(*CRITERIA)


def missing(noun: str) -> NotFound:
    """Return the error for something that the club does not have."""
    return NotFound(f"There is no such {noun} in this club.")


class ScopedSession(Session):
    """A database session that cannot see past its scope.

    ``answers`` caches the results of ``asked_once`` functions in a read transaction; it is None in a write.
    ``author`` writes, and ``signer`` signs the entries, in a write transaction. ``replayed`` is set by a
    repeated write, which returns its stored response.
    """

    answers: dict[object, Any] | None = None
    author: str = ""
    replayed: bool = False
    signer: SigningKey | None = None
    _driver: DriverConnection | None = None

    @property
    def scope(self) -> Scope:
        """The scope of this session."""
        scope: Scope = self.info[SCOPE]
        return scope

    def one(self, statement: SelectOfScalar[T], noun: str) -> T:
        """Return the only row of the club that is selected. Raises ``NotFound``, with the noun, for none."""
        row = self.exec(statement).one_or_none()
        if row is None:
            raise missing(noun)
        return row

    def ask(self, built: Built[T], **parameters: Any) -> list[T]:
        """Return a value for each row of a built statement; changed objects are written first.

        After an UPDATE, the session's objects of its model are read again when next used.
        """
        if built.everywhere != (self.scope.club_id is None):
            raise OutOfScope("a built statement is asked in one club, or was built to find one")
        driver = self.driver
        parameters[CLUB] = self.scope.club_id
        statement = prepared(built.statement, driver.dialect)
        values = list(starmap(built.row, statement.ask(driver, parameters)))
        if built.changes is not None:
            self._expire(built.changes)
        return values

    def change(self, change: Change, *rows: Mapping[str, Any]) -> None:
        """Execute a change for each of ``rows``. Raises ``OutOfScope`` if one matches no row of the club.

        The session's objects of the model are read again when next used.
        """
        if self.scope.club_id is None:
            raise OutOfScope("rows are changed in one club")
        if not rows:
            return
        driver, club = self.driver, {CLUB: self.scope.club_id}
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
        """Begin a transaction on a new connection; if BEGIN fails, the connection returns to the pool."""
        engine: Any = self.bind
        connection: Connection = engine.connect()
        try:
            connection.begin()
            self._driver = DriverConnection(connection)
        except BaseException:
            connection.close()
            raise
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
        """Write every changed object before the commit, so that a failure means that nothing was saved.

        Raises ``BrokenTransaction`` as ``commit`` does.
        """
        check_unbroken(self.get_bind())
        self.flush()

    def close(self) -> None:
        """End the transaction, rolling back unless it was committed; the next use begins another one."""
        if self.in_transaction():
            super().close()
        if self._driver is not None:
            self._driver.connection.close()
            self._driver = None
        if self.answers is not None:
            self.answers.clear()


event.listen(ScopedSession, "do_orm_execute", narrowing.narrow_statement)
event.listen(ScopedSession, "before_flush", narrowing.keep_in_club)


def asked_once(
    function: Callable[Concatenate[ScopedSession, P], T],
) -> Callable[Concatenate[ScopedSession, P], T]:
    """Cache a function's results per read transaction and arguments; a write transaction calls it each time.

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
    """Narrow a session for every club to a scope. Raises ``OutOfScope`` if it already is in another one.

    Cached answers are dropped if the scope changes.
    """
    if session.info.setdefault(SCOPE, scope) not in (EVERY_CLUB, scope):
        raise OutOfScope("a session stays in its club")
    if session.answers and session.scope != scope:
        session.answers.clear()
    session.info[SCOPE] = scope


def insert(session: ScopedSession, model: type[ClubOwned], row: Mapping[str, Any]) -> int:
    """Insert a row, stamped with the session's club, and return its id."""
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
    """Add each row's figures to the club's row with the same unique ``key``, or insert it.

    Raises ``OutOfScope`` if the row with that key is another club's.
    """
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
