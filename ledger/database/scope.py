"""Database sessions that see one club, the statements built for them, and the ids of its rows.

Frequent queries are ``Built`` statements: they are narrowed at import to a club that each call supplies, and
return plain values, for a tenth of the cost of loading objects. ``insert``, ``insert_all`` and ``add_up``
write and stamp plain rows. On PostgreSQL, statements whose result is not needed are sent with the next one
that has a result, in one round trip.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import wraps
from itertools import starmap
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar

from sqlalchemy import JSON, Connection, Delete, Select, Update, bindparam, event
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import UOWTransaction
from sqlalchemy.sql.dml import ReturningUpdate
from sqlmodel import Session, col, select, update
from sqlmodel.sql.expression import SelectOfScalar

from engine.words.sentences import later, say
from ledger.database import json, narrowing
from ledger.database.insertions import insertion
from ledger.database.models import Club, ClubOwned
from ledger.database.narrowing import (
    CLUB,
    CRITERIA,
    EVERY_CLUB,
    SCOPE,
    OutOfScope,
    Scope,
    check_only_models,
)
from ledger.database.prepared import DriverConnection, check_unbroken, prepared
from ledger.database.revisions import StoredRevision
from ledger.runtime.signing import SigningKey
from ledger.words.problems import NotFound

P = ParamSpec("P")
T = TypeVar("T")


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


_NO_SUCH: Mapping[str, str] = {
    "player": later("There is no such player in this club."),
    "account": later("There is no such account in this club."),
    "payment": later("There is no such payment in this club."),
    "expense": later("There is no such expense in this club."),
    "token": later("There is no such token in this club."),
    "device": later("There is no such device in this club."),
    "link": later("There is no such link in this club."),
    "season": later("There is no such season in this club."),
}
"""The sentences for things that a club does not have."""


def missing(noun: str) -> NotFound:
    """Return the error for an object that the club does not have; ``noun`` is a key of ``_NO_SUCH``."""
    return NotFound(say(_NO_SUCH[noun]))


class NoSuchClub(OutOfScope):
    """Raised for a write to a club that was never in the database, was removed, or has left."""


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
    _last_ids: dict[str, int] | None = None
    _revision: str | None = None
    _ids_given = False
    _ahead: tuple[Built[Any], dict[str, Any], Any] | None = None

    @property
    def scope(self) -> Scope:
        """The club that this session can see, or every club."""
        scope: Scope = self.info[SCOPE]
        return scope

    def one(self, statement: SelectOfScalar[T], noun: str) -> T:
        """Return the only row of the club that is selected. Raises ``NotFound``, with the noun, for none."""
        row = self.exec(statement).one_or_none()
        if row is None:
            raise missing(noun)
        return row

    def ask(self, built: Built[T], **parameters: Any) -> list[T]:
        """Return ``built.row`` of each row of a built statement's result; changed objects are written first.

        After an UPDATE, the session's objects of its model are read again when next used. Raises
        ``OutOfScope`` for a club's statement in a session for every club, or the other way round.
        """
        if built.everywhere != (self.scope.club_id is None):
            raise OutOfScope("a built statement is asked in one club, or was built to find one")
        driver = self.driver
        parameters[CLUB] = self.scope.club_id
        statement = prepared(built.statement, driver.dialect)
        if self._ahead is not None and self._ahead[:2] == (built, parameters):
            driver.settle()
            rows, self._ahead = statement.rows(self._ahead[2]), None
        else:
            rows = statement.ask(driver, parameters)
        values = list(starmap(built.row, rows))
        if built.changes is not None:
            self._expire(built.changes)
        return values

    def ask_ahead(self, built: Built[Any], **parameters: Any) -> None:
        """On PostgreSQL, send a statement along with the next one; the same ``ask`` later returns its rows.

        This saves a round trip; on SQLite nothing is done. The answer is dropped if the session writes or
        uses objects before ``ask``. The session is in a club.
        """
        if (driver := self.driver).dialect.name != "sqlite":
            parameters[CLUB] = self.scope.club_id
            statement = prepared(built.statement, driver.dialect)
            self._ahead = built, parameters, statement.send_soon(driver, parameters)

    def change(self, change: Change, *rows: Mapping[str, Any]) -> None:
        """Execute a change for each of ``rows``. Raises ``OutOfScope`` if one matches no row of the club.

        On PostgreSQL that may be raised later, before the commit. The session's objects of the model are read
        again when next used.
        """
        if self.scope.club_id is None:
            raise OutOfScope("rows are changed in one club")
        if not rows:
            return
        self._ahead = None
        driver, club = self.driver, {CLUB: self.scope.club_id}
        statement = prepared(change.statement, driver.dialect)
        statement.send_soon(driver, *rows, fewest=len(rows), **club)
        self._expire(change.model)

    def lock(self) -> str | None:
        """Lock the club's row until the transaction ends, so that a club's writes follow one another.

        Return the database's revision; as ``revisions.stored``, it is None during a migration. Raises
        ``NoSuchClub`` if the club does not exist or has left. A second call does nothing.
        """
        if self._last_ids is None:
            driver, club = self._driver or self._open_driver(), self.scope.club_id
            rows = prepared(_LOCK.statement, driver.dialect).ask(driver, {CLUB: club})
            if not rows:
                raise NoSuchClub(f"there is no club {club}")
            return self.locked(*rows[0])
        return self._revision

    def locked(self, revision: str | None, last_ids: dict[str, int]) -> str | None:
        """Store the values that ``lock`` reads, if another statement has locked the row.

        Returns ``revision``.
        """
        self._revision, self._last_ids = revision, last_ids
        return revision

    def next_ids(self, table: str, number: int) -> range:
        """Return this number of new ids for a table, above all that the club's rows ever had; lock the club.

        They are stored in the club's row by ``settle``.
        """
        self.lock()
        self._ahead = None
        assert self._last_ids is not None
        last = self._last_ids.get(table, 0)
        self._last_ids[table] = last + number
        self._ids_given = True
        return range(last + 1, last + 1 + number)

    def settle(self) -> None:
        """Send the statements that wait, after storing the ids given since the club was locked in its row."""
        driver = self.driver
        if self._ids_given:
            ids = {"ids": self._last_ids, CLUB: self.scope.club_id}
            statement = prepared(_STORE_IDS.statement, driver.dialect)
            statement.send_soon(driver, ids)  # without expiring the club's object
            self._ids_given = False
        driver.settle()

    def _expire(self, model: type) -> None:
        for row in self.identity_map.values():
            if isinstance(row, model):
                self.expire(row)

    @property
    def driver(self) -> DriverConnection:
        """The connection for statements sent past the ORM, opened at first use.

        Changed objects are written first.
        """
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

        Statements that wait are executed first. Most transactions use no objects, and are spared the ORM's
        own transaction.
        """
        driver, self._ahead = self._driver or self._open_driver(), None
        driver.settle()
        return driver.connection

    def commit(self) -> None:
        """Send everything that waits and commit.

        Raises ``BrokenTransaction`` if a statement of it failed before.
        """
        self.settle()
        connection = self.get_bind()
        check_unbroken(connection)
        connection.commit()

    def finish(self) -> None:
        """Write every changed object before the commit, so that a failure means that nothing was saved.

        Raises ``BrokenTransaction`` as ``commit`` does.
        """
        check_unbroken((self._driver or self._open_driver()).connection)
        self.flush()

    def close(self) -> None:
        """End the transaction, rolling back what was not committed; the next use begins another one.

        One that only read is committed: at a rollback psycopg forgets its prepared statements, and PostgreSQL
        plans each of them again.
        """
        if self.in_transaction():
            super().close()
        if self._driver is not None:
            if self.answers is not None:
                with suppress(SQLAlchemyError):  # a failure to end it loses nothing
                    self._driver.connection.commit()
            self._driver.connection.close()
            self._driver = self._last_ids = self._ahead = None
            self._ids_given = False
        if self.answers is not None:
            self.answers.clear()


