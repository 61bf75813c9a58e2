"""Check that every column holds values of its type, in tables that nothing is recomputed from."""

from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from datetime import date
from types import NoneType
from typing import Any

from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    Date,
    DateTime,
    Integer,
    LargeBinary,
    Select,
    Table,
    bindparam,
    select,
)

from ledger.database.json import SPOILED
from ledger.services.audit.lookups import BELOW_ALL, CHUNK, Lookups
from ledger.services.audit.raw import document, instant, of_club
from ledger.services.audit.tables import OWNED, metadata

CHECKED_ELSEWHERE = ("journal_entry", "posting", "result", "hand_version", "hand")
"""The long tables, whose rows other checks read anyway."""


def check(lookups: Lookups) -> None:
    """Note each value of a wrong type in a club's shorter tables on SQLite; PostgreSQL accepts none."""
    for table in (metadata.tables["club"], *OWNED):
        if table.name not in CHECKED_ELSEWHERE:
            _check_table(lookups, table)


def check_books(books: Lookups) -> None:
    """Note each value of a wrong type in SQLite's table of refused passcodes, which no club has."""
    _check_table(books, metadata.tables["refused_try"])


def _check_table(lookups: Lookups, table: Table) -> None:
    if lookups.connection.dialect.name != "sqlite":
        return
    query, contents = _CHECKS[table.name]
    after = BELOW_ALL
    while rows := lookups.fetch(query, after=after):
        after = rows[-1][0]
        contents.check(lookups, *zip(*rows, strict=True))
        if len(rows) < CHUNK:
            break


class Contents:
    """Checks values against the types of some columns of a table."""

    def __init__(self, table: str, names: Sequence[str]) -> None:
        self._table = table
        self._columns = [(name, *_rule(metadata.tables[table].c[name])) for name in names]

    def check(self, lookups: Lookups, ids: Sequence[Any], *columns: Sequence[Any]) -> None:
        """Note each value of a wrong type.

        ``columns`` are the values of the rows ``ids``, column by column.
        """
        for (name, types, is_valid), values in zip(self._columns, columns, strict=True):
            for place in _wrong_places(values, types, is_valid):
                message = f"its {name} holds what it can't hold"
                lookups.note_at(f"{self._table} {ids[place]}", message)


def _wrong_places(
    values: Sequence[Any], types: AbstractSet[type], is_valid: Callable[[Any], bool]
) -> list[int]:
    """Return the indexes of values that fail ``is_valid``; none if all values have one of these ``types``.

    Most columns repeat few values, each checked once.
    """
    present = {*map(type, values)}
    if present <= types:
        return []
    if len(present - {NoneType}) <= 1:  # with mixed types, a 1 in the set would stand for a 1.0
        wrong = {value for value in {*values} if not _passes(value, is_valid)}
        return [place for place, value in enumerate(values) if value in wrong] if wrong else []
    return [place for place, value in enumerate(values) if not _passes(value, is_valid)]


def _passes(value: Any, is_valid: Callable[[Any], bool]) -> bool:
    try:
        return is_valid(value)
    except SPOILED:
        return False


def _rule(column: "Column[Any]") -> tuple[AbstractSet[type], Callable[[Any], bool]]:
    """Return the types whose values a column accepts unexamined, and a predicate for all other values."""
    is_valid = next(rule for kind, rule in _RULES if isinstance(column.type, kind))
    is_nullable = bool(column.nullable)
    types = {int} if isinstance(column.type, Integer) else set()
    return types, lambda value: is_nullable if value is None else is_valid(value)


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and value.isascii() | bool(value.encode()) and "\0" not in value


def _is_text_for(parse: Callable[[Any], Any]) -> Callable[[Any], bool]:
    def is_valid(value: Any) -> bool:
        parse(value)
        return isinstance(value, str)

    return is_valid


_RULES: tuple[tuple[type, Callable[[Any], bool]], ...] = (
    (Boolean, lambda value: type(value) is int and value in (0, 1)),
    (Integer, lambda value: type(value) is int),
    (DateTime, _is_text_for(instant)),
    (Date, _is_text_for(date.fromisoformat)),
    (JSON, _is_text_for(document)),
    (LargeBinary, lambda value: isinstance(value, bytes)),
    (object, _is_text),
)


def _of_table(table: Table) -> tuple[Select[Any], Contents]:
    """Return a query for the next rows of a table, and the check of its columns."""
    query = select(table.c.id, *table.c).where(table.c.id > bindparam("after"))
    if table.name != "refused_try":
        query = query.where(of_club(table))
    return query.order_by(table.c.id).limit(CHUNK), Contents(table.name, table.c.keys())


_CHECKS = {
    table.name: _of_table(table)
    for table in (metadata.tables["club"], metadata.tables["refused_try"], *OWNED)
}
