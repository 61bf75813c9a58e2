"""Find rows with a reference to another club's row, or to a row that is gone."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import ColumnElement, Connection, FromClause, Select, Table, and_, func, or_, select

from ledger.services.audit.lookups import Lookups
from ledger.services.audit.raw import fetch
from ledger.services.audit.tables import metadata

CHECKED_ELSEWHERE = ("posting", "result", "hand_version")
"""The longest tables, each row of which other checks read anyway."""


def check(connection: Connection, lookups: Lookups) -> None:
    """Note each wrong reference of a club's rows, without the tables ``CHECKED_ELSEWHERE``."""
    for table in metadata.sorted_tables:
        if "club_id" in table.c and table.name not in CHECKED_ELSEWHERE:
            _check_table(connection, lookups, table)


def check_rest(connection: Connection, lookups: Lookups, row_counts: Mapping[str, int]) -> None:
    """Note wrong references in long tables with another number of rows than was read.

    The rows that were not read refer to no entry.
    """
    for name, number in row_counts.items():
        table = metadata.tables[name]
        if fetch(connection, select(func.count()).select_from(table)) != [(number,)]:
            _check_table(connection, lookups, table)


def _check_table(connection: Connection, lookups: Lookups, table: Table) -> None:
    columns, query = _wrong_references(table)
    for row_id, club_id, *values in fetch(connection, query):
        for column, target, existing, owner in zip(columns, *[iter(values)] * 3, strict=True):
            if target is not None and (existing is None or owner != club_id):
                reason = "which is gone" if existing is None else "which is another club's"
                message = f"its {column} is {target}, {reason}"
                lookups.note_at(club_id, f"{table.name} {row_id}", message)


def _wrong_references(table: Table) -> tuple[list[str], Select[Any]]:
    """Return the columns of a table with foreign keys, and a query for rows with a wrong reference.

    Each result has the row's id and club and, for each column, its value, the id found there and that row's
    club. One query checks all columns, because rows of hands are long.
    """
    names: list[str] = []
    selected: list[ColumnElement[Any]] = [table.c.id, table.c.club_id]
    wrong: list[ColumnElement[bool]] = []
    joined: FromClause = table
    for key in sorted(table.foreign_keys, key=lambda key: key.parent.name):
        other, column = key.column.table.alias(), key.parent
        owner = other.c.id if column.name == "club_id" else other.c.club_id
        joined = joined.outerjoin(other, other.c.id == column)
        names.append(column.name)
        selected += [column, other.c.id, owner]
        differs = or_(other.c.id.is_(None), owner != table.c.club_id)
        wrong.append(and_(column.is_not(None), differs))
    return names, select(*selected).select_from(joined).where(or_(*wrong))
