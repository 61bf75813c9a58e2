"""Replay the register: the values its entries record for each sealed row, compared with the row."""

from collections.abc import Callable, Mapping
from typing import Any

from sqlalchemy import JSON, Boolean, DateTime, Select, Table, func, select

from ledger.books.chain import NO_DETAILS
from ledger.books.sealed_columns import (
    ACCESS,
    LATER,
    ROWS,
    SEALED,
    SECRET,
    UNSEALED,
    is_sealed,
    sealed_value,
)
from ledger.database import json
from ledger.database.json import SPOILED
from ledger.services.audit.lookups import Lookups
from ledger.services.audit.raw import columns, document, instant, of_club
from ledger.services.audit.row_types import EntryRow
from ledger.services.audit.tables import metadata

_Registered = tuple[int, str]
"""The last entry about a row, and all its registered values as JSON, as there are many rows."""


class Register:
    """Collects the register's entries in order, then compares them with the rows."""

    def __init__(self, lookups: Lookups) -> None:
        self.lookups = lookups
        self._registered: dict[str, _Registered] = {}

    def add(self, entry: EntryRow, details: Mapping[str, Any]) -> None:
        """Merge a register entry's row changes into those collected; forget the rows it deletes.

        Raises one of ``SPOILED`` for details without them.
        """
        if details is NO_DETAILS:
            return  # it can't be read, or its digest does not cover them, which was noted
        for row, values in details[ROWS].items():
            if values is None:
                self._registered.pop(row, None)
                continue
            if row in self._registered:
                values = json.read(self._registered[row][1]) | values
            self._registered[row] = entry.id, json.text(values)

    def check(self) -> None:
        """Note each row that differs from the register, is missing from it, unreadable or gone.

        Call it only once, as it forgets the collected rows.
        """
        stays_behind = {"club", *ACCESS} if self._is_copy() else set()
        for table in (name for name in SEALED if name not in stays_behind):
            self._check_table(metadata.tables[table])
        for row, (entry_id, _) in self._registered.items():
            if row.partition("/")[0] not in stays_behind:
                self._note(row, f"it is gone, entry {entry_id} says it is there")

    def _is_copy(self) -> bool:
        """Return whether the club was imported and its last entry is still the last imported one.

        Until then the register is that of its origin, with the rows that give access there.
        """
        imported, last = self.lookups.fetch(_LAST_ENTRIES)[0]
        return imported is not None and imported == last

    def _check_table(self, table: Table) -> None:
        names = SEALED[table.name]
        parsers = {name: _parser(table, name) for name in names}
        later = {name: value for (other, name), value in LATER.items() if other == table.name}
        for row_id, *values in self.lookups.fetch(_SEALED_ROWS[table.name]):
            row, stored = f"{table.name}/{row_id}", dict(zip(names, values, strict=True))
            entry_id, text = self._registered.pop(row, (0, ""))
            if not entry_id:
                if is_sealed(table.name, stored.__getitem__):
                    self._note(row, "no entry says that it is there")
                continue
            expected = later | json.read(text)
            for name, value in stored.items():
                if name not in expected:
                    continue
                try:
                    if sealed_value(table.name, name, parsers[name](value)) == expected[name]:
                        continue
                except SPOILED as error:
                    self._note(row, f"its {name} can't be read ({error})")
                    continue
                is_secret = (table.name, name) in SECRET
                fault = "is not what" if is_secret else f"is {value}, not {expected[name]} as"
                self._note(row, f"its {name} {fault} entry {entry_id} says")

    def _note(self, row: str, message: str) -> None:
        self.lookups.note_at(row.replace("/", " "), message)


_ORIGIN, _ENTRY = metadata.tables["club_origin"], metadata.tables["journal_entry"]
_LAST_ENTRIES = select(
    select(func.max(_ORIGIN.c.last_entry_id)).where(of_club(_ORIGIN)).scalar_subquery(),
    select(func.max(_ENTRY.c.id)).where(of_club(_ENTRY)).scalar_subquery(),
)
"""The last imported entry of a club, if there is one, and its last entry."""


def _sealed_rows(name: str) -> Select[Any]:
    """Return a query for the ids and sealed columns of a table's rows that can be sealed."""
    table = metadata.tables[name]
    query = columns(name, "id", *SEALED[name]).order_by(table.c.id)
    column, left_out = UNSEALED.get(name, ("", ""))
    if left_out is None:  # almost all hands, which would fill the memory
        query = query.where(table.c[column].is_not(None))
    return query


_SEALED_ROWS = {name: _sealed_rows(name) for name in SEALED}


def _parser(table: Table, name: str) -> Callable[[Any], Any]:
    """Return a function from the driver's value of a column to the program's; it may raise ``SPOILED``."""
    kind = table.c[name].type
    if isinstance(kind, DateTime):
        return lambda value: None if value is None else instant(value)
    if isinstance(kind, JSON):
        return document
    if isinstance(kind, Boolean):
        return lambda value: bool(value) if value in (0, 1) else value
    return lambda value: value
