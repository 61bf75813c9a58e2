"""Filling a staging ledger from the lines of an archive, each checked as it is read, in constant memory."""

# ruff: noqa: S608 - names of tables and columns come from the schema

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from ledger.books.balances import MOST
from ledger.books.chain import GENESIS, digest
from ledger.database import json
from ledger.database.json import SPOILED
from ledger.keeping.archive.lines import (
    END,
    ENTRY,
    LOOSE_VERSION,
    ROWS_AFTER,
    ROWS_BEFORE,
    Damaged,
    Line,
)
from ledger.keeping.archive.values import MOST_ID, Columns, Row, as_integer, as_text, as_time
from ledger.runtime.clock import now
from ledger.runtime.signing import SigningKey
from ledger.services.common import names
from ledger.words.problems import Invalid

CLUB: Final = 1
"""The club's number in its staging ledger."""

_BATCH: Final = 500
"""The number of rows of a table that are inserted at once."""

_MOST_WAITING: Final = 2**20
"""The bytes of lines after which all rows are inserted: parsed, one can take 24 times as many."""

_OF_INSTALLATION = ("id", "passcode_hash", "moved_to")
"""The columns of a club that its archive doesn't have."""

_SEALED = (
    *("session_id", "kind", "hand_id", "reverses_id", "author", "reason", "occurred_at"),
    "entered_at",
)
"""The columns in an entry's sealed text, between the previous digest and the amounts."""

_WITHOUT_DETAILS = len(_SEALED) + 2

_MEMBERS = {"id", "sealed", "digest", "signature", "versions", "seals_record"}
"""The members of an entry's line."""

_NOT_IN_ARCHIVES = (
    "api_token",
    "link",
    "device",
    "security_event",
    "written_answer",
    "club_origin",
)
"""The tables of a club's rows that its archive doesn't have."""

_TABLES = "SELECT name FROM sqlite_master WHERE type = 'table'"
_DROPPED = "SELECT type, name, sql FROM sqlite_master WHERE type IN ('trigger', 'index') AND sql IS NOT NULL"
_POSTING = ("id", "entry_id", "account_id", "amount", "balance")
_ORIGIN = ("club_id", "id", "number", "public_key", "last_entry_id", "arrived_at")


class ArchiveOrigin(NamedTuple):
    """An installation where entries were written: the club's number and key there, and the last entry."""

    number: int
    key: str | None
    last_entry: int


class Header:
    """The schema, the club and its origins in an archive's first line. Raises ``Damaged``."""

    def __init__(self, line: Line) -> None:
        try:
            self.schema = as_text(line.values["schema"])
            self.club = dict(line.values["club"])
            name = names.clean(as_text(self.club["name"]), "name", "The club's name")
            self.club |= {"name": name, "name_key": names.key(name)}
            self.club["last_ids"] = {
                as_text(table): as_integer(last, MOST_ID)
                for table, last in self.club["last_ids"].items()
            }
            self.origins = list(_origins(line.values["origins"]))
            self.last_entry = self.origins[-1].last_entry
        except Invalid as problem:
            raise Damaged(line.number, problem.message) from problem
        except (*SPOILED, OverflowError) as error:
            raise Damaged(line.number, f"it can't be read ({error})") from error


def _origins(listed: Any) -> Iterator[ArchiveOrigin]:
    """Yield the origins at which entries were written, in order. Raises ``ValueError``."""
    before = 0
    for stated in listed:
        origin = ArchiveOrigin(
            as_integer(stated["number"]), stated["key"], as_integer(stated["last_entry"])
        )
        if origin.key is not None:
            SigningKey.from_public(as_text(origin.key))
        if origin.last_entry < before:
            raise ValueError("its origins are not in order")
        if origin.last_entry > before:
            yield origin
        before = origin.last_entry


