"""Rows that point into another club, or at nothing."""

from collections.abc import Iterator

from sqlalchemy import Connection, or_, select

from ledger.models import metadata
from ledger.services.verify.shelf import Difference, Shelf

LOOKED_AT_ROW_BY_ROW = ("posting", "result")
"""The longest tables: the other checks read each of their rows anyway."""


def strangers(connection: Connection, shelf: Shelf) -> Iterator[Difference]:
    """Yield every row of a club that points at a row of another, or at one that is gone."""
    for table in metadata.sorted_tables:
        if "club_id" not in table.c or table.name in LOOKED_AT_ROW_BY_ROW:
            continue
        for key in table.foreign_keys:
            other, column = key.column.table.alias(), key.parent
            owner = other.c.id if column.name == "club_id" else other.c.club_id
            strange = or_(other.c.id.is_(None), owner != table.c.club_id)
            rows = connection.execute(
                select(table.c.id, table.c.club_id, column, other.c.id)
                .select_from(table.outerjoin(other, other.c.id == column))
                .where(column.is_not(None), strange)
            )
            for row_id, club_id, points_at, there in rows:
                what = "which is gone" if there is None else "which is another club's"
                yield shelf.differs(
                    club_id,
                    f"{table.name} {row_id}",
                    f"its {column.name} is {points_at}, {what}",
                )
