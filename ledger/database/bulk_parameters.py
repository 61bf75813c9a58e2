"""Parameters that hold many rows or ids: sent as one JSON text, which both databases read as a table.

The statement stays the same for one row and for thousands, more than a database takes as single parameters.
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


def json_table(parameter: str) -> TableValuedAlias:
    """Return a table of the parameter's pairs, with the columns ``key`` and ``value``, both JSON texts.

    The parameter is an object; a list stands for an object with these keys.
    """
    return func.json_each(bindparam(parameter, type_=_JsonParameter)).table_valued("key", "value")


def number_list(parameter: str) -> Select[*tuple[Any, ...]]:
    """Return a subquery of the numbers bound to the parameter, for use with ``IN``."""
    return select(cast(json_table(parameter).c.key, BigInteger))


class _JsonParameter(TypeDecorator[Any]):
    """Binds a mapping, or a list as the keys of one, as JSON."""

    impl = JSON
    cache_ok = True

    def process_bind_param(self, value: Any, _dialect: Dialect) -> Any:
        """Turn a list into an object."""
        return value if isinstance(value, Mapping) else dict.fromkeys(value)


def is_json_parameter(part: Any) -> bool:
    """Return whether part of a statement reads a bulk parameter, not rows of a table."""
    table = part.table if isinstance(part, ColumnClause) else part
    return isinstance(table, TableValuedAlias) and (
        isinstance(table.element, Function)
        and table.element.name == "json_each"
        and all(isinstance(clause, BindParameter) for clause in table.element.clauses)
    )
