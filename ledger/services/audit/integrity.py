"""The database's own check of its pages and indexes, in a thread beside the reading of the data."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from threading import Thread

from sqlalchemy.engine import URL

from ledger.database.connecting import Connected
from ledger.services.audit.bounds import StepLimit
from ledger.services.audit.lookups import Difference
from ledger.services.audit.postgres_pages import PostgresPages

Remark = Callable[[str], None]
"""A listener for findings that are not faults, each a sentence."""

MOST = 100
"""The number of faults after which SQLite stops checking."""

CACHE_KILOBYTES = 8_000
"""The size of SQLite's page cache during the check: each row is looked up in all indexes of its table."""


class Integrity:
    """Checks a whole database in a thread that starts at once, as it takes as long as reading the data.

    ``remarks`` name the checks that were not possible; they are complete after ``differences``.
    """

    def __init__(self, database: Connected) -> None:
        self._database = database
        self._faults: list[str] = []
        self.remarks: list[str] = []
        check = self._check_file if database.is_sqlite else self._check_server
        self._thread = Thread(target=check, daemon=True)
        self._thread.start()

    def _check_file(self) -> None:
        try:
            with closing(connect(self._database.url)) as connection:
                StepLimit(connection)
                connection.execute(f"PRAGMA cache_size = -{CACHE_KILOBYTES}")
                rows = connection.execute(f"PRAGMA integrity_check({MOST})").fetchall()
            self._faults = [" ".join(str(fault).split()) for (fault,) in rows if fault != "ok"]
        except Exception as error:  # any: an unfinished check is a fault
            self._faults = [str(error) or repr(error)]

    def _check_server(self) -> None:
        pages = PostgresPages(self._database)
        self.remarks = pages.remarks
        try:
            self._faults.extend(pages.faults())
        except Exception as error:  # any, such as a lock that another connection holds for too long
            self._faults.append(f"it can't be read on ({getattr(error, 'why', error)})")

    def differences(self) -> Iterator[Difference]:
        """Wait for the end of the check and yield each fault; an error of the check is one, too."""
        self._thread.join()
        yield from (Difference("The books", "the database itself", fault) for fault in self._faults)


def connect(url: URL) -> sqlite3.Connection:
    """Open a new SQLite connection, with the URL's flags such as ``mode=ro`` if it has ``uri``."""
    if "uri" not in url.query:
        return sqlite3.connect(url.database or "")
    flags = "&".join(f"{name}={value}" for name, value in url.query.items() if name != "uri")
    return sqlite3.connect(f"{url.database}?{flags}", uri=True, check_same_thread=False)
