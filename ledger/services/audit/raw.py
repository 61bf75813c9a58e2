"""Fetch rows with the driver's own cursor, many times faster than through SQLAlchemy.

Spoiled values come through unparsed, and of damaged tables the readable rows.
"""

from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import (
    JSON,
    BigInteger,
    Column,
    ColumnElement,
    Connection,
    FromClause,
    Select,
    Table,
    bindparam,
    cast,
    func,
    literal_column,
    select,
)

from ledger.database import json
from ledger.services.audit import salvage
from ledger.services.audit.tables import metadata

_CLUB = bindparam("club", type_=BigInteger)


def of_club(table: FromClause) -> ColumnElement[bool]:
    """Return the SQL condition that a row is of the club whose id is bound to ``club``."""
    return table.c["club_id" if "club_id" in table.c else "id"] == _CLUB


def refers(column: Column[Any], target: FromClause) -> ColumnElement[bool]:
    """Return the SQL condition that a row of ``target`` has the id in ``column`` and is of the same club."""
    return (target.c.club_id == column.table.c.club_id) & (target.c.id == column)


def columns(table: str, *names: str) -> Select[Any]:
    """Return a query for columns of a table's rows in the club whose id is bound to ``club``."""
    source = metadata.tables[table]
    return select(*(source.c[name] for name in names)).where(of_club(source))


def listed_ids(parameter: str) -> Select[Any]:
    """Return a subquery of the ids bound to the parameter, for use with ``IN``.

    The parameter's value is the text of a JSON object with the ids as keys.
    """
    listed = func.json_each(bindparam(parameter, type_=JSON)).table_valued("key")
    return select(cast(listed.c.key, BigInteger))


def fetch(connection: Connection, query: Select[Any], **parameters: int | str) -> list[Any]:
    """Return the rows of a query; if some can't be read because a page is damaged, the others.

    The query is compiled once for each connection.
    """
    try:
        return _fetch(connection, query, parameters)
    except salvage.unreadable(connection) as error:
        return _salvaged(connection, query, parameters, error)


def _salvaged(
    connection: Connection,
    query: Select[Any],
    parameters: Mapping[str, int | str],
    error: BaseException,
) -> list[Any]:
    """Return the readable rows of a query that failed, and record the others with ``salvage.record``.

    On PostgreSQL an index alone may be damaged, so the query first runs without indexes. Otherwise the rows
    are read by id, on SQLite by its own number of each row, as that needs no index, and without the query's
    limit; for a count or sum there are none.
    """
    if connection.dialect.name != "sqlite":
        try:
            with salvage.planner_without(connection, *salvage.INDEX_SCANS):
                return _fetch(connection, query, parameters)
        except salvage.unreadable(connection):
            pass
    tables = (getattr(column, "table", None) for column in query.selected_columns)
    table = next((candidate for candidate in tables if isinstance(candidate, Table)), None)
    if table is None:
        salvage.record(connection, "a sum of rows", error)
        return []
    key: ColumnElement[Any] = table.c.get("id", next(iter(table.c)))
    if connection.dialect.name == "sqlite":
        key = literal_column(f"{table.name}.rowid")
    piece = query.limit(None).where(key > bindparam("low"), key <= bindparam("high"))
    piece = piece.with_hint(table, "NOT INDEXED", "sqlite")

    def read(low: int, high: int) -> list[Any]:
        return _fetch(connection, piece, {**parameters, "low": low, "high": high})

    def highest() -> int:
        """Return the highest number of a row or, if it can't be read, twice the number of rows or a guess."""
        for number in (func.max(key), func.count() * 2):
            with suppress(TypeError, ValueError, *salvage.unreadable(connection)):
                return int(_fetch(connection, select(number).select_from(table), {})[0][0] or 0)
        return salvage.GUESS

    return salvage.read_in_pieces(connection, table.name, read, highest)


def _compiled(
    connection: Connection, query: Select[Any]
) -> tuple[str, Mapping[str, Any], list[str] | None]:
    """Return a query's text, its parameters, and their order if the driver needs it.

    The connection keeps them, because the same queries are sent for each club.
    """
    compiled_queries: dict[Select[Any], Any] = connection.info.setdefault("compiled queries", {})
    if query not in compiled_queries:
        compiled: Any = query.compile(dialect=connection.dialect)
        parameters = compiled.construct_params(_check=False)
        compiled_queries[query] = str(compiled), parameters, compiled.positiontup
    sendable: tuple[str, Mapping[str, Any], list[str] | None] = compiled_queries[query]
    return sendable


def _fetch(
    connection: Connection, query: Select[Any], parameters: Mapping[str, int | str]
) -> list[Any]:
    text, defaults, names = _compiled(connection, query)
    values: Any = {**defaults, **parameters}
    if names is not None:
        values = [values[name] for name in names]
    with salvage.savepoint(connection):
        cursor = connection.connection.cursor()
        try:
            cursor.execute(text, values)
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
