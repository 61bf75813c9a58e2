"""Connecting to the database, and reading it as it is at one moment.

SQLite: ``synchronous=FULL`` (a saved hand survives a power cut), and foreign keys on. PostgreSQL: reads are
REPEATABLE READ and READ ONLY. Of the tables nothing is known here.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import URL, ExceptionContext, make_url
from sqlalchemy.exc import DBAPIError, TimeoutError

from ledger.database import json, outage
from ledger.database.prepared_statements import DriverConnection
from ledger.words.problems import Busy, Held, NotFound, Unreachable

_TRY_AGAIN = {"55P03", "40001", "40P01"}
"""SQLSTATEs of a transaction that met others: no lock in time, not serializable, a deadlock."""

WAIT_SECONDS = 20
"""How long somebody waits for others who write."""

MOST_OPEN = 32
"""How many connections there are at most, unless told: no thread waits for one while another writes.

Those to a SQLite file are kept open, as opening one reads the whole schema; PostgreSQL keeps few for us.
"""
_KEPT_ON_POSTGRES = 5

POOL_SECONDS = 5
"""How long a thread waits for one of PostgreSQL's connections; there are more than threads."""

_CONNECT_SECONDS = 3
"""How long connecting to PostgreSQL may take, to each host that the URL names."""

_NETWORK = {
    "keepalives": 1,
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 2,
    "tcp_user_timeout": 5_000,
}
"""How soon the system gives up a connection to a machine that is gone; the URL may state others."""


class Connected:
    """An engine, and connections on which one moment is read."""

    def __init__(self, url: str, most_open: int = MOST_OPEN) -> None:
        self.url = make_url(url)
        self.is_sqlite = self.url.get_backend_name() == "sqlite"
        self.engine: Engine = (_sqlite if self.is_sqlite else _postgres)(url, most_open)
        self._reading = self.engine
        if not self.is_sqlite:
            self._reading = self.engine.execution_options(
                isolation_level="REPEATABLE READ", postgresql_readonly=True
            )

    @contextmanager
    def one_moment(self) -> Iterator[Connection]:
        """Open a read transaction on a connection; its failures are named."""
        with named_failures(), self._reading.connect() as connection:
            connection.begin()
            yield connection

    def close(self) -> None:
        """Return all connections."""
        self.engine.dispose()


@contextmanager
def named_failures() -> Iterator[None]:
    """Raise ``Busy`` where others hold the database for too long, and ``Unreachable`` where it fails."""
    try:
        yield
    except TimeoutError as error:
        raise Busy() from error
    except DBAPIError as error:
        state = getattr(error.orig, "sqlstate", None)  # SQLite has none
        if state in _TRY_AGAIN:
            raise Busy() from error
        if "database is locked" in str(error.orig):
            raise Held() from error
        why = outage.reason(error)
        if why is not None:
            raise Unreachable(why) from error
        raise


def _engine(url: str, **options: Any) -> Engine:
    """Make an engine whose JSON columns are written and read by the one library."""
    engine = create_engine(
        url,
        json_serializer=json.text,
        json_deserializer=json.read,
        hide_parameters=True,  # a log is read by others: no keys, no hashes
        pool_use_lifo=True,  # readiness is then tried on the connection that the next request takes
        **options,
    )
    event.listen(engine, "handle_error", _judge)
    return engine


def _judge(failure: ExceptionContext) -> Exception | None:
    """Return "not found" for a number too large for any row, and give up connections to a standby.

    SQLite's driver and PostgreSQL put the former each in their own way. Such a number in a write is our
    mistake, and must be seen as one.
    """
    error = failure.original_exception
    if getattr(error, "sqlstate", None) in outage.STANDBY:
        failure.is_disconnect = True  # another connection may lead to the server that took over
    said = str(error)
    beyond = "SQLite INTEGER" in said or "out of range" in said
    if beyond and (failure.statement or "").startswith("SELECT"):
        return NotFound("There is nothing with that number here.")
    return None


def _postgres(url: str, most_open: int) -> Engine:
    # A database that says nothing of its text's encoding would answer in bytes; revisions.at refuses it.
    arguments = {"client_encoding": "utf8", "connect_timeout": _CONNECT_SECONDS, **_NETWORK}
    stated = make_url(url).query
    engine = _engine(
        url,
        pool_pre_ping=True,
        pool_size=_KEPT_ON_POSTGRES,
        max_overflow=most_open - _KEPT_ON_POSTGRES,
        pool_timeout=POOL_SECONDS,
        connect_args={name: value for name, value in arguments.items() if name not in stated},
    )
    from ledger.database.liveness import Watch, Watched  # needs psycopg

    watch = Watch()

    @event.listens_for(engine, "do_connect")
    def _connect(_dialect: object, _record: object, _none: object, address: Any) -> Watched:
        return watch.connect(**address)

    @event.listens_for(engine, "connect")
    def _prepare(connection: Any, _record: object) -> None:
        # Without it a write would wait for a club's row for ever. One that the URL, the role or the
        # database says holds.
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT pg_backend_pid(), CASE current_setting('lock_timeout') WHEN '0'"
                " THEN set_config('lock_timeout', %s, false) END",
                (f"{WAIT_SECONDS * 1000:.0f}ms",),
            )
            connection.backend, _ = cursor.fetchone()
        connection.commit()

    return engine


def _wait_for(connection: Connection, seconds: float) -> None:
    DriverConnection(connection).send(f"PRAGMA busy_timeout = {seconds * 1000:.0f}")


def _sqlite(url: str, most_open: int) -> Engine:
    engine = _engine(url, connect_args={"timeout": WAIT_SECONDS}, pool_size=most_open)

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
                _wait_for(connection, WAIT_SECONDS)

    return engine


def sqlite_file(url: URL) -> Path:
    """Return the file of an SQLite database."""
    return Path((url.database or "").removeprefix("file:"))
