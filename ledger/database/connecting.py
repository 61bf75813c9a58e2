"""Database engines, and read transactions that see one moment.

SQLite: ``synchronous=FULL`` (a saved hand survives a power cut) and foreign keys on. PostgreSQL: reads are
REPEATABLE READ and READ ONLY. Nothing here depends on the tables.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import URL, ExceptionContext, make_url
from sqlalchemy.exc import DBAPIError, TimeoutError

from ledger.database import json, outage
from ledger.words.problems import Busy, FileLocked, NotFound, Overtaken

_LOCK_TIMEOUT = "55P03"
_OVERTAKEN = {"40001", "40P01"}
"""SQLSTATEs of a conflict with another transaction: serialization failure and deadlock."""

WAIT_SECONDS = 20
"""The seconds a writer waits for other writers."""

MOST_OPEN = 32
"""The default limit of open connections; no thread waits for one while another writes.

All those to an SQLite file stay open, as opening one reads the whole schema; to PostgreSQL a few do.
"""
_KEPT_ON_POSTGRES = 5

POOL_SECONDS = 5
"""The seconds a thread waits for a connection to PostgreSQL; there are more of them than threads."""

_CONNECT_SECONDS = 3
"""The seconds that connecting to PostgreSQL may take, for each host in the URL."""

_NETWORK = {
    "keepalives": 1,
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 2,
    "tcp_user_timeout": 5_000,
}
"""The TCP settings that end a connection to a machine that is gone; the URL may set others."""


_ATTACHED = "attached"
"""The key under which a connection stores the name of the file that it has attached."""


class Connected:
    """A database's engine, with read transactions that see one moment; it connects when first used."""

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
        """Yield a connection in a read transaction; failures are raised as in ``named_failures``.

        PostgreSQL refuses writes in it.
        """
        with named_failures(), self._reading.connect() as connection:
            connection.begin()
            yield connection

    def close(self) -> None:
        """Close the idle connections; the next use opens new ones."""
        self.engine.dispose()


@contextmanager
def named_failures() -> Iterator[None]:
    """Turn the block's errors of the database into problems; raise all other exceptions unchanged.

    ``Busy`` means that another transaction held a lock for too long, or that no connection was free;
    ``Overtaken`` a conflict with another transaction; ``FileLocked`` an SQLite file locked by another
    program; ``Unreachable`` a failure as in ``outage.failure``.
    """
    try:
        yield
    except TimeoutError as error:
        raise Busy() from error
    except DBAPIError as error:
        state = getattr(error.orig, "sqlstate", None)  # SQLite has none
        if state in _OVERTAKEN:
            raise Overtaken() from error
        if state == _LOCK_TIMEOUT:
            raise Busy() from error
        if "database is locked" in str(error.orig):
            raise FileLocked() from error
        failed = outage.failure(error)
        if failed is None:
            raise
        raise failed from error


def _engine(url: str, **options: Any) -> Engine:
    """Create an engine that uses our JSON library, our error handler and these options, for any dialect."""
    engine = create_engine(
        url,
        json_serializer=json.text,
        json_deserializer=json.read,
        hide_parameters=True,  # logs have other readers: no keys, no hashes
        pool_use_lifo=True,  # readiness then tests the connection that the next request takes
        **options,
    )
    event.listen(engine, "handle_error", _handle_error)
    return engine


def _handle_error(failure: ExceptionContext) -> Exception | None:
    """Mark a standby's connection as dead; return ``NotFound`` for a SELECT of a number too large for a row.

    Each driver has its own error for that number; in a write it is our mistake. None leaves an error as is.
    """
    error = failure.original_exception
    if getattr(error, "sqlstate", None) in outage.STANDBY:
        failure.is_disconnect = True  # a new connection may lead to the server that took over
    message = str(error)
    is_too_large = "SQLite INTEGER" in message or "out of range" in message
    if is_too_large and (failure.statement or "").startswith("SELECT"):
        return NotFound("There is nothing with that number here.")
    return None


def postgres_arguments(url: URL) -> dict[str, Any]:
    """Return the encoding and timeouts of a connection to PostgreSQL, except for any that the URL states."""
    # A database of unknown encoding would return texts as bytes; revisions.at refuses it.
    arguments = {"client_encoding": "utf8", "connect_timeout": _CONNECT_SECONDS, **_NETWORK}
    return {name: value for name, value in arguments.items() if name not in url.query}


def _postgres(url: str, most_open: int) -> Engine:
    engine = _engine(
        url,
        # With a stricter level, which a server may have as its default, a write that waited for its club's
        # row would fail.
        isolation_level="READ COMMITTED",
        pool_pre_ping=True,
        pool_size=_KEPT_ON_POSTGRES,
        max_overflow=most_open - _KEPT_ON_POSTGRES,
        pool_timeout=POOL_SECONDS,
        connect_args=postgres_arguments(make_url(url)),
    )
    from ledger.database.liveness import Watch, Watched  # needs psycopg

    watch = Watch()

    @event.listens_for(engine, "do_connect")
    def _connect(_dialect: object, _record: object, _none: object, address: Any) -> Watched:
        return watch.connect(**address)

    @event.listens_for(engine, "connect")
    def _prepare(connection: Any, _record: object) -> None:
        # Without a lock timeout a write would wait for a club's row forever. One set by the URL, the
        # role or the database takes precedence.
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT pg_backend_pid(), CASE current_setting('lock_timeout') WHEN '0'"
                " THEN set_config('lock_timeout', %s, false) END",
                (f"{WAIT_SECONDS * 1000:.0f}ms",),
            )
            connection.backend, _ = cursor.fetchone()
        connection.commit()

    return engine


def _set_lock_timeout(connection: Connection, seconds: float) -> None:
    connection.exec_driver_sql(f"PRAGMA busy_timeout = {seconds * 1000:.0f}")


def attach(connection: Connection, file: Path, name: str) -> None:
    """Attach another SQLite file under a name, until the connection returns to its pool."""
    connection.exec_driver_sql(f"ATTACH ? AS {name}", (str(file),))
    connection.info[_ATTACHED] = name


def _sqlite(url: str, most_open: int) -> Engine:
    engine = _engine(url, connect_args={"timeout": WAIT_SECONDS}, pool_size=most_open)

    @event.listens_for(engine, "connect")
    def _prepare(connection: Any, _record: object) -> None:
        # The driver would begin a deferred transaction itself, and only before the first write.
        connection.isolation_level = None
        cursor = connection.cursor()
        cursor.execute("PRAGMA foreign_keys = ON")
        cursor.execute("PRAGMA synchronous = FULL")
        cursor.close()

    @event.listens_for(engine, "checkin")
    def _detach(connection: Any, record: Any) -> None:
        name = record.info.pop(_ATTACHED, None)
        if name and connection is not None:  # it is None after it was lost
            connection.execute(f"DETACH {name}")

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        options = connection.get_execution_options()
        patience = options.get("ledger_patience")
        if patience is not None:
            _set_lock_timeout(connection, patience)
        try:
            connection.exec_driver_sql(options.get("ledger_begin", "BEGIN"))
        finally:
            if patience is not None:  # the connection returns to the pool
                _set_lock_timeout(connection, WAIT_SECONDS)

    return engine


def sqlite_file(url: URL) -> Path:
    """Return the path of an SQLite database's file, whether or not it exists."""
    return Path((url.database or "").removeprefix("file:"))
