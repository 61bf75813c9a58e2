"""The tables that verifying reads by, made from the migrations, are those the program writes by."""

from typing import Any

from sqlalchemy import MetaData, String
from sqlalchemy.dialects.sqlite import dialect
from sqlalchemy.types import TypeDecorator

from ledger.database import models
from ledger.services.audit import tables


def told(metadata: MetaData) -> dict[str, Any]:
    """Return each column's possible values and the rows it points at."""
    return {
        f"{table.name}.{column.name}": (
            _kind(column.type),
            column.nullable,
            {key.target_fullname for key in column.foreign_keys},
        )
        for table in metadata.sorted_tables
        for column in table.columns
    }


def _kind(of: Any) -> type:
    plain: Any = of.impl if isinstance(of, TypeDecorator) else of
    kind = plain.dialect_impl(dialect())
    return String if isinstance(kind, String) else type(kind)


def test_each_column_is_read_as_it_is_written() -> None:
    """Also that none of either is missing, after a migration as before."""
    assert told(tables.metadata) == told(models.metadata)
