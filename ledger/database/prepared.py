"""Prepared statements, sent straight to the database driver.

A statement is compiled once per dialect. SQLAlchemy compiles it and supplies its type converters, listeners
and errors; its execution context, which is left out, is most of the cost of a small statement.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from sqlalchemy import Connection, Delete, Dialect, Insert, Select, Update

from ledger.database.narrowing import OutOfScope
from ledger.database.sqlalchemy_internals import raise_failure, statement_listeners

Statement = Select[*tuple[Any, ...]] | Insert | Update | Delete


class _Sent(NamedTuple):
    """A statement with its driver's cursor: SQL text, values, and the number of rows that it must change."""

    cursor: Any
    text: str
    values: Any
    many: bool
    fewest: int

    def execute(self) -> None:
        (self.cursor.executemany if self.many else self.cursor.execute)(self.text, self.values)

    def check(self) -> None:
        if self.cursor.rowcount < self.fewest:
            raise OutOfScope("a row that is not the club's was about to be changed")


class DriverConnection:
    """Sends SQL text over a connection's driver; its listeners are those registered at its creation.

    A failure is raised as SQLAlchemy's error. On PostgreSQL, statements of ``send_soon`` wait for the next
    ``send`` or ``settle``, and are sent with it: one round trip for all.
    """

    __slots__ = ("_listeners", "_open_cursor", "_waiting", "connection", "dialect")

    def __init__(self, connection: Connection) -> None:
        self.connection, self.dialect = connection, connection.dialect
        self._open_cursor: Callable[[], Any] = connection.connection.cursor
        self._listeners = statement_listeners(connection)
        self._waiting: list[_Sent] = []

    def send(self, text: str, values: Any = (), *, many: bool = False) -> Any:
        """Execute SQL text, once for each of ``values`` if ``many``, and return the driver's open cursor.

        Statements that wait are executed before it, in the same round trip.
        """
        statement = self._announced(text, values, many, 0)
        if self._waiting:
            self._waiting.append(statement)
            self.settle()
        else:
            self._execute(statement)
        return statement.cursor

    def send_soon(self, text: str, values: Any, *, many: bool = False, fewest: int = 0) -> Any:
        """Execute SQL text as ``send``, now or later, and return the cursor, which is filled afterwards.

        Raises ``OutOfScope``, now or later, if fewer rows than ``fewest`` are changed.
        """
        statement = self._announced(text, values, many, fewest)
        if self.dialect.name == "sqlite":
            self._execute(statement)
            statement.check()
        else:
            self._waiting.append(statement)
        return statement.cursor

    def settle(self) -> None:
        """Execute the statements that wait, in order. Raises the failure of the first one that fails."""
        if not self._waiting:
            return
        statements, self._waiting = self._waiting, []
        connection: Any = self.connection.connection.driver_connection
        try:
            with connection.pipeline():
                for statement in statements:
                    statement.execute()
        except Exception as error:
            # Only a statement that has succeeded has a status.
            unfinished = (one for one in statements if one.cursor.statusmessage is None)
            failed = next(unfinished, statements[-1])
            raise_failure(self.connection, error, failed.text, failed.values, failed.cursor)
        for statement in statements:
            statement.check()

    def _announced(self, text: str, values: Any, many: bool, fewest: int) -> _Sent:
        cursor = self._open_cursor()
        for listener in self._listeners:
            listener(self.connection, cursor, text, values, None, many)
        return _Sent(cursor, text, values, many, fewest)

    def _execute(self, statement: _Sent) -> None:
        try:
            statement.execute()
        except Exception as error:
            raise_failure(
                self.connection, error, statement.text, statement.values, statement.cursor
            )

    def copy_in(self, table: str, columns: Iterable[str], rows: Iterable[Sequence[Any]]) -> None:
        """Insert rows by PostgreSQL's COPY. A failure is raised as SQLAlchemy's error."""
        self.settle()
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

    def send_soon(
        self, driver: DriverConnection, *rows: Mapping[str, Any], fewest: int = 0, **common: Any
    ) -> Any:
        """Execute for each row (at least one), with ``common`` added: see ``DriverConnection.send_soon``."""
        many = len(rows) > 1
        values = [self._parameters({**self._defaults, **row, **common}) for row in rows]
        return driver.send_soon(self._text, values if many else values[0], many=many, fewest=fewest)

    def ask(self, driver: DriverConnection, parameters: Mapping[str, Any]) -> list[list[Any]]:
        """Execute once with these parameters, and return the rows with their values converted to Python's."""
        return self.rows(
            driver.send(self._text, self._parameters({**self._defaults, **parameters}))
        )

    def rows(self, cursor: Any) -> list[list[Any]]:
        """Return the rows of an executed statement, with values converted to Python's; close its cursor."""
        rows = list(map(list, cursor.fetchall()))
        cursor.close()
        for index, convert in self._readers:
            for row in rows:
                if row[index] is not None:
                    row[index] = convert(row[index])
        return rows

    def _parameters(self, by_name: Mapping[str, Any]) -> Any:
        """Return the values, converted, as the driver takes them: a dict, or a tuple in order."""
        values = [by_name[name] for name in self._names]
        for index, convert in self._writers:
            values[index] = convert(values[index])
        return tuple(values) if self._is_positional else dict(zip(self._names, values, strict=True))


# Cached for the benchmark saving: compiling a statement takes ten times as long as sending it.
prepared = lru_cache(maxsize=1024)(PreparedStatement)
"""Return the prepared form of a statement, built when it is first sent."""
