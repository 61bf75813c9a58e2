"""Reading rows as the driver gives them, which is many times faster than through the toolkit."""

from collections.abc import Mapping
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

from sqlalchemy import Connection, Dialect, Select, Table, bindparam, select

from ledger.database import json
from ledger.services.audit import salvage
from ledger.services.audit.tables import metadata


def columns(table: str, *names: str) -> Select[Any]:
    """Select columns of a table."""
    return select(*(metadata.tables[table].c[name] for name in names))


def rows(connection: Connection, query: Select[Any]) -> list[Any]:
    """Fetch rows as the driver gives them.

    That is many times faster than through the toolkit, and what was spoiled by hand does not end the reading.
    """
    compiled = query.compile(connection.engine, compile_kwargs={"literal_binds": True})
    try:
        return _fetch(connection, str(compiled), ())
    except salvage.unreadable(connection) as error:
        return _salvaged(connection, query, {}, error)


def rows_with(connection: Connection, query: Select[Any], **given: int) -> list[Any]:
    """Fetch rows of a query that is asked again and again, with its named parameters."""
    try:
        return _sent(connection, _compiled(query, connection.dialect), given)
    except salvage.unreadable(connection) as error:
        return _salvaged(connection, query, given, error)


def _salvaged(
    connection: Connection, query: Select[Any], given: Mapping[str, int], error: BaseException
) -> list[Any]:
    """Fetch of a query's rows those that can be read, where all at once can't be.

    On PostgreSQL it may be an index alone that is damaged: the tables are read without first.
    """
    if connection.dialect.name != "sqlite":
        try:
            with salvage.without(connection, *salvage.BY_TABLE):
                return _sent(connection, _compiled(query, connection.dialect), given)
        except salvage.unreadable(connection):
            pass
    tables = (getattr(column, "table", None) for column in query.selected_columns)
    table = next((each for each in tables if isinstance(each, Table)), None)
    if table is None:
        salvage.lost(connection, "a sum of rows", error)
        return []
    piece = query.limit(None).where(table.c.id > bindparam("low_id"))
    piece = piece.where(table.c.id <= bindparam("high_id"))
    compiled = piece.compile(
        dialect=connection.dialect, compile_kwargs={"render_postcompile": True}
    )

    def read(low: int, high: int) -> list[Any]:
        return _sent(connection, compiled, {**given, "low_id": low, "high_id": high})

    return salvage.piece_by_piece(connection, table.name, read, 0, salvage.BEYOND)


def _sent(connection: Connection, compiled: Any, given: Mapping[str, int]) -> list[Any]:
    named = compiled.construct_params(given)
    places = compiled.positiontup
    return _fetch(
        connection, str(compiled), named if places is None else [named[each] for each in places]
    )


def _fetch(connection: Connection, statement: str, given: Any) -> list[Any]:
    with salvage.tried(connection):
        cursor = connection.connection.cursor()
        try:
            cursor.execute(statement, given)
            return list(cursor.fetchall())
        finally:
            cursor.close()


@lru_cache(maxsize=16)
def _compiled(query: Select[Any], dialect: Dialect) -> Any:
    """Put a query into the database's words, once."""
    return query.compile(dialect=dialect)


def document(value: Any) -> Any:
    """Read a JSON column as the driver gave it; PostgreSQL's has read it already."""
    return json.read(value) if isinstance(value, str) else value


def instant(value: Any) -> datetime:
    """Read an instant as the driver gave it: SQLite keeps it in UTC without saying so."""
    at: datetime = value
    if isinstance(value, str):
        at = datetime.fromisoformat(value if "+" in value else f"{value}+00:00")
    return at if at.tzinfo else at.replace(tzinfo=UTC)


def kept_text(value: Any) -> str:
    """Return the text of a JSON column."""
    return value if isinstance(value, str) else json.text(value)
