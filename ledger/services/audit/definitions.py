"""What keeps the books whole in the database itself: triggers, indexes, constraints, columns.

Each is compared with what the migrations make, by its definition and not by its name: a trigger that was
emptied is told as one that is gone. What they make is kept in ``schema``, a file for each database.
"""

import re

from sqlalchemy import Connection, text

from ledger.services.audit.lookups import Difference, Shelf
from ledger.services.audit.tables import made_by_migrations, parts

_LISTED = {
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


def found(connection: Connection) -> dict[str, str]:
    """Return what there is in a database, each by its kind and name."""
    listed = [
        (str(name), str(said))
        for query in _LISTED[connection.dialect.name]
        for name, said in connection.exec_driver_sql(query.replace("%", "%%")).all()
    ]
    schema = "" if connection.dialect.name == "sqlite" else connection.scalar(_SCHEMA)
    return {
        name: _plainly(said.replace(f"{schema}.", "") if schema else said) for name, said in listed
    }


_SCHEMA = text("SELECT current_schema()")


def check(connection: Connection, shelf: Shelf) -> None:
    """Note each that is missing, is another than it should be, or was added."""
    made, there = made_by_migrations(connection.dialect.name), found(connection)
    for name in sorted(made.keys() | there.keys()):
        kind, _, bare = name.partition(" ")
        if name not in there:
            message = f"this {kind} is missing"
        elif name not in made:
            message = f"this {kind} was added; the program makes none of that name"
        elif made[name] != there[name]:
            message = f"this {kind} is not what the program makes: {there[name]}"
        else:
            continue
        if kind == "trigger":
            message += ": entries could be changed"
        shelf.noted.append(Difference("The books", bare, message))


def _plainly(said: str) -> str:
    """Write a definition the same way whoever wrote it: a table's parts in the order of their letters."""
    plain = " ".join(re.sub(r'["`]', "", said).split())
    plain = re.sub(r" ?([(),]) ?", r"\1", plain)
    # PostgreSQL writes a list of words in one way before a dump, in another after its restoring.
    plain = re.sub(r"::(character varying|text)(\(\d+\))?(\[\])?", "", plain)
    while (bare := re.sub(r"(?<!\w)\(('[^']*'|\w+|ARRAY\[[^][()]*\])\)", r"\1", plain)) != plain:
        plain = bare
    if not plain.startswith("CREATE TABLE"):
        return plain
    return f"{plain.partition('(')[0].strip()}({','.join(sorted(parts(plain)))})"
