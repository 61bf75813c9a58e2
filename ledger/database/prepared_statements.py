"""Statements compiled once per dialect and sent straight to the database driver.

SQLAlchemy compiles them and supplies their type converters, listeners and errors. Sending them without its
execution context saves most of the cost of a small statement.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from operator import itemgetter
from typing import Any

from sqlalchemy import Connection, Delete, Dialect, Engine, Insert, Select, Update

from ledger.database.sqlalchemy_internals import raise_failure, statement_listeners

Statement = Select[*tuple[Any, ...]] | Insert | Update | Delete
Converter = Callable[[Any], Any]


class DriverConnection:
    """Sends SQL text over a connection's driver; its listeners are those registered at its creation."""

    __slots__ = ("_listeners", "_open_cursor", "connection", "dialect")

    def __init__(self, connection: Connection) -> None:
        self.connection, self.dialect = connection, connection.dialect
        self._open_cursor: Callable[[], Any] = connection.connection.cursor
        self._listeners = statement_listeners(connection)

    @classmethod
    def begun(cls, engine: Engine) -> "DriverConnection":
        """Begin a transaction on a new connection; if BEGIN fails, return the connection to the pool."""
        connection = engine.connect()
        try:
            connection.begin()
            return cls(connection)
        except BaseException:
            connection.close()
            raise

    def send(self, text: str, values: Any = (), *, many: bool = False) -> Any:
        """Execute SQL text with the driver's own parameters and return the cursor."""
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
    """A statement in a dialect's SQL with its value converters; ``columns`` are those an INSERT fills."""

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
        self._pick = _picker(self._names)
        writers = (
            (index, binds[name].type.dialect_impl(dialect).bind_processor(dialect))
            for index, name in enumerate(self._names)
        )
        self._writers = _by_type(writers)
        readers = (
            (index, column.type.dialect_impl(dialect).result_processor(dialect, None))
            for index, column in enumerate(statement.exported_columns)
        )
        self._readers = _by_type(readers)

    def send(self, driver: DriverConnection, *rows: Mapping[str, Any], **common: Any) -> Any:
        """Execute once for each of ``rows``, with ``common`` added to each; return the driver's cursor."""
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
        values: Sequence[Any] = self._pick(by_name)
        if self._writers:
            values = list(values)
            for index, convert in self._writers:
                values[index] = convert(values[index])
        if not self._is_positional:
            return dict(zip(self._names, values, strict=True))
        return values if type(values) is tuple else tuple(values)


def _by_type(
    converters: Iterable[tuple[int, Converter | None]],
) -> list[tuple[int, Converter]]:
    """Return the converters that are not None, grouped by type."""
    present = [(index, convert) for index, convert in converters if convert is not None]
    return sorted(present, key=lambda pair: pair[1].__qualname__)


def _picker(names: Sequence[str]) -> Callable[[Mapping[str, Any]], Sequence[Any]]:
    """Return a function that takes these names' values out of a mapping, in order."""
    if len(names) > 1:
        return itemgetter(*names)
    return lambda by_name: [by_name[name] for name in names]


# Cached for the benchmark saving: compiling a statement takes ten times as long as sending it.
prepared = lru_cache(maxsize=1024)(PreparedStatement)
"""Return the prepared form of a statement, built when it is first sent."""
