"""Prepared statements, sent straight to the database driver.

A statement is compiled once per dialect. SQLAlchemy compiles it and supplies its type converters, listeners
and errors; its execution context, which is left out, is most of the cost of a small statement.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from sqlalchemy import Connection, Delete, Dialect, Insert, Select, Update

from ledger.database.sqlalchemy_internals import raise_failure, statement_listeners

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

    def copy_in(self, table: str, columns: Iterable[str], rows: Iterable[Sequence[Any]]) -> None:
        """Insert rows by PostgreSQL's COPY. A failure is raised as SQLAlchemy's error."""
        text = f"COPY {table} ({', '.join(columns)}) FROM STDIN"
        cursor = self._open_cursor()
        try:
            with cursor.copy(text) as copying:
                for row in rows:
                    copying.write_row(row)
        except Exception as error:
            raise_failure(self.connection, error, text, (), cursor)


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
