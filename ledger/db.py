"""The database: read transactions that see one moment, and write transactions that queue.

SQLite: WAL, ``synchronous=FULL`` (a saved hand survives a power cut), foreign keys on, and every
write transaction begins IMMEDIATE: a deferred one that reads first and writes later loses updates.
Writers of one process wait in line before that: SQLite lets waiters guess, and some would starve for seconds.
PostgreSQL: reads are REPEATABLE READ and READ ONLY, and a write locks its club's row first, so that one
club's writes follow one another while other clubs go on; a writer that waits too long for it is told so.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import ExceptionContext, make_url
from sqlalchemy.exc import DBAPIError, TimeoutError
from sqlmodel import select

from ledger import json_text, outage
from ledger.access import Access
from ledger.metrics import NOBODY_READS, Metrics
from ledger.models import Club
from ledger.outage import SameFile
from ledger.problems import Busy, Held, NotFound, NotSignedIn, Unreachable
from ledger.scope import EVERY_CLUB, Built, Scope, ScopedSession, narrow
from ledger.sending import DriverConnection
from ledger.signing import Key
from ledger.waiting_line import WaitingLine

_LOCK = Built(int, select(Club.id).with_for_update())
_LOCK_NOT_AVAILABLE = "55P03"
"""What PostgreSQL answers to somebody who has waited too long for a lock."""

_WAIT_SECONDS = 20
_WHILE_HELD = 1
"""Seconds to wait where another program has held the file for longer than that, until a save gets through.

Otherwise each of those in line would wait its own twenty seconds, and the last of twenty a minute.
"""
MOST_OPEN = 32
"""How many connections there are at most, unless told: no thread waits for one while another writes.