class Filling:
    """Inserts the lines of an archive into a staging ledger; ``entries`` counts its entries.

    Its triggers and indexes are dropped until the end: a closed account has postings from before, and
    building an index once takes less time.
    """

    def __init__(self, connection: sqlite3.Connection, header: Header) -> None:
        self._connection, self._header = connection, header
        self.entries = self._waiting = 0
        self._last_id, self._last_digest = 0, GENESIS
        self._balances: dict[int, int] = {}
        present = {name for (name,) in connection.execute(_TABLES)}  # an older schema has fewer
        self._rows = {
            table: _Rows(connection, table)
            for table in (*ROWS_BEFORE, "journal_entry", "posting", "hand_version", *ROWS_AFTER)
            if table in present
        }
        dropped = connection.execute(_DROPPED).fetchall()
        self._definitions = [definition for _, _, definition in dropped]
        for kind, name, _ in dropped:
            connection.execute(f"DROP {kind} {name}")
        self._add_header()

    def add(self, line: Line) -> None:
        """Check a line, and insert its rows now or with the next ones. Raises ``Damaged``."""
        try:
            if line.kind == ENTRY:
                self._add_entry(line.number, line.values)
            elif line.kind == LOOSE_VERSION:
                self._add_row(line.number, "hand_version", {**line.values, "entry_id": None})
            elif line.kind == END:
                self._end(line.values)
            else:
                self._add_row(line.number, line.kind, line.values)
            self._waiting += line.size
            if self._waiting > _MOST_WAITING:
                self._insert_waiting()
        except Damaged:
            raise  # of an earlier line, whose rows are inserted with this one's
        except (*SPOILED, OverflowError) as error:
            raise Damaged(line.number, _reason(error)) from error

    def _add_header(self) -> None:
        header = self._header
        try:
            columns = Columns(self._connection, "club", _OF_INSTALLATION)
            row = columns.row({name: header.club[name] for name in columns.names})
            if unknown := header.club["last_ids"].keys() - {*self._rows, *_NOT_IN_ARCHIVES}:
                raise ValueError(f"its last_ids have an unknown table {min(unknown)[:40]!r}")
        except SPOILED as error:
            raise Damaged(1, _reason(error)) from error
        self._insert("club", ("id", "passcode_hash", *columns.names), (CLUB, "", *row))
        self._insert("club_name", ("key", "club_id"), (header.club["name_key"], CLUB))
        arrived_at = as_time(now().isoformat())
        for number, origin in enumerate(header.origins, 1):
            self._insert("club_origin", _ORIGIN, (CLUB, number, *origin, arrived_at))

    def _insert(self, table: str, names: Sequence[str], row: Row) -> None:
        self._connection.execute(_insertion(table, names), row)

    def _add_row(self, number: int, table: str, values: Mapping[str, Any]) -> None:
        if table == "account":
            self._balances[as_integer(values["id"])] = 0
        self._rows[table].add(number, values)

    def _add_entry(self, number: int, values: Mapping[str, Any]) -> None:
        """Add an entry with its postings and versions of hands. Raises ``SPOILED``."""
        if unknown := values.keys() - _MEMBERS:
            raise ValueError(f"it has an unknown {min(unknown)[:40]!r}")
        entry_id, sealed, versions = values["id"], values["sealed"], values.get("versions", [])
        is_sealed = versions and values.get("seals_record", True)
        if (
            digest(sealed.encode(), versions[0]["record"] if is_sealed else None)
            != values["digest"]
        ):
            raise ValueError("the entry's digest does not match its content")
        previous, *content, amounts, details = _unsealed(sealed)
        if previous != self._last_digest:
            raise ValueError("the entry does not continue the chain from the one before")
        entry = dict(zip(_SEALED, content, strict=True))
        entry |= {name: values[name] for name in ("id", "digest", "signature")}
        self._add_row(
            number, "journal_entry", {**entry, "previous_digest": previous, "details": details}
        )
        if entry_id <= self._last_id or (entry["reverses_id"] or 0) >= entry_id:
            raise ValueError("the entries are not in order")
        for version in versions:
            self._add_row(number, "hand_version", {**version, "entry_id": entry_id})
        self._add_postings(number, entry_id, amounts)
        self.entries += 1
        self._last_id, self._last_digest = entry_id, values["digest"]

    def _add_postings(self, number: int, entry_id: int, amounts: Sequence[Any]) -> None:
        balances, rows = self._balances, self._rows["posting"]
        for account_id, amount in amounts:
            if account_id not in balances:
                raise ValueError(f"it moves account {account_id}, which no line before it has")
            if not amount:
                raise ValueError(f"it moves account {account_id} by nothing")
            balances[account_id] += amount
            if abs(balances[account_id]) > MOST:
                raise ValueError(f"the balance of account {account_id} after it is too large")
            values = rows.added + 1, entry_id, account_id, amount, balances[account_id]
            rows.add(number, dict(zip(_POSTING, values, strict=True)))

    def _insert_waiting(self) -> None:
        """Insert the rows that wait, those of each table after the ones they refer to. Raises ``Damaged``."""
        for rows in self._rows.values():
            rows.insert()
        self._waiting = 0

    def _end(self, values: Mapping[str, Any]) -> None:
        """Insert the rows that wait, and compare the numbers of the last line. Raises ``ValueError``."""
        self._insert_waiting()
        stated = (values["entries"], values["head"], self._header.last_entry)
        if stated != (self.entries, self._last_digest, self._last_id):
            raise ValueError(
                "entries are missing: the last one is not that of the header or the end"
            )
        last_ids: dict[str, int] = self._header.club["last_ids"]
        for table in (*self._rows, "club_origin"):
            (highest,) = self._connection.execute(f"SELECT max(id) FROM {table}").fetchone()
            last_ids[table] = max(last_ids.get(table, 0), highest or 0)
        self._connection.execute("UPDATE club SET last_ids = ?", (json.text(last_ids),))
        for definition in self._definitions:
            self._connection.execute(definition)


