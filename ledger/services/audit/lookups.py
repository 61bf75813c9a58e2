"""What verifying keeps at hand: rows that are looked up again and again, and the journal in chunks."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain, groupby
from operator import itemgetter
from typing import Any, NamedTuple, Self

from sqlalchemy import BigInteger, ColumnElement, Connection, Select, bindparam, func, select

from ledger.books.rescoring import StoredTexts
from ledger.database.kinds.accounts import seat_key
from ledger.database.kinds.states import HandAction, HandState
from ledger.services.audit.raw import columns, kept_text, rows, rows_with
from ledger.services.audit.row_types import (
    PLACES,
    TABLES,
    AccountRow,
    EntryRow,
    HandRow,
    PostingRow,
    R,
    Row,
    SeatRow,
    SessionRow,
    Turn,
    VersionRow,
    Voiding,
)
from ledger.services.audit.tables import metadata

BEFORE, _BEYOND = -(2**63), 2**63 - 1
"""Numbers before and after that of any row: SQLite has negative ones, too."""

CHUNK = 200
"""How many entries are held at a time: so few that they stay near the processor while they are looked at."""

_TABLES = metadata.tables


class Difference(NamedTuple):
    """One thing that is not as it should be: whose club, where in its books, and what."""

    club: str
    place: str
    message: str

    def __str__(self) -> str:
        """Say it in one line."""
        said = f"{self.club}, {self.place}: {self.message}"
        return said.encode("utf-8", "backslashreplace").decode()


@dataclass(frozen=True, slots=True)
class Shelf:
    """The rows that everything else points at, by id; accounts by seat, or by club and key, too.

    ``noted`` are the differences that were found and not yet told.
    """

    clubs: dict[int, str]
    accounts: dict[int, AccountRow] = field(default_factory=dict)
    keys: dict[tuple[int, str], int] = field(default_factory=dict)
    of_seats: dict[int, int | None] = field(default_factory=dict)
    seats: dict[int, SeatRow] = field(default_factory=dict)
    sessions: dict[int, SessionRow] = field(default_factory=dict)
    noted: list[Difference] = field(default_factory=list)

    @classmethod
    def load(cls, connection: Connection) -> Self:
        """Read them."""
        same: dict[Any, Any] = {}
        accounts = _by_id(connection, AccountRow, same)
        keys = {(row.club_id, row.key): row.id for row in accounts.values()}
        seats = _by_id(connection, SeatRow, same)
        return cls(
            clubs=dict(rows(connection, columns("club", "id", "name"))),
            accounts=accounts,
            of_seats={
                row.id: keys.pop((row.club_id, seat_key(row.id)), None) for row in seats.values()
            },
            keys=keys,
            seats=seats,
            sessions=_by_id(connection, SessionRow, same),
        )

    def note(self, row: Row, message: str | None) -> None:
        """Note what is wrong with a row, if anything is."""
        if message is None:
            return
        place = PLACES[type(row)].format(row)
        if isinstance(row, VersionRow) and (hand := row.hand):
            place = f"{PLACES[HandRow].format(hand)}, version {row.version}"
        self.note_at(row.club_id, place, message)

    def note_at(self, club_id: int | None, place: str, message: str) -> None:
        """Note a difference at a place in a club's books."""
        club = self.clubs.get(club_id or 0, f"club {club_id}")
        self.noted.append(Difference(club, place, message))

    def told(self) -> Iterator[Difference]:
        """Yield what was noted, and forget it."""
        yield from self.noted
        self.noted.clear()


@dataclass(frozen=True, slots=True)
class Chunk:
    """Some entries, oldest first, with the postings and the hands' versions that name them.

    ``moved`` is what each entry moves, by account, once its postings were looked at.
    """

    entries: list[EntryRow]
    postings: dict[int, list[PostingRow]]
    versions: Mapping[int, list[VersionRow]]
    moved: dict[int, dict[int, int]] = field(default_factory=dict)

    @property
    def every_version(self) -> Iterator[VersionRow]:
        """All of the versions, always in the same order."""
        return chain.from_iterable(self.versions.values())


def chunks(connection: Connection) -> Iterator[Chunk]:
    """Read the journal from its beginning; the last chunk takes all that points past its end, too."""
    after, is_last = BEFORE, False
    while not is_last:
        entries = list(map(EntryRow._make, rows_with(connection, _ENTRIES, after=after)))
        is_last = len(entries) < CHUNK
        until = entries[-1].id if entries else after
        span = {"after": after, "until": _BEYOND if is_last else until}
        posted = {
            entry_id: list(each)
            for entry_id, each in groupby(rows_with(connection, _POSTINGS, **span), itemgetter(0))
        }
        said: dict[int, list[VersionRow]] = defaultdict(list)
        for version in map(VersionRow._make, rows_with(connection, _VERSIONS, **span)):
            said[version.entry_id or 0].append(version)
        yield Chunk(entries, posted, said)
        after = until


def originals(connection: Connection, chunk: Chunk) -> Mapping[int, Mapping[int, int]]:
    """Return what the entries moved, by account, that those of a chunk reverse."""
    found: dict[int, dict[int, int]] = defaultdict(dict)
    if any(entry.reverses_id is not None for entry in chunk.entries):
        span = {"after": chunk.entries[0].id - 1, "until": chunk.entries[-1].id}
        for entry_id, account_id, amount in rows_with(connection, _ORIGINALS, **span):
            found[entry_id][account_id] = amount
    return found


