"""Rows that point into another club, or at nothing."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import ColumnElement, Connection, FromClause, Select, Table, and_, func, or_, select

from ledger.services.audit.lookups import Shelf
from ledger.services.audit.raw import rows
from ledger.services.audit.tables import metadata

LOOKED_AT_ROW_BY_ROW = ("posting", "result", "hand_version")
"""The longest tables: the other checks read each of their rows anyway."""


def check(connection: Connection, shelf: Shelf) -> None:
    """Note every row of a club that points at a row of another, or at one that is gone."""
    for table in metadata.sorted_tables:
        if "club_id" in table.c and table.name not in LOOKED_AT_ROW_BY_ROW:
            _table(connection, shelf, table)


def left_over(connection: Connection, shelf: Shelf, read: Mapping[str, int]) -> None:
    """Note likewise the rows of long tables that were not ``read``, by how many were: no entry has them."""
    for name, number in read.items():
        table = metadata.tables[name]
        if rows(connection, select(func.count()).select_from(table)) != [(number,)]:
            _table(connection, shelf, table)


def _table(connection: Connection, shelf: Shelf, table: Table) -> None:
    columns, query = _pointing(table)
    for row_id, club_id, *found in rows(connection, query):
        for column, points_at, there, owner in zip(columns, *[iter(found)] * 3, strict=True):
            if points_at is not None and (there is None or owner != club_id):
                what = "which is gone" if there is None else "which is another club's"
                message = f"its {column} is {points_at}, {what}"
                shelf.note_at(club_id, f"{table.name} {row_id}", message)


def _pointing(table: Table) -> tuple[list[str], Select[Any]]:
    """Return the columns of a table that point elsewhere, and the query for rows that point wrong.

    It gives of each such row its id, its club and, for each column, what it holds, the row found there and
    that row's club. All are looked at in one pass: the rows of hands are long.
    """
    names: list[str] = []
    wanted: list[ColumnElement[Any]] = [table.c.id, table.c.club_id]
    strange: list[ColumnElement[bool]] = []
    joined: FromClause = table
    for key in sorted(table.foreign_keys, key=lambda key: key.parent.name):
        other, column = key.column.table.alias(), key.parent
        owner = other.c.id if column.name == "club_id" else other.c.club_id
        joined = joined.outerjoin(other, other.c.id == column)
        names.append(column.name)
        wanted += [column, other.c.id, owner]
        strange.append(
            and_(column.is_not(None), or_(other.c.id.is_(None), owner != table.c.club_id))
        )
    return names, select(*wanted).select_from(joined).where(or_(*strange))
