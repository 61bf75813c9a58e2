"""Fetch rows with the driver's own cursor, many times faster than through SQLAlchemy.

Spoiled values come through unparsed, and of damaged tables the readable rows.
"""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, Select, Table, bindparam, select

from ledger.database import json
from ledger.services.audit import salvage
from ledger.services.audit.tables import metadata


def columns(table: str, *names: str) -> Select[Any]:
    """Return a query for columns of a table."""
    return select(*(metadata.tables[table].c[name] for name in names))


def fetch(connection: Connection, query: Select[Any]) -> list[Any]:
    """Return the rows of a query that is run once; if some are damaged, the others, as ``_salvaged`` does."""
    compiled = query.compile(connection.engine, compile_kwargs={"literal_binds": True})
    try:
        return _fetch_text(connection, str(compiled), ())
    except salvage.unreadable(connection) as error:
        return _salvaged(connection, query, {}, error)


def fetch_with(connection: Connection, query: Select[Any], **parameters: int) -> list[Any]:
    """Return the rows of a query that is run many times, compiled once; if some are damaged, the others."""
    try:
        return _fetch(connection, query.compile(dialect=connection.dialect), parameters)
    except salvage.unreadable(connection) as error:
        return _salvaged(connection, query, parameters, error)


def _salvaged(
    connection: Connection, query: Select[Any], parameters: Mapping[str, int], error: BaseException
) -> list[Any]:
    """Return the readable rows of a query that failed, and record the others with ``salvage.record``.

    On PostgreSQL an index alone may be damaged, so the query first runs without indexes. Otherwise the rows
    are read by id and without the query's limit; for a count or sum there are none.
    """
    if connection.dialect.name != "sqlite":
        try:
            with salvage.planner_without(connection, *salvage.INDEX_SCANS):
                return _fetch(connection, query.compile(dialect=connection.dialect), parameters)
        except salvage.unreadable(connection):
            pass
    tables = (getattr(column, "table", None) for column in query.selected_columns)
    table = next((candidate for candidate in tables if isinstance(candidate, Table)), None)
    if table is None:
        salvage.record(connection, "a sum of rows", error)
        return []
    piece = query.limit(None).where(table.c.id > bindparam("low_id"))
    piece = piece.where(table.c.id <= bindparam("high_id"))
    options = {"render_postcompile": True}
    compiled = piece.compile(dialect=connection.dialect, compile_kwargs=options)

    def read(low: int, high: int) -> list[Any]:
        return _fetch(connection, compiled, {**parameters, "low_id": low, "high_id": high})

    return salvage.read_in_pieces(connection, table.name, read, 0, salvage.HIGHEST)


def _fetch(connection: Connection, compiled: Any, parameters: Mapping[str, int]) -> list[Any]:
    named, names = compiled.construct_params(parameters), compiled.positiontup
    values = named if names is None else [named[name] for name in names]
    return _fetch_text(connection, str(compiled), values)


def _fetch_text(connection: Connection, statement: str, parameters: Any) -> list[Any]:
    with salvage.savepoint(connection):
        cursor = connection.connection.cursor()
        try:
            cursor.execute(statement, parameters)
            return list(cursor.fetchall())
        finally:
            cursor.close()


def document(value: Any) -> Any:
    """Parse the text of a JSON column, and return any other value as is: PostgreSQL's driver parses JSON.

    Raises one of ``SPOILED`` for malformed text.
    """
    return json.read(value) if isinstance(value, str) else value


def instant(value: Any) -> datetime:
    """Return the driver's value of a time as an aware datetime; SQLite stores UTC without a time zone.

    Raises one of ``SPOILED`` for anything else.
    """
    at: datetime = value
    if isinstance(value, str):
        at = datetime.fromisoformat(value if "+" in value else f"{value}+00:00")
    return at if at.tzinfo else at.replace(tzinfo=UTC)


def json_text(value: Any) -> str:
    """Return a JSON column's text as stored, or written again if the driver has parsed it."""
    return value if isinstance(value, str) else json.text(value)
