"""Alembic's environment: migrate over the connection that the service passes, or the configured database."""

from typing import Any, Literal

from alembic import context
from alembic.autogenerate.api import AutogenContext
from sqlalchemy import Connection

from ledger.books.transactions import Database
from ledger.database.models import UTCDateTime, metadata
from ledger.keeping.migrate import migrating, references_unchecked
from ledger.runtime.config import load


def render_item(kind: str, item: Any, autogen: AutogenContext) -> str | Literal[False]:
    """Render our own column type in a new migration, with its import."""
    if kind == "type" and isinstance(item, UTCDateTime):
        autogen.imports.add("from ledger.database.models import UTCDateTime")
        return "UTCDateTime()"
    return False


def copy_partial_indexes() -> None:
    """Make the models' partial indexes partial on PostgreSQL, too; they state it for SQLite only."""
    for index in (index for table in metadata.tables.values() for index in table.indexes):
        where = index.dialect_options["sqlite"]["where"]
        if where is not None:
            index.dialect_kwargs["postgresql_where"] = where


def run(connection: Connection) -> None:
    """Run the requested migrations in the caller's transaction."""
    copy_partial_indexes()
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


passed = context.config.attributes.get("connection")
if passed is not None:
    run(passed)
else:
    with (
        Database(load().database_url).engine.connect() as own,
        references_unchecked(own),
        own.begin(),
        migrating(own),
    ):
        run(own)
