"""Books that many tests open one after another, by one engine.

An engine keeps what it has compiled: a new one for each test would compile every statement again,
which takes longer than running them.
"""

from pathlib import Path
from typing import Any

from sqlalchemy import event, make_url

from ledger.books.transactions import Database


class TurnedDatabase(Database):
    """A database that is turned from one SQLite file to the next."""

    def __init__(self, file: Path) -> None:
        super().__init__(f"sqlite:///{file}")
        event.listen(self.engine, "do_connect", self._this_file)

    def turn_to(self, url: str) -> None:
        """Give the connections to the last file back; open the one of ``url`` from now on."""
        self.close()
        self.url = make_url(url)

    def _this_file(self, _dialect: Any, _record: Any, arguments: list[Any], _named: Any) -> None:
        arguments[0] = self.url.database
