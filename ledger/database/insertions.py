"""INSERT statements for plain rows of a club, one for each table and set of columns."""

from functools import lru_cache
from importlib import import_module
from typing import Any

from sqlalchemy import (
    JSON,
    BigInteger,
    Insert,
    Text,
    bindparam,
    cast,
    column,
    func,
    inspect,
    select,
)

from ledger.database.models import ClubOwned


# Cached for the benchmark saving: a save inserts into eight tables, and ``prepared`` needs the same object.
@lru_cache(maxsize=64)
def insertion(
    model: type[ClubOwned], dialect: str, names: tuple[str, ...], key: tuple[str, ...]
) -> Insert:
    """Build an INSERT of rows with the columns ``names``, for a dialect by SQLAlchemy's name.

    With the columns of a unique ``key`` it is an upsert: if the club has a row with the same key, the other
    columns are added to that row's. On PostgreSQL it takes all rows as one parameter, ``rows``, a JSON text,
    as psycopg converts each parameter alone.
    """
    table: Any = inspect(model).local_table
    # Loaded only for databases on PostgreSQL: SQLAlchemy's module for it takes megabytes.
    statement: Any = import_module(f"sqlalchemy.dialects.{dialect}").insert(table)
    if dialect == "postgresql":
        rows = func.json_to_recordset(cast(bindparam("rows", type_=Text), JSON)).table_valued(
            *(column(name, table.c[name].type) for name in ("id", *names))
        )
        values = select(
            bindparam("club_id", type_=BigInteger), *rows.render_derived(with_types=True).c
        )
        statement = statement.from_select(("club_id", "id", *names), values, include_defaults=False)
    if key:
        row, new = table.c, statement.excluded
        statement = statement.on_conflict_do_update(
            index_elements=("club_id", *key),
            set_={name: row[name] + new[name] for name in names if name not in key},
        )
    result: Insert = statement
    return result
