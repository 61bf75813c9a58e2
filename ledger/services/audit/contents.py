"""Every column of the tables that nothing is recomputed from: whether it holds what its kind can hold."""

from collections.abc import Callable, Mapping, Sequence
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
    bindparam,
)

from ledger.json_text import SPOILED
from ledger.services.audit.lookups import CHUNK, Shelf
from ledger.services.audit.raw import columns, document, instant, rows_with
from ledger.services.audit.tables import metadata

COMPARED: Mapping[str, Sequence[str]] = {
    "journal_entry": (),
    "posting": (),
    "result": (),
    "hand_version": ("engine_version",),
}
"""The long tables whose columns the other checks look at, and which of them they leave out."""


def check(connection: Connection, shelf: Shelf) -> None:
    """Note each column that holds something of another kind; PostgreSQL lets none in."""
    if connection.dialect.name != "sqlite":
        return
    for table in metadata.sorted_tables:
        own = COMPARED.get(table.name, [each.name for each in table.columns])
        if own:
            _table(connection, shelf, table.name, own)


def _table(connection: Connection, shelf: Shelf, name: str, own: Sequence[str]) -> None:
    table = metadata.tables[name]
    owner = "club_id" if "club_id" in table.c else "id"
    checks = [_check(table.c[each]) for each in own]
    query = columns(name, "id", owner, *own).where(table.c.id > bindparam("after"))
    query, after = query.order_by(table.c.id).limit(CHUNK), 0
    while found := rows_with(connection, query, after=after):
        after = found[-1][0]
        _, _, *values = zip(*found, strict=True)
        for column, holds, there in zip(own, checks, values, strict=True):
            for at in _spoiled(there, holds):
                row_id, club_id, *_ = found[at]
                message = f"its {column} holds what it can't hold"
                shelf.note_at(club_id, f"{name} {row_id}", message)
        if len(found) < CHUNK:
            break


def _spoiled(values: Sequence[Any], holds: Callable[[Any], bool]) -> list[int]:
    """Return the places in a column of what it can't hold; most have few values, each looked at once."""
    if len({*map(type, values)} - {NoneType}) <= 1:  # else a 1 would stand for a 1.0
        bad = {value for value in {*values} if not _is_well(value, holds)}
        return [at for at, value in enumerate(values) if value in bad] if bad else []
    return [at for at, value in enumerate(values) if not _is_well(value, holds)]


def _is_well(value: Any, holds: Callable[[Any], bool]) -> bool:
    try:
        return holds(value)
    except SPOILED:
        return False


def _check(column: "Column[Any]") -> Callable[[Any], bool]:
    """Return what tells whether a column may hold a value."""
    holds = next(holds for of, holds in _KINDS if isinstance(column.type, of))
    may_be_none = bool(column.nullable)
    return lambda value: may_be_none if value is None else holds(value)


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
