"""Find rows with a reference to a row that the club does not have."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import ColumnElement, FromClause, Select, Table, and_, func, or_, select

from ledger.services.audit.lookups import Lookups
from ledger.services.audit.raw import of_club
from ledger.services.audit.tables import OWNED, metadata

CHECKED_ELSEWHERE = ("posting", "result", "hand_version")
"""The longest tables, each row of which other checks read anyway."""


def check(lookups: Lookups) -> None:
    """Note each wrong reference of a club's rows, without the tables ``CHECKED_ELSEWHERE``."""
    for table in OWNED:
        if table.name not in CHECKED_ELSEWHERE:
            _check_table(lookups, table)


def check_rest(lookups: Lookups, row_counts: Mapping[str, int]) -> None:
    """Check the references of a long table if it has another number of rows than was read.

    ``row_counts`` are the numbers of rows read, by table. The rows that were not read refer to no entry.
    """
    for name, number in row_counts.items():
        if lookups.fetch(_COUNTS[name]) != [(number,)]:
            _check_table(lookups, metadata.tables[name])


def _check_table(lookups: Lookups, table: Table) -> None:
    columns, query = _WRONG_REFERENCES[table.name]
    for row_id, *values in lookups.fetch(query):
        for column, target, existing in zip(columns, *[iter(values)] * 2, strict=True):
            if target is not None and existing is None:
                lookups.note_at(
                    f"{table.name} {row_id}", f"its {column} is {target}, which is gone"
                )


def _wrong_references(table: Table) -> tuple[list[str], Select[Any]]:
    """Return the columns of a table with foreign keys, and a query for rows with a wrong reference.

    Each result has the row's id and, for each column, its value and the id found there. One query checks all
    columns, because rows of hands are long.
    """
    names: list[str] = []
    selected: list[ColumnElement[Any]] = [table.c.id]
    wrong: list[ColumnElement[bool]] = []
    joined: FromClause = table
    for key in sorted(table.foreign_key_constraints, key=lambda key: key.column_keys[-1]):
        other, column = key.referred_table.alias(), table.c[key.column_keys[-1]]
        pairs = ((other.c[pair.column.name], pair.parent) for pair in key.elements)
        joined = joined.outerjoin(other, and_(*(target == own for target, own in pairs)))
        names.append(column.name)
        selected += [column, other.c.id]
        wrong.append(and_(column.is_not(None), other.c.id.is_(None)))
    return names, select(*selected).select_from(joined).where(of_club(table), or_(*wrong))


_COUNTS = {
    table.name: select(func.count()).select_from(table).where(of_club(table)) for table in OWNED
}
_WRONG_REFERENCES = {table.name: _wrong_references(table) for table in OWNED}
