"""What the database itself says of its pages and indexes, asked beside the reading of the books."""

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
"""How many faults SQLite is asked for."""

CACHE_KILOBYTES = 8_000
"""How many pages SQLite keeps meanwhile: for each row it looks into all indexes of its table."""

_PLACE = "the database itself"


class Integrity:
    """Begins to look when it is made: looking through all of a database takes as long as reading the books.

    ``remarks`` are what could not be looked at that closely, once all was looked at.
    """

    def __init__(self, database: Connected) -> None:
        self._database = database
        self._said: list[str] = []
        self.remarks: list[str] = []
        self._looking = Thread(
            target=self._look_at_file if database.is_sqlite else self._look_at_server, daemon=True
        )
        self._looking.start()

    def _look_at_file(self) -> None:
        try:
            with closing(connect(self._database.url)) as books:
                StepLimit(books)
                books.execute(f"PRAGMA cache_size = -{CACHE_KILOBYTES}")
                found = books.execute(f"PRAGMA integrity_check({MOST})").fetchall()
            self._said = [" ".join(str(fault).split()) for (fault,) in found if fault != "ok"]
        except Exception as error:  # whatever it was: what was not looked at is not in order
            self._said = [str(error) or repr(error)]

    def _look_at_server(self) -> None:
        pages = PostgresPages(self._database)
        self.remarks = pages.remarks
        try:
            self._said.extend(pages.faults())
        except Exception as error:  # likewise, where others hold a lock for too long
            self._said.append(f"it can't be read on ({getattr(error, 'why', error)})")

    def found(self) -> Iterator[Difference]:
        """Yield each fault, once all was looked at."""
        self._looking.join()
        yield from (Difference("The books", _PLACE, fault) for fault in self._said)


def connect(url: URL) -> sqlite3.Connection:
    """Return a plain connection to an SQLite file, with the flags of its URL."""
    if "uri" not in url.query:
        return sqlite3.connect(url.database or "")
    flags = "&".join(f"{name}={value}" for name, value in url.query.items() if name != "uri")
    return sqlite3.connect(f"{url.database}?{flags}", uri=True, check_same_thread=False)
