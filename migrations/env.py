"""Alembic's environment: runs on the connection the service hands over, or on the configured database."""

from typing import Any, Literal

from alembic import context
from alembic.autogenerate.api import AutogenContext
from sqlalchemy import Connection

from ledger.books.transactions import Database
from ledger.database.models import UTCDateTime, metadata
from ledger.runtime.config import load


def render_item(kind: str, item: Any, autogen: AutogenContext) -> str | Literal[False]:
    """Name our own column type in a new migration, and import it there."""
    if kind == "type" and isinstance(item, UTCDateTime):
        autogen.imports.add("from ledger.database.models import UTCDateTime")
        return "UTCDateTime()"
    return False


def tell_postgresql() -> None:
    """Let an index of some rows be one on PostgreSQL, too; the models say so for SQLite alone."""
    for index in (index for table in metadata.tables.values() for index in table.indexes):
        where = index.dialect_options["sqlite"]["where"]
        if where is not None:
            index.dialect_kwargs["postgresql_where"] = where


def run(connection: Connection) -> None:
    """Run the migrations asked for, in the caller's transaction."""
    tell_postgresql()
    context.configure(
        connection=connection,
        target_metadata=metadata,
        render_as_batch=connection.dialect.name == "sqlite",
        render_item=render_item,
        compare_type=True,
        transactional_ddl=True,
    )
    with context.begin_transaction():
        context.run_migrations()


given = context.config.attributes.get("connection")
if given is not None:
    run(given)
else:
    with Database(load().database_url).engine.begin() as own:
        run(own)