Those to a SQLite file are kept open, as opening one reads the whole schema; PostgreSQL keeps few for us.
"""
_KEPT_ON_POSTGRES = 5


class Database:
    """An engine with the two ways in: ``read`` and ``write``. ``signer`` signs what is entered.

    ``on_saved`` is called after each commit of this process, in the thread that wrote.
    """

    def __init__(self, url: str, most_open: int = MOST_OPEN) -> None:
        self.url = make_url(url)
        self.is_sqlite = self.url.get_backend_name() == "sqlite"
        self.engine = (_sqlite if self.is_sqlite else _postgres)(url, most_open)
        self.signer: Key | None = None
        self._line = WaitingLine()
        self._is_held = False
        self.metrics: Metrics = NOBODY_READS
        self.on_saved: Callable[[], None] = _nobody_waits
        self.same_file = SameFile(
            (self.url.database or "").removeprefix("file:") if self.is_sqlite else None
        )
        self._reading: Engine = self.engine
        self._writing: Engine = self.engine
        if self.is_sqlite:
            self._writing = self.engine.execution_options(ledger_begin="BEGIN IMMEDIATE")
        else:
            self._reading = self.engine.execution_options(
                isolation_level="REPEATABLE READ", postgresql_readonly=True
            )

    @contextmanager
    def read(self, access: Access | None = None) -> Iterator[ScopedSession]:
        """Open a read transaction in the club of ``access``; without one, across all clubs."""
        with self._open(self._reading, access) as session:
            session.answers = {}
            yield session

    @contextmanager
    def write(
        self, access: Access | None = None, *, within: float | None = None
    ) -> Iterator[ScopedSession]:
        """Open a write transaction; commit at the end, leave no trace of it when anything is raised.

        Raises ``ReadOnly`` for a viewer, ``Busy`` when others hold the database for too long (an SQLite file:
        for longer than ``within`` seconds), and ``Unreachable`` when it fails, which says whether anything
        can have been saved.
        """
        if access is not None:
            access.must_write()
        came = perf_counter()
        with self._turn(within), self._open(self._in_time(within), access) as session:
            if access is not None and not session.ask(_LOCK):
                raise NotSignedIn("This club no longer exists here.")
            self.metrics.waited(perf_counter() - came)
            if not self.same_file:
                raise Unreachable(outage.MOVED)
            session.author = access.author if access else ""
            yield session
            session.finish()  # what fails here was not saved; of what fails in the commit nobody knows
            self._commit(session)

    def _commit(self, session: ScopedSession) -> None:
        try:
            session.commit()
        except DBAPIError as error:
            why = outage.reason(error)
            if why is None:
                raise
            raise Unreachable(why, Unreachable.not_known) from error
        if not self.same_file:
            raise Unreachable(outage.MOVED, Unreachable.not_known)
        self._is_held = False
        self.metrics.saved()
        self.on_saved()

    @contextmanager
    def _turn(self, within: float | None) -> Iterator[None]:
        if not self.is_sqlite:
            yield
            return
        with self._line.turn(self._patience(within)) as ours:
            if not ours:
                raise Held() if self._is_held else Busy()
            yield

    def _patience(self, within: float | None) -> float:
        """Return for how many seconds to wait now."""
        return min(within or _WAIT_SECONDS, _WHILE_HELD if self._is_held else _WAIT_SECONDS)

    def _in_time(self, within: float | None) -> Engine:
        """Return the engine that writes, and that waits no longer than that for who holds the file."""
        patience = self._patience(within)
        if not self.is_sqlite or patience == _WAIT_SECONDS:
            return self._writing
        return self._writing.execution_options(ledger_patience=patience)

    @contextmanager
    def _open(self, engine: Engine, access: Access | None) -> Iterator[ScopedSession]:
        try:
            with ScopedSession(engine, expire_on_commit=False) as session:
                session.signer = self.signer
                narrow(session, EVERY_CLUB if access is None else Scope(access.club_id))
                yield session
        except TimeoutError as error:
            raise Busy() from error
        except DBAPIError as error:
            state = getattr(error.orig, "sqlstate", None)  # SQLite has none
            if state == _LOCK_NOT_AVAILABLE:
                raise Busy() from error
            if "database is locked" in str(error.orig):
                self._is_held = True
                raise Held() from error
            why = outage.reason(error)
            if why is not None:
                raise Unreachable(why) from error
            raise

    def close(self) -> None:
        """Return all connections."""
        self.engine.dispose()


def _nobody_waits() -> None:
    """Do nothing: nobody is told of what is saved."""


def _engine(url: str, **options: Any) -> Engine:
    """Make an engine whose JSON columns are written and read by the one library."""
    engine = create_engine(
        url,
        json_serializer=json_text.text,
        json_deserializer=json_text.read,
        hide_parameters=True,  # a log is read by others: no keys, no hashes
        **options,
    )
    event.listen(engine, "handle_error", _nothing_of_that_number)
    return engine


def _nothing_of_that_number(failure: ExceptionContext) -> Exception | None:
    """Answer "not found" for a number too large for any row that was looked for.

    SQLite's driver and PostgreSQL put it each in their own way. One that is to be written is another
    matter: our mistake, which must be seen as one.
    """
    said = str(failure.original_exception)
    beyond = "SQLite INTEGER" in said or "out of range" in said
    if beyond and (failure.statement or "").startswith("SELECT"):
        return NotFound("There is nothing with that number here.")
    return None


def _postgres(url: str, most_open: int) -> Engine:
    more = most_open - _KEPT_ON_POSTGRES
    # A database that says nothing of its text's encoding would answer in bytes; migrate.revision refuses it.
    said = {"client_encoding": "utf8"}
    engine = _engine(
        url,
        pool_pre_ping=True,
        pool_size=_KEPT_ON_POSTGRES,
        max_overflow=more,
        connect_args=said,
    )

    @event.listens_for(engine, "connect")
    def _prepare(connection: Any, _record: object) -> None:
        # Without it a write would wait for a club's row for ever. One that the URL, the role or the
        # database says holds.
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT set_config('lock_timeout', %s, false)"
                " WHERE current_setting('lock_timeout') = '0'",
                (f"{_WAIT_SECONDS * 1000:.0f}ms",),
            )
        connection.commit()

    return engine


def _wait_for(connection: Connection, seconds: float) -> None:
    DriverConnection(connection).send(f"PRAGMA busy_timeout = {seconds * 1000:.0f}")


def _sqlite(url: str, most_open: int) -> Engine:
    engine = _engine(
        url, connect_args={"timeout": _WAIT_SECONDS}, pool_size=most_open, pool_use_lifo=True
    )

    @event.listens_for(engine, "connect")
    def _prepare(connection: Any, _record: object) -> None:
        # The driver would begin (deferred) on its own, and only before the first write.
        connection.isolation_level = None
        cursor = connection.cursor()
        cursor.execute("PRAGMA foreign_keys = ON")
        cursor.execute("PRAGMA synchronous = FULL")
        cursor.close()

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        options = connection.get_execution_options()
        patience = options.get("ledger_patience")
        if patience is not None:
            _wait_for(connection, patience)
        try:
            DriverConnection(connection).send(options.get("ledger_begin", "BEGIN"))
        finally:
            if patience is not None:  # the connection goes back to the others
                _wait_for(connection, _WAIT_SECONDS)

    return engine
