"""One engine for the SQLite files of many tests.

An engine caches compiled statements. A new one for each test would compile every statement again, which takes
longer than running them.
"""

from pathlib import Path
from typing import Any

from sqlalchemy import event, make_url

from ledger.books.transactions import Database


class TurnedDatabase(Database):
    """A database that can be pointed at another SQLite file."""

    def __init__(self, file: Path) -> None:
        super().__init__(f"sqlite:///{file}")
        event.listen(self.engine, "do_connect", self._this_file)

    def turn_to(self, url: str) -> None:
        """Close the connections to the last file, and open the file of `url` from now on."""
        self.close()
        self.url = make_url(url)

    def _this_file(self, _dialect: Any, _record: Any, arguments: list[Any], _named: Any) -> None:
        arguments[0] = self.url.database
