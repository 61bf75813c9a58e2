"""Every column of the tables that nothing is recomputed from: whether it holds what its kind can hold."""

from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from datetime import date
from types import NoneType
from typing import Any

from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    Connection,
    Date,
    DateTime,
    Integer,
    LargeBinary,
    Table,
    bindparam,
)

from ledger.database.json import SPOILED
from ledger.services.audit.lookups import BEFORE, CHUNK, Shelf
from ledger.services.audit.raw import columns, document, instant, rows_with
from ledger.services.audit.tables import metadata

LOOKED_AT_ELSEWHERE = ("journal_entry", "posting", "result", "hand_version", "hand")
"""The long tables, whose rows the other checks read anyway."""


def check(connection: Connection, shelf: Shelf) -> None:
    """Note each column that holds something of another kind; PostgreSQL lets none in."""
    if connection.dialect.name != "sqlite":
        return
    for table in metadata.sorted_tables:
        if table.name not in LOOKED_AT_ELSEWHERE:
            _table(connection, shelf, table)


def _table(connection: Connection, shelf: Shelf, table: Table) -> None:
    own = [each.name for each in table.columns]
    owner = "club_id" if "club_id" in table.c else "id"
    there, after = Contents(table.name, own), BEFORE
    query = columns(table.name, "id", owner, *own).where(table.c.id > bindparam("after"))
    query = query.order_by(table.c.id).limit(CHUNK)
    while found := rows_with(connection, query, after=after):
        after = found[-1][0]
        there.check(shelf, *zip(*found, strict=True))
        if len(found) < CHUNK:
            break


class Contents:
    """Columns of a table, and what each may hold."""

    def __init__(self, table: str, names: Sequence[str]) -> None:
        self._table = table
        self._columns = [(name, *_check(metadata.tables[table].c[name])) for name in names]

    def check(
        self, shelf: Shelf, ids: Sequence[Any], clubs: Sequence[Any], *values: Sequence[Any]
    ) -> None:
        """Note what can't be held, given column by column; before them the ids and the clubs of the rows."""
        for (name, kinds, holds), there in zip(self._columns, values, strict=True):
            for at in _spoiled(there, kinds, holds):
                message = f"its {name} holds what it can't hold"
                shelf.note_at(clubs[at], f"{self._table} {ids[at]}", message)


def _spoiled(
    values: Sequence[Any], kinds: AbstractSet[type], holds: Callable[[Any], bool]
) -> list[int]:
    """Return the places in a column of what it can't hold; most have few values, each looked at once."""
    there = {*map(type, values)}
    if there <= kinds:
        return []
    if len(there - {NoneType}) <= 1:  # else a 1 would stand for a 1.0
        bad = {value for value in {*values} if not _is_well(value, holds)}
        return [at for at, value in enumerate(values) if value in bad] if bad else []
    return [at for at, value in enumerate(values) if not _is_well(value, holds)]


def _is_well(value: Any, holds: Callable[[Any], bool]) -> bool:
    try:
        return holds(value)
    except SPOILED:
        return False


def _check(column: "Column[Any]") -> tuple[AbstractSet[type], Callable[[Any], bool]]:
    """Return the types of which a column may hold everything, and what tells whether it may hold a value."""
    holds = next(holds for of, holds in _KINDS if isinstance(column.type, of))
    may_be_none = bool(column.nullable)
    whole = {int} if isinstance(column.type, Integer) else set()
    return whole, lambda value: may_be_none if value is None else holds(value)


def _text(value: Any) -> bool:
    return isinstance(value, str) and value.isascii() | bool(value.encode()) and "\0" not in value


def _readable(read: Callable[[Any], Any]) -> Callable[[Any], bool]:
    def holds(value: Any) -> bool:
        read(value)
        return isinstance(value, str)

    return holds


_KINDS: tuple[tuple[type, Callable[[Any], bool]], ...] = (
    (Boolean, lambda value: type(value) is int and value in (0, 1)),
    (Integer, lambda value: type(value) is int),
    (DateTime, _readable(instant)),
    (Date, _readable(date.fromisoformat)),
    (JSON, _readable(document)),
    (LargeBinary, lambda value: isinstance(value, bytes)),
    (object, _text),
)