class _Rows:
    """Rows of a table, checked and inserted many at a time; ``added`` counts them."""

    def __init__(self, connection: sqlite3.Connection, table: str) -> None:
        self._connection, self._columns = connection, Columns(connection, table)
        self._insertion = _insertion(table, ("club_id", *self._columns.names), CLUB)
        self._pending: list[tuple[int, Mapping[str, Any]]] = []
        self.added = 0

    def add(self, number: int, values: Mapping[str, Any]) -> None:
        """Insert a row of a line with the next ones. Raises ``Damaged`` for the line of any of them."""
        self._pending.append((number, values))
        self.added += 1
        if len(self._pending) == _BATCH:
            self.insert()

    def insert(self) -> None:
        """Insert the rows that wait. Raises ``Damaged``."""
        if not self._pending:
            return
        numbers, lines = zip(*self._pending, strict=True)
        self._pending.clear()
        before = self._connection.total_changes
        try:
            self._connection.executemany(self._insertion, self._columns.rows(lines))
        except sqlite3.IntegrityError as error:
            number = numbers[self._connection.total_changes - before]
            raise Damaged(number, f"it contradicts an earlier line ({error})") from error
        except (*SPOILED, OverflowError):
            for number, values in zip(numbers, lines, strict=True):
                self._check(number, values)
            raise

    def _check(self, number: int, values: Mapping[str, Any]) -> None:
        try:
            self._columns.row(values)
        except (*SPOILED, OverflowError) as error:
            raise Damaged(number, _reason(error)) from error


def _insertion(table: str, names: Sequence[str], *first: int) -> str:
    """Return the statement that inserts a row; its ``first`` values are fixed."""
    values = [*map(str, first), *["?"] * (len(names) - len(first))]
    return f"INSERT INTO {table} ({', '.join(names)}) VALUES ({', '.join(values)})"


def _unsealed(sealed: str) -> list[Any]:
    """Return the values in an entry's sealed text; the details, if any, as a mapping. Raises ``SPOILED``."""
    content = json.read(sealed)
    if not isinstance(content, list) or len(content) not in (
        _WITHOUT_DETAILS,
        _WITHOUT_DETAILS + 1,
    ):
        raise ValueError("the entry's sealed text has too few or too many values")
    return [*content[:_WITHOUT_DETAILS], dict(*content[_WITHOUT_DETAILS:])]


def _reason(error: Exception) -> str:
    return f"it can't be read ({error!r})" if type(error) is not ValueError else str(error)
