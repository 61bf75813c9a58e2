"""The register replayed: what its entries say of each sealed row, compared with the row."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import JSON, Boolean, Connection, DateTime, Table

from ledger.books.sealed_columns import LATER, ROWS, SEALED, SECRET, is_sealed, kept
from ledger.database import json
from ledger.database.json import SPOILED
from ledger.services.audit.lookups import Shelf
from ledger.services.audit.raw import columns, document, instant, rows
from ledger.services.audit.row_types import EntryRow
from ledger.services.audit.tables import metadata

_Said = tuple[int, str]
"""The entry that spoke of a row last, and all that was said of it, in short: there are many rows."""


class Register:
    """Takes the register's entries in their order, and then looks at the rows."""

    def __init__(self, shelf: Shelf) -> None:
        self.shelf = shelf
        self._said: dict[tuple[int, str], _Said] = {}

    def take(self, entry: EntryRow, details: Mapping[str, Any]) -> None:
        """Remember what an entry says of rows, if it says anything."""
        for row, values in details.get(ROWS, {}).items():
            key = entry.club_id, row
            if values is None:
                self._said.pop(key, None)
                continue
            if key in self._said:
                values = json.read(self._said[key][1]) | values
            self._said[key] = entry.id, json.text(values)

    def check(self, connection: Connection) -> None:
        """Note each row that is not as the register says, is not in it, or is gone."""
        for table in SEALED:
            self._table(connection, metadata.tables[table])
        for (club_id, row), (entry_id, _) in self._said.items():
            self._note(club_id, row, f"it is gone, entry {entry_id} says it is there")

    def _table(self, connection: Connection, table: Table) -> None:
        names = SEALED[table.name]
        owner = "club_id" if "club_id" in table.c else "id"
        readers = {name: _reader(table, name) for name in names}
        later = {name: value for (of, name), value in LATER.items() if of == table.name}
        for row_id, club_id, *values in rows(
            connection, columns(table.name, "id", owner, *names).order_by(table.c.id)
        ):
            row = f"{table.name}/{row_id}"
            entry_id, said = self._said.pop((club_id, row), (0, ""))
            if not entry_id:
                held = dict(zip(names, values, strict=True))
                if not is_sealed(table.name, held.__getitem__):
                    continue
                self._note(club_id, row, "no entry says that it is there")
                continue
            wanted = later | json.read(said)
            for name, value in zip(names, values, strict=True):
                if name in wanted:
                    self._compare(club_id, row, name, readers[name], value, entry_id, wanted[name])

    def _compare(
        self,
        club_id: int,
        row: str,
        name: str,
        read: Any,
        value: Any,
        entry_id: int,
        said: Any,
    ) -> None:
        table = row.partition("/")[0]
        try:
            if kept(table, name, read(value)) == said:
                return
        except SPOILED as error:
            self._note(club_id, row, f"its {name} can't be read ({error})")
            return
        shown = "is not what" if (table, name) in SECRET else f"is {value}, not {said} as"
        self._note(club_id, row, f"its {name} {shown} entry {entry_id} says")

    def _note(self, club_id: int, row: str, message: str) -> None:
        self.shelf.note_at(club_id, row.replace("/", " "), message)


def _reader(table: Table, name: str) -> Any:
    """Return what makes of a column, as the driver gives it, what the program sees in it."""
    kind = table.c[name].type
    if isinstance(kind, DateTime):
        return lambda value: None if value is None else instant(value)
    if isinstance(kind, JSON):
        return document
    if isinstance(kind, Boolean):
        return lambda value: bool(value) if value in (0, 1) else value
    return lambda value: value
