"""What verifying reads: the few rows that are looked up again and again, and the journal in chunks."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple, Self

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Connection,
    Dialect,
    Select,
    bindparam,
    func,
    select,
)

from ledger import json_text
from ledger.models import metadata

CHUNK = 2500
"""How many entries are held at a time."""

_TABLES = metadata.tables

SPOILED = (LookupError, TypeError, ValueError, AttributeError)
"""What reading something that was changed by hand can end in."""


class Difference(NamedTuple):
    """One thing that is not as it should be: whose club, where in its books, and what."""

    club: str
    place: str
    message: str

    def __str__(self) -> str:
        """Say it in one line."""
        return f"{self.club}, {self.place}: {self.message}"


class AccountRow(NamedTuple):
    """An account as it is kept."""

    id: int
    club_id: int
    key: str
    kind: str
    unit: str
    balance: int
    session_id: int | None
    seat_id: int | None
    player_id: int | None
    name: str | None
    closed_at: object


class SeatRow(NamedTuple):
    """A seat as it is kept."""

    id: int
    club_id: int
    session_id: int
    player_id: int
    position: int
    advanced: int
    converted: int
    hands_bid: int
    hands_won: int
    state: str


class HandRow(NamedTuple):
    """A hand as it is kept."""

    id: int
    club_id: int
    session_id: int
    number: int
    state: str
    version: int

    @property
    def place(self) -> str:
        """Where it is found."""
        return f"session {self.session_id}, hand {self.number}"


@dataclass(frozen=True, slots=True)
class Shelf:
    """The rows that everything else points at, by id; accounts by club and key, and by seat, too."""

    clubs: dict[int, str]
    accounts: dict[int, AccountRow]
    keys: dict[tuple[int, str], int]
    of_seats: dict[int, int | None]
    seats: dict[int, SeatRow]
    hands: dict[int, HandRow]

    @classmethod
    def load(cls, connection: Connection) -> Self:
        """Read them."""
        accounts = {row[0]: AccountRow(*row) for row in _all(connection, "account", AccountRow)}
        keys = {(row.club_id, row.key): row.id for row in accounts.values()}
        seats = {row[0]: SeatRow(*row) for row in _all(connection, "seat", SeatRow)}
        return cls(
            clubs=dict(rows(connection, columns("club", "id", "name"))),
            accounts=accounts,
            keys=keys,
            of_seats={row.id: keys.get((row.club_id, f"seat/{row.id}")) for row in seats.values()},
            seats=seats,
            hands={row[0]: HandRow(*row) for row in _all(connection, "hand", HandRow)},
        )

    def differs(self, club_id: int | None, place: str, message: str) -> Difference:
        """Make a difference in a club's books."""
        return Difference(self.clubs.get(club_id or 0, f"club {club_id}"), place, message)


class EntryRow(NamedTuple):
    """An entry as it is kept, its details and instants unread."""

    id: int
    club_id: int
    session_id: int | None
    kind: str
    hand_id: int | None
    reverses_id: int | None
    author: str
    reason: str | None
    details: Any
    occurred_at: Any
    entered_at: Any
    previous_digest: str
    digest: str


class VersionRow(NamedTuple):
    """A hand's version as it is kept, its documents unread."""

    id: int
    club_id: int
    session_id: int
    hand_id: int
    version: int
    action: str
    record: Any
    verdict: Any
    seat_ids: Any
    author: str
    reason: str | None
    played_at: Any
    entered_at: Any
    entry_id: int | None