event.listen(ScopedSession, "do_orm_execute", narrowing.narrow_statement)
event.listen(ScopedSession, "before_flush", narrowing.keep_in_club)


@event.listens_for(ScopedSession, "before_flush")
def _give_ids(session: ScopedSession, _context: UOWTransaction, _instances: object) -> None:
    """Give each new row of the club its id, in the order in which the rows were added."""
    for row in session.new:
        if isinstance(row, ClubOwned) and row.id is None:
            (row.id,) = session.next_ids(str(row.__tablename__), 1)


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
    """Insert a row, stamped with the session's club and a new id, and return the id."""
    return insert_all(session, model, [row])[0]


def insert_all(
    session: ScopedSession, model: type[ClubOwned], rows: Sequence[Mapping[str, Any]]
) -> Sequence[int]:
    """Insert rows, stamped with the session's club and new ids, and return the ids in the same order.

    All rows have the same keys; without rows nothing is sent.
    """
    return _write(session, model, rows, ()) if rows else ()


def add_up(
    session: ScopedSession,
    model: type[ClubOwned],
    key: tuple[str, ...],
    rows: Sequence[Mapping[str, Any]],
) -> None:
    """Add each row's figures to the club's row with the same ``key``, or insert the row if there is none.

    ``key`` names the columns of a unique constraint, and all other columns are added up. All rows have the
    same keys.
    """
    if rows:
        _write(session, model, rows, key)


def _write(
    session: ScopedSession,
    model: type[ClubOwned],
    rows: Sequence[Mapping[str, Any]],
    key: tuple[str, ...],
) -> Sequence[int]:
    """Insert rows, stamped with club and new ids, or add them up if there is a ``key``; return the ids."""
    if session.scope.club_id is None:
        raise OutOfScope("rows are written in one club")
    driver, names = session.driver, tuple(rows[0])
    statement = insertion(model, driver.dialect.name, names, key)
    ids = session.next_ids(str(model.__tablename__), len(rows))
    numbered = [{**row, "id": row_id} for row, row_id in zip(rows, ids, strict=True)]
    stamped = prepared(statement, driver.dialect, ("club_id", "id", *names))
    if driver.dialect.name == "postgresql":
        numbered = [{"rows": json.rows(numbered)}]
    stamped.send_soon(driver, *numbered, club_id=session.scope.club_id)
    return ids


_LOCK = Built(
    lambda *row: row,
    select(StoredRevision(), col(Club.last_ids))
    .where(col(Club.moved_to).is_(None))
    .with_for_update(of=Club),
)
_STORE_IDS = Change(update(Club).values(last_ids=bindparam("ids", type_=JSON)))
