"""What the database itself says of its pages and indexes, asked beside the reading of the books."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from threading import Thread

from sqlalchemy import Connection, text

from ledger.db import Database
from ledger.services.audit.lookups import Difference
from ledger.services.audit.opening import connect

MOST = 100
"""How many faults SQLite is asked for."""

_PLACE = "the database itself"


class Integrity:
    """Begins to look when it is made: looking through all of a file takes SQLite as long as we take."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._said: list[str] = []
        self._looking: Thread | None = None
        if database.is_sqlite:
            self._looking = Thread(target=self._look, daemon=True)
            self._looking.start()

    def _look(self) -> None:
        try:
            with closing(connect(self._database.url)) as books:
                found = books.execute(f"PRAGMA integrity_check({MOST})").fetchall()
            self._said = [" ".join(str(fault).split()) for (fault,) in found if fault != "ok"]
        except (sqlite3.Error, UnicodeDecodeError) as error:
            self._said = [str(error)]

    def found(self, connection: Connection) -> Iterator[Difference]:
        """Yield each fault, once all was looked at."""
        if self._looking is not None:
            self._looking.join()
        else:
            self._said = [str(fault) for query in _POSTGRES for fault in connection.scalars(query)]
        yield from (Difference("The books", _PLACE, fault) for fault in self._said)


_POSTGRES = (
    text(
        "SELECT 'index ' || indexrelid::regclass || ' is not valid' FROM pg_index "
        "JOIN pg_class ON pg_class.oid = indexrelid WHERE NOT indisvalid "
        "AND relnamespace = current_schema()::regnamespace"
    ),
    text(
        "SELECT checksum_failures || ' pages did not have their checksum' FROM pg_stat_database "
        "WHERE datname = current_database() AND checksum_failures > 0"
    ),
)
"""PostgreSQL has each page's checksum looked at as it is read, where the cluster keeps them."""
