"""Bounds on reading during verification, so that it ends even if the database was manipulated.

A view can yield rows without end, so one in place of a table is rejected before anything is read.
Otherwise SQLite counts its steps, and PostgreSQL has a time limit for each statement.
"""

import sqlite3
from typing import Any, Final

from sqlalchemy import Connection, bindparam, event, text

from ledger.database.connecting import Connected
from ledger.services.audit.lookups import Difference
from ledger.services.audit.tables import VERSION, metadata

STEPS_PER_PAGE: Final = 20_000
"""The steps of SQLite's virtual machine allowed per page; sound data takes about 500."""

FEWEST_STEPS: Final = 20_000_000
_STEPS_AT_ONCE: Final = 100_000
_LIMIT = "step limit"
_TIMEOUT = (
    "SELECT set_config('statement_timeout', '15min', false) "
    "WHERE current_setting('statement_timeout') = '0'"
)

_NOT_TABLES = {
    # The definition decides, not the type: the type is plain text that anybody can change.
    "sqlite": "SELECT lower(name) FROM sqlite_master WHERE type IN ('table', 'view') "
    "AND lower(name) IN :names AND lower(substr(trim(sql), 1, 13)) <> 'create table '",
    "postgresql": "SELECT relname FROM pg_class "
    "WHERE pg_table_is_visible(oid) AND relname IN :names AND relkind <> 'r'",
}


class StepLimit:
    """Interrupts an SQLite connection's statements once they took, together, far more steps than normal."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        pages: int = connection.execute("PRAGMA page_count").fetchone()[0]
        self._left = max(FEWEST_STEPS, pages * STEPS_PER_PAGE)
        connection.set_progress_handler(self._step, _STEPS_AT_ONCE)

    @property
    def exceeded(self) -> bool:
        """Whether statements were interrupted."""
        return self._left <= 0

    def _step(self) -> bool:
        self._left -= _STEPS_AT_ONCE
        return self.exceeded


def limit(database: Connected) -> None:
    """Limit each connection opened from now on: SQLite's steps in all, PostgreSQL's time per statement.

    PostgreSQL keeps a time limit that is set already.
    """

    @event.listens_for(database.engine, "connect")
    def _limit(connection: Any, record: Any) -> None:
        if database.is_sqlite:
            record.info[_LIMIT] = StepLimit(connection)
            return
        connection.execute(_TIMEOUT)
        connection.commit()


def exceeded(connection: Connection) -> bool:
    """Return whether SQLite interrupted a statement on this connection for too many steps."""
    steps: StepLimit | None = connection.info.get(_LIMIT)
    return steps is not None and steps.exceeded


def replaced_tables(connection: Connection) -> list[Difference]:
    """Return a difference for each table that was replaced by a view or another kind of object."""
    query = text(_NOT_TABLES[connection.dialect.name])
    names = connection.scalars(
        query.bindparams(bindparam("names", expanding=True)), {"names": [VERSION, *metadata.tables]}
    )
    message = (
        "a view or another object is in place of this table. Its rows may have no end, so nothing was "
        "read. Restore a backup: solo-ledger restore FILE --to PLACE"
    )
    return [Difference("The books", name, message) for name in sorted(names)]
