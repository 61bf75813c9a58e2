"""Compare the database's triggers, indexes, constraints and columns with those the migrations make.

Definitions are compared, not names: an emptied trigger is reported like a missing one. The expected
definitions lie in ``schema``, one file for each kind of database.
"""

import re

from sqlalchemy import Connection, text

from ledger.services.audit.lookups import Lookups
from ledger.services.audit.tables import made_by_migrations, parts

_QUERIES = {
    "sqlite": (
        "SELECT type || ' ' || name, sql FROM sqlite_master WHERE sql <> '' AND name NOT LIKE 'sqlite%'",
    ),
    "postgresql": (
        "SELECT 'trigger ' || tgname, pg_get_triggerdef(pg_trigger.oid) || ' ' || tgenabled::text "
        "FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid "
        "WHERE NOT tgisinternal AND relnamespace = current_schema()::regnamespace",
        "SELECT 'function ' || proname, prosrc FROM pg_proc "
        "WHERE pronamespace = current_schema()::regnamespace AND proname LIKE 'books%'",
        "SELECT 'index ' || indexname, indexdef FROM pg_indexes WHERE schemaname = current_schema()",
        "SELECT 'constraint ' || conname, pg_get_constraintdef(oid) FROM pg_constraint "
        "WHERE connamespace = current_schema()::regnamespace AND contype <> 'n' AND convalidated",
        "SELECT 'column ' || table_name || '.' || column_name, data_type || ' ' || is_nullable "
        "FROM information_schema.columns WHERE table_schema = current_schema()",
    ),
}
_SCHEMA = text("SELECT current_schema()")


def existing(connection: Connection) -> dict[str, str]:
    """Return the normalized text of each definition in a database, by kind and name, as ``index ix_a``."""
    rows = [
        (str(name), str(definition))
        for query in _QUERIES[connection.dialect.name]
        for name, definition in connection.exec_driver_sql(query.replace("%", "%%")).all()
    ]
    schema = "" if connection.dialect.name == "sqlite" else connection.scalar(_SCHEMA)
    return {
        name: _normalized(definition.replace(f"{schema}.", "") if schema else definition)
        for name, definition in rows
    }


def check(books: Lookups) -> None:
    """Note each trigger, index, constraint, column or function that is missing, changed or added."""
    connection = books.connection
    expected, actual = made_by_migrations(connection.dialect.name), existing(connection)
    for name in sorted(expected.keys() | actual.keys()):
        kind, _, bare = name.partition(" ")
        if name not in actual:
            message = f"this {kind} is missing"
        elif name not in expected:
            message = f"this {kind} was added; the program makes none of that name"
        elif expected[name] != actual[name]:
            message = f"this {kind} is not what the program makes: {actual[name]}"
        else:
            continue
        if kind == "trigger":
            message += ": entries could be changed"
        books.note_at(bare, message)


def _normalized(definition: str) -> str:
    """Return a definition without quotes and spare brackets, with a table's parts in alphabetical order."""
    plain = " ".join(re.sub(r'["`]', "", definition).split())
    plain = re.sub(r" ?([(),]) ?", r"\1", plain)
    # PostgreSQL writes a list of words in one way before a dump and in another after its restoration.
    plain = re.sub(r"::(character varying|text)(\(\d+\))?(\[\])?", "", plain)
    while (bare := re.sub(r"(?<!\w)\(('[^']*'|\w+|ARRAY\[[^][()]*\])\)", r"\1", plain)) != plain:
        plain = bare
    if not plain.startswith("CREATE TABLE"):
        return plain
    return f"{plain.partition('(')[0].strip()}({','.join(sorted(parts(plain)))})"