PostingRow = tuple[int, int, int, int, int]
"""A posting's entry, account, amount, balance and club."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """Some entries, oldest first, with the postings and the hands' versions that name them.

    ``moved`` is what each entry moves, by account, once its postings were looked at.
    """

    entries: list[EntryRow]
    postings: dict[int, list[PostingRow]]
    versions: Mapping[int, list[VersionRow]]
    moved: dict[int, dict[int, int]] = field(default_factory=dict)


def chunks(connection: Connection) -> Iterator[Chunk]:
    """Read the journal from its beginning; the last chunk takes all that points past its end, too."""
    after, is_last = 0, False
    while not is_last:
        entries = list(map(EntryRow._make, rows_with(connection, _ENTRIES, after=after)))
        is_last = len(entries) < CHUNK
        until = entries[-1].id if entries else after
        span = {"after": after, "until": _BEYOND if is_last else until}
        posted: dict[int, list[PostingRow]] = defaultdict(list)
        for row in rows_with(connection, _POSTINGS, **span):
            posted[row[0]].append(row)
        said: dict[int, list[VersionRow]] = defaultdict(list)
        for version in map(VersionRow._make, rows_with(connection, _VERSIONS, **span)):
            said[version.entry_id or 0].append(version)
        yield Chunk(entries, posted, said)
        after = until


def versions_query() -> Select[Any]:
    """Select what is checked of hands' versions."""
    return columns("hand_version", *VersionRow._fields)


def count(connection: Connection) -> int:
    """Return how many entries there are."""
    return int(rows(connection, select(func.count()).select_from(_TABLES["journal_entry"]))[0][0])


def columns(table: str, *names: str) -> Select[Any]:
    """Select columns of a table."""
    return select(*(_TABLES[table].c[name] for name in names))


def rows(connection: Connection, query: Select[Any]) -> list[Any]:
    """Fetch rows as the driver gives them.

    That is many times faster than through the toolkit, and what was spoiled by hand does not end the reading.
    """
    compiled = query.compile(connection.engine, compile_kwargs={"literal_binds": True})
    return _fetch(connection, str(compiled), ())


def rows_with(connection: Connection, query: Select[Any], **given: int) -> list[Any]:
    """Fetch rows of a query that is asked again and again, with its named parameters."""
    compiled = _compiled(query, connection.dialect)
    named = compiled.construct_params(given)
    places = compiled.positiontup
    return _fetch(
        connection, str(compiled), named if places is None else [named[each] for each in places]
    )


def _fetch(connection: Connection, statement: str, given: Any) -> list[Any]:
    cursor = connection.connection.cursor()
    try:
        cursor.execute(statement, given)
        return list(cursor.fetchall())
    finally:
        cursor.close()


@lru_cache(maxsize=16)
def _compiled(query: Select[Any], dialect: Dialect) -> Any:
    """Put a query into the database's words, once."""
    return query.compile(dialect=dialect)


_AFTER = bindparam("after", type_=BigInteger)


def _spanning(query: Select[Any], entry_id: ColumnElement[Any]) -> Select[Any]:
    """Narrow a query to what belongs to the entries of a chunk."""
    return query.where(entry_id > _AFTER, entry_id <= bindparam("until", type_=BigInteger))


_ENTRY, _POSTING, _VERSION = (
    _TABLES[name].c for name in ("journal_entry", "posting", "hand_version")
)
_ENTRIES = (
    columns("journal_entry", *EntryRow._fields)
    .where(_ENTRY.id > _AFTER)
    .order_by(_ENTRY.id)
    .limit(CHUNK)
)
_POSTINGS = _spanning(
    columns("posting", "entry_id", "account_id", "amount", "balance", "club_id"), _POSTING.entry_id
).order_by(_POSTING.entry_id, _POSTING.id)
_VERSIONS = _spanning(versions_query(), _VERSION.entry_id).order_by(_VERSION.entry_id, _VERSION.id)
_BEYOND = 2**63 - 1


def document(value: Any) -> Any:
    """Read a JSON column as the driver gave it; PostgreSQL's has read it already."""
    return json_text.read(value) if isinstance(value, str) else value


def _all(connection: Connection, table: str, row: Any) -> list[Any]:
    return rows(connection, columns(table, *row._fields))
