"""Alembic's environment: runs on the connection the service hands over, or on the configured database."""

from typing import Any, Literal

from alembic import context
from alembic.autogenerate.api import AutogenContext
from sqlalchemy import Connection

from ledger.config import load
from ledger.db import Database
from ledger.models import UTCDateTime, metadata


def render_item(kind: str, item: Any, autogen: AutogenContext) -> str | Literal[False]:
    """Name our own column type in a new migration, and import it there."""
    if kind == "type" and isinstance(item, UTCDateTime):
        autogen.imports.add("from ledger.models import UTCDateTime")
        return "UTCDateTime()"
    return False


def run(connection: Connection) -> None:
    """Run the migrations asked for, in the caller's transaction."""
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
