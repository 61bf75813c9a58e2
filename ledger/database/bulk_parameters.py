"""Many rows, or ids, given to one statement: as JSON, which both databases read as a table.

Such a statement is the same for one of them and for thousands, more than a database takes as parameters, and
is sent once for all.
"""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import (
    JSON,
    BigInteger,
    BindParameter,
    ColumnClause,
    Dialect,
    Function,
    Select,
    TableValuedAlias,
    TypeDecorator,
    bindparam,
    cast,
    func,
    select,
)


def each_of(given: str) -> TableValuedAlias:
    """Return the pairs of an object that a statement is given: ``key`` and ``value``, both as texts of JSON.

    A list stands for an object with these keys.
    """
    return func.json_each(bindparam(given, type_=_Given)).table_valued("key", "value")


def among(given: str) -> Select[*tuple[Any, ...]]:
    """Return what a column must be one of, as a statement is given it: a list of numbers."""
    return select(cast(each_of(given).c.key, BigInteger))


class _Given(TypeDecorator[Any]):
    """What a statement is given, on its way to the database."""

    impl = JSON
    cache_ok = True

    def process_bind_param(self, value: Any, _dialect: Dialect) -> Any:
        """Spell a list as an object."""
        return value if isinstance(value, Mapping) else dict.fromkeys(value)


def is_given(part: Any) -> bool:
    """Whether a part of a statement holds what the statement is given, and no table's rows."""
    table = part.table if isinstance(part, ColumnClause) else part
    return isinstance(table, TableValuedAlias) and (
        isinstance(table.element, Function)
        and table.element.name == "json_each"
        and all(isinstance(each, BindParameter) for each in table.element.clauses)
    )