def voidings(connection: Connection) -> Iterator[Voiding]:
    """Read the versions that have no entry, oldest first, each with the version before it."""
    after, is_last = BEFORE, False
    while not is_last:
        found = rows_with(connection, _VOIDINGS, after=after)
        is_last = len(found) < CHUNK
        for row in found:
            version, reversal = row[:_WIDTH], row[-_ENTRY_WIDTH:]
            entry = None if reversal[0] is None else EntryRow(*reversal)
            before = row[_WIDTH:-_ENTRY_WIDTH]
            yield Voiding._make((VersionRow._make(version), *before, entry))
            after = row[0]


def as_kept(version: VersionRow) -> StoredTexts:
    """Return the record and the verdict of a version as texts, and the engine's version that scored it."""
    record, verdict = kept_text(version.record), kept_text(version.verdict)
    return StoredTexts(record, verdict, str(version.engine_version))


def turns(connection: Connection, session_id: int) -> Iterator[tuple[HandRow, list[Turn]]]:
    """Read the hands of a session by their numbers, each with its versions one after another."""
    found = rows_with(connection, _TURNS, session=session_id)
    for hand, each in groupby(found, lambda row: HandRow(*row[:-3])):
        yield hand, [row[-3:] for row in each if row[-3] is not None]


def as_recorded(connection: Connection) -> dict[int, int | None]:
    """Return how many hands say that they are of each session; None where they need a closer look.

    They need none where all of them stand as they were recorded, and are numbered from 1 without a gap.
    """
    found: dict[int, int | None] = {}
    for session_id, *numbers in rows(connection, _AS_RECORDED):
        is_so = session_id not in found and {*numbers} == {numbers[0]}
        found[session_id] = numbers[0] if is_so else None
    found.update((session_id, None) for (session_id,) in rows(connection, _WITH_REVERSALS))
    return found


def count(connection: Connection) -> int:
    """Return how many entries there are."""
    counted = rows(connection, select(func.count()).select_from(_TABLES["journal_entry"]))
    return int(counted[0][0]) if counted else 0


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
_HAND = _TABLES["hand"].c
_WITH_HANDS = (
    columns("hand_version", *VersionRow.OWN)
    .add_columns(*(_HAND[name] for name in HandRow._fields))
    .outerjoin(_TABLES["hand"], _HAND.id == _VERSION.hand_id)
)
_VERSIONS = _spanning(_WITH_HANDS, _VERSION.entry_id).order_by(_VERSION.entry_id, _VERSION.id)
_ORIGINALS = _spanning(
    columns("posting", "entry_id", "account_id", "amount").join(
        _TABLES["journal_entry"], _ENTRY.reverses_id == _POSTING.entry_id
    ),
    _ENTRY.id,
)
_WIDTH, _ENTRY_WIDTH = len(VersionRow._fields), len(EntryRow._fields)
_BEFORE, _REVERSAL = _TABLES["hand_version"].alias(), _TABLES["journal_entry"].alias()
_VOIDINGS = (
    _WITH_HANDS.add_columns(*(_BEFORE.c[name] for name in Voiding._fields[1:-1]))
    .add_columns(*(_REVERSAL.c[name] for name in EntryRow._fields))
    .outerjoin(
        _BEFORE,
        (_BEFORE.c.hand_id == _VERSION.hand_id) & (_BEFORE.c.version == _VERSION.version - 1),
    )
    .outerjoin(_REVERSAL, _REVERSAL.c.reverses_id == _BEFORE.c.entry_id)
    .where(_VERSION.entry_id.is_(None), _VERSION.id > _AFTER)
    .order_by(_VERSION.id)
    .limit(CHUNK)
)
_TURNS = (
    columns("hand", *HandRow._fields)
    .add_columns(_VERSION.version, _VERSION.action, _VERSION.entry_id)
    .outerjoin(_TABLES["hand_version"], _VERSION.hand_id == _HAND.id)
    .where(_HAND.session_id == bindparam("session", type_=BigInteger))
    .order_by(_HAND.number, _HAND.id, _VERSION.version)
)
_PLAIN = _VERSION.entry_id.is_not(None) & (_VERSION.version == 1) & (_HAND.version == 1)
_PLAIN &= (_VERSION.action == HandAction.RECORDED) & (_HAND.state == HandState.STANDING)
_AS_RECORDED = (
    select(
        _HAND.session_id,
        func.count(),
        func.count().filter(_PLAIN & (_HAND.number > 0)),
        func.count(_HAND.number.distinct()),
        func.max(_HAND.number),
    )
    .outerjoin(_TABLES["hand_version"], _VERSION.hand_id == _HAND.id)
    .group_by(_HAND.session_id)
    .order_by(_HAND.session_id)
)
_WITH_REVERSALS = (
    select(_HAND.session_id)
    .join(_TABLES["hand_version"], _VERSION.hand_id == _HAND.id)
    .join(_TABLES["journal_entry"], _ENTRY.reverses_id == _VERSION.entry_id)
    .distinct()
)


def every(connection: Connection, kind: type[R]) -> list[R]:
    """Read all rows of a kind."""
    return list(map(kind._make, rows(connection, columns(TABLES[kind], *kind._fields))))


def _by_id(connection: Connection, kind: type[R], same: dict[Any, Any]) -> dict[int, R]:
    """Read all rows of a kind by id. What stands in many of them is kept once, in ``same``."""
    return {
        row[0]: kind._make(
            same.setdefault(value, value) if type(value) in _KEPT_ONCE else value for value in row
        )
        for row in rows(connection, columns(TABLES[kind], *kind._fields))
    }


_KEPT_ONCE = (int, str)
"""Which are never equal to each other; a 1.0 would stand for a 1."""
