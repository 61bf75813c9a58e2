"""Built statements on their way to the database: prepared once a dialect, then handed to its driver.

SQLAlchemy compiles them, converts their values, wraps what goes wrong and tells those who listen, as of
all others. What it works out again at every execution is worked out once here: that is most of what it
costs to send a small statement.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from operator import itemgetter
from typing import Any

from sqlalchemy import Connection, Delete, Dialect, Engine, Insert, Select, Update

Statement = Select[*tuple[Any, ...]] | Insert | Update | Delete
Converter = Callable[[Any], Any]


class DriverConnection:
    """A connection as statements go by it to its driver; those who listen are those who did when it began."""

    __slots__ = ("_hearing", "_opened", "connection", "dialect")

    def __init__(self, connection: Connection) -> None:
        self.connection, self.dialect = connection, connection.dialect
        self._opened: Callable[[], Any] = connection.connection.cursor
        self._hearing = tuple(connection.dispatch.before_cursor_execute)

    @classmethod
    def begun(cls, engine: Engine) -> "DriverConnection":
        """Begin a transaction on a connection; where it can't begin, the connection is given back at once."""
        connection = engine.connect()
        try:
            connection.begin()
            return cls(connection)
        except BaseException:
            connection.close()
            raise

    def send(self, text: str, values: Any = (), *, many: bool = False) -> Any:
        """Hand a statement to the driver as it takes it; return its cursor."""
        cursor = self._opened()
        for hear in self._hearing:
            hear(self.connection, cursor, text, values, None, many)
        try:
            (cursor.executemany if many else cursor.execute)(text, values)
        except Exception as error:
            self.connection._handle_dbapi_exception(error, text, values, cursor, None)
        return cursor


class GonePast(RuntimeError):
    """A statement failed and somebody went on: a programming error, and nothing may be taken for saved."""


def must_be_whole(connection: Connection) -> None:
    """Raise ``GonePast`` where a statement of the transaction failed.

    PostgreSQL answers a COMMIT then by undoing all of it, without a word; SQLite has undone it already where
    the disk failed, and what was sent since would stand alone.
    """
    raw: Any = connection.connection.driver_connection
    if connection.dialect.name == "sqlite":
        whole = raw.in_transaction
    else:
        whole = raw.info.transaction_status.name != "INERROR"
    if not whole:
        raise GonePast("a statement failed in this transaction, and nothing of it can stand")


class PreparedStatement:
    """A statement as a dialect's driver takes it; ``columns`` are those that an INSERT fills."""

    def __init__(
        self, statement: Statement, dialect: Dialect, columns: Sequence[str] | None = None
    ) -> None:
        made: Any = statement.compile(dialect=dialect, column_keys=columns)
        self._text = str(made)
        binds = made.binds
        if any(bind.expanding for bind in binds.values()):
            raise ValueError("a list would make another statement each time: see scope.each_of")
        self._known = {name: bind.value for name, bind in binds.items() if not bind.required}
        self._in_order = made.positiontup is not None
        self._names: list[str] = made.positiontup if self._in_order else list(binds)
        self._told = _all_of(self._names)
        writers = (
            (place, binds[name].type.dialect_impl(dialect).bind_processor(dialect))
            for place, name in enumerate(self._names)
        )
        self._writers = [(place, convert) for place, convert in writers if convert is not None]
        answered = statement.exported_columns
        readers = (
            (place, column.type.dialect_impl(dialect).result_processor(dialect, None))
            for place, column in enumerate(answered)
        )
        self._readers = [(place, convert) for place, convert in readers if convert is not None]

    def send(self, driver: DriverConnection, *given: Mapping[str, Any], **alike: Any) -> Any:
        """Send it once for each of ``given``, with what is ``alike`` for all; return the driver's cursor."""
        many = len(given) > 1
        known = self._known
        every = [self._as_taken({**known, **each, **alike}) for each in given]
        return driver.send(self._text, every if many else every[0], many=many)

    def ask(self, driver: DriverConnection, given: Mapping[str, Any]) -> Iterator[Sequence[Any]]:
        """Send it and return the rows, column by column."""
        cursor = self.send(driver, given)
        readers = self._readers
        for row in cursor.fetchall():
            values = list(row)
            for place, convert in readers:
                if values[place] is not None:
                    values[place] = convert(values[place])
            yield values
        cursor.close()

    def _as_taken(self, told: Mapping[str, Any]) -> Any:
        """Return values as the driver takes them: converted, by their names or in their order."""
        values: Sequence[Any] = self._told(told)
        if self._writers:
            values = list(values)
            for place, convert in self._writers:
                values[place] = convert(values[place])
        if not self._in_order:
            return dict(zip(self._names, values, strict=True))
        return values if type(values) is tuple else tuple(values)


def _all_of(names: Sequence[str]) -> Callable[[Mapping[str, Any]], Sequence[Any]]:
    """Return what takes the values of these names out of a mapping, in this order."""
    if len(names) > 1:
        return itemgetter(*names)
    return lambda told: [told[name] for name in names]


prepared = lru_cache(maxsize=1024)(PreparedStatement)
"""A statement as a dialect takes it, prepared when it is first sent."""
