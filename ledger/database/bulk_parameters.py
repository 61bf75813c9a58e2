"""Parameters that hold many rows or ids: sent as one JSON text, which both databases read as a table.

The statement stays the same for one row and for thousands, more than a database takes as single parameters.
"""

from typing import Any

from sqlalchemy import (
    BigInteger,
    BindParameter,
    ColumnClause,
    Function,
    Select,
    TableValuedAlias,
    bindparam,
    cast,
    func,
    select,
)

from ledger.database.models.base import JsonParameter


def json_table(parameter: str) -> TableValuedAlias:
    """Return a table of a parameter's pairs, with the columns ``key`` and ``value``, both JSON texts.

    The parameter's value is a mapping; a list stands for a mapping with its items as keys.
    """
    return func.json_each(bindparam(parameter, type_=JsonParameter)).table_valued("key", "value")


def number_list(parameter: str) -> Select[*tuple[Any, ...]]:
    """Return a subquery of the numbers bound to the parameter, as integers, for use with ``IN``.

    The bound value is a collection of them, or a mapping with them as keys; it is sent as one parameter.
    """
    return select(cast(json_table(parameter).c.key, BigInteger))


def is_json_parameter(part: Any) -> bool:
    """Return whether a part of a statement belongs to a ``json_table``, not to a stored table."""
    table = part.table if isinstance(part, ColumnClause) else part
    return isinstance(table, TableValuedAlias) and (
        isinstance(table.element, Function)
        and table.element.name == "json_each"
        and all(isinstance(clause, BindParameter) for clause in table.element.clauses)
    )
