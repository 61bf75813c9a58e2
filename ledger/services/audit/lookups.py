"""A club's rows that the checks look up again and again, and its journal in chunks."""

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
from ledger.services.audit.raw import columns, fetch, json_text, of_club, refers
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
    VersionRow,
    VersionStep,
    Voiding,
)
from ledger.services.audit.tables import OWNED, metadata

BELOW_ALL, _ABOVE_ALL = -(2**63), 2**63 - 1
"""Ids below and above those of all rows; SQLite allows negative ones."""

CHUNK = 200
"""The number of entries in memory at a time: few enough to stay in the processor's cache."""

_TABLES = metadata.tables


class Difference(NamedTuple):
    """A fault: the club, the place in its data, and a message."""

    club: str
    place: str
    message: str

    def __str__(self) -> str:
        """Return the fault as one line, with unpaired surrogates escaped."""
        line = f"{self.club}, {self.place}: {self.message}"
        return line.encode("utf-8", "backslashreplace").decode()


@dataclass(frozen=True, slots=True)
class Lookups:
    """A club's rows that others refer to, by id, and the differences noted but not yet yielded.

    ``account_ids`` maps a key to an account; accounts of seats are in ``seat_accounts`` instead.
    """

    connection: Connection
    club_id: int
    club: str
    accounts: dict[int, AccountRow] = field(default_factory=dict)
    account_ids: dict[str, int] = field(default_factory=dict)
    seat_accounts: dict[int, int | None] = field(default_factory=dict)
    seats: dict[int, SeatRow] = field(default_factory=dict)
    sessions: dict[int, SessionRow] = field(default_factory=dict)
    differences: list[Difference] = field(default_factory=list)

    @classmethod
    def load(cls, connection: Connection, club_id: int, club: str) -> Self:
        """Load all accounts, seats and sessions of a club; ``club`` is its name."""
        lookups = cls(connection, club_id, club)
        shared: dict[Any, Any] = {}
        lookups.accounts.update(lookups._by_id(AccountRow, shared))
        lookups.account_ids.update((row.key, row.id) for row in lookups.accounts.values())
        lookups.seats.update(lookups._by_id(SeatRow, shared))
        lookups.seat_accounts.update(
            (seat_id, lookups.account_ids.pop(seat_key(seat_id), None)) for seat_id in lookups.seats
        )
        lookups.sessions.update(lookups._by_id(SessionRow, shared))
        return lookups

    def fetch(self, query: Select[Any], **parameters: int | str) -> list[Any]:
        """Return the club's rows of a query made with ``columns`` or ``of_club``, as ``raw.fetch`` does."""
        return fetch(self.connection, query, club=self.club_id, **parameters)

    def all_rows(self, kind: type[R]) -> list[R]:
        """Return all rows of a kind in the club, such as ``SeatRow``."""
        return list(map(kind._make, self.fetch(_ALL[kind])))

    def _by_id(self, kind: type[R], shared: dict[Any, Any]) -> dict[int, R]:
        """Return all rows of a kind by id; equal values are stored once, in ``shared``."""
        return {
            row[0]: kind._make(
                shared.setdefault(value, value) if type(value) in _SHARED_TYPES else value
                for value in row
            )
            for row in self.fetch(_ALL[kind])
        }

    def note(self, row: Row, message: str | None) -> None:
        """Add a difference with this message at a row's place; a message of None adds nothing."""
        if message is None:
            return
        place = PLACES[type(row)].format(row)
        if isinstance(row, VersionRow) and (hand := row.hand):
            place = f"{PLACES[HandRow].format(hand)}, version {row.version}"
        self.note_at(place, message)

    def note_at(self, place: str, message: str) -> None:
        """Add a difference with this message at a place in the club's data, such as ``entry 7``."""
        self.differences.append(Difference(self.club, place, message))

    def drain(self) -> Iterator[Difference]:
        """Yield the differences noted so far, and forget them."""
        yield from self.differences
        self.differences.clear()


@dataclass(frozen=True, slots=True)
class Chunk:
    """Consecutive entries of a club, with the postings and the versions of hands that refer to each.

    ``amounts`` maps each entry to its amounts by account, once its postings have been checked.
    """

    club_id: int
    entries: list[EntryRow]
    postings: dict[int, list[PostingRow]]
    versions: Mapping[int, list[VersionRow]]
    amounts: dict[int, dict[int, int]] = field(default_factory=dict)

    @property
    def all_versions(self) -> Iterator[VersionRow]:
        """An iterator over all versions of the chunk, always in the same order."""
        return chain.from_iterable(self.versions.values())


def chunks(connection: Connection, club_id: int) -> Iterator[Chunk]:
    """Yield a club's journal in order, at least one chunk; the last one may have no entries.

    It includes the postings and versions that refer to entries beyond the journal's end.
    """
    after, is_last = BELOW_ALL, False
    while not is_last:
        rows = fetch(connection, _ENTRIES, club=club_id, after=after)
        entries = list(map(EntryRow._make, rows))
        is_last = len(entries) < CHUNK
        until = entries[-1].id if entries else after
        span = {"club": club_id, "after": after, "until": _ABOVE_ALL if is_last else until}
        postings = {
            entry_id: list(rows)
            for entry_id, rows in groupby(fetch(connection, _POSTINGS, **span), itemgetter(0))
        }
        versions: dict[int, list[VersionRow]] = defaultdict(list)
        for version in map(VersionRow._make, fetch(connection, _VERSIONS, **span)):
            versions[version.entry_id or 0].append(version)
        yield Chunk(club_id, entries, postings, versions)
        after = until


def originals(lookups: Lookups, chunk: Chunk) -> Mapping[int, Mapping[int, int]]:
    """Map each entry that an entry of the chunk reverses to its amounts by account; both are ids."""
    amounts: dict[int, dict[int, int]] = defaultdict(dict)
    if any(entry.reverses_id is not None for entry in chunk.entries):
        span = {"low": chunk.entries[0].id, "high": chunk.entries[-1].id}
        for entry_id, account_id, amount in lookups.fetch(_ORIGINALS, **span):
            amounts[entry_id][account_id] = amount
    return amounts


def voidings(lookups: Lookups) -> Iterator[Voiding]:
    """Yield the hand versions without a journal entry, oldest first.

    Each comes with the previous version's contents and the entry that reversed it, if there is one.
    """
    after, is_last = BELOW_ALL, False
    while not is_last:
        rows = lookups.fetch(_VOIDINGS, after=after)
        is_last = len(rows) < CHUNK
        for row in rows:
            version, reversal = row[:_WIDTH], row[-_ENTRY_WIDTH:]
            entry = None if reversal[0] is None else EntryRow(*reversal)
            previous = row[_WIDTH:-_ENTRY_WIDTH]
            yield Voiding._make((VersionRow._make(version), *previous, entry))
            after = row[0]


def stored_texts(version: VersionRow) -> StoredTexts:
    """Return the record and verdict of a version as texts, with the engine version that scored it."""
    record, verdict = json_text(version.record), json_text(version.verdict)
    return StoredTexts(record, verdict, str(version.engine_version))


def hand_histories(
    lookups: Lookups, session_id: int
) -> Iterator[tuple[HandRow, list[VersionStep]]]:
    """Yield the hands of a session by number, each with its versions in order, or with an empty list."""
    rows = lookups.fetch(_HISTORIES, session=session_id)
    for hand, steps in groupby(rows, lambda row: HandRow(*row[:-3])):
        yield hand, [row[-3:] for row in steps if row[-3] is not None]


def unchanged_hand_counts(lookups: Lookups) -> dict[int, int | None]:
    """Map each session to its number of hands, or to None if its hands must be examined one by one.

    They need not be if all stand as recorded, unreversed, and are numbered from 1 without a gap. Sessions
    without hands are left out.
    """
    counts: dict[int, int | None] = {}
    for session_id, *numbers in lookups.fetch(_AS_RECORDED):
        is_plain = session_id not in counts and {*numbers} == {numbers[0]}
        counts[session_id] = numbers[0] if is_plain else None
    counts.update((session_id, None) for (session_id,) in lookups.fetch(_WITH_REVERSALS))
    return counts


def entry_count(connection: Connection) -> int:
    """Return the number of journal entries of all clubs, or 0 if they can't be counted."""
    rows = fetch(connection, select(func.count()).select_from(_TABLES["journal_entry"]))
    return int(rows[0][0]) if rows else 0


def club_names(connection: Connection) -> dict[int, str]:
    """Return the name of each club by its id; a club that is gone, but has rows, is named by its id."""
    clubs = _TABLES["club"].c
    names: dict[int, str] = dict(fetch(connection, select(clubs.id, clubs.name)))
    for query in _OWNERS:
        for (club_id,) in fetch(connection, query):
            if club_id is not None:
                names.setdefault(club_id, f"club {club_id}")
    return names


def _owners(club_id: ColumnElement[Any]) -> Select[Any]:
    """Return a query for the distinct values in this column, found by steps through its index.

    The last is null.
    """
    first = select(func.min(club_id).label("club_id")).cte(recursive=True)
    following = select(func.min(club_id)).where(club_id > first.c.club_id).correlate(first)
    steps = select(following.scalar_subquery()).where(first.c.club_id.is_not(None))
    return select(first.union_all(steps).c.club_id)


_OWNERS = [_owners(table.c.club_id) for table in OWNED]


_ALL: Mapping[type, Select[Any]] = {
    kind: columns(table, *kind._fields)  # type: ignore[attr-defined]
    for kind, table in TABLES.items()
}
_AFTER = bindparam("after", type_=BigInteger)


def _spanning(query: Select[Any], entry_id: ColumnElement[Any]) -> Select[Any]:
    """Narrow a query to the entries of a chunk."""
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
    columns("posting", "entry_id", "account_id", "amount", "balance"), _POSTING.entry_id
).order_by(_POSTING.entry_id, _POSTING.id)
_HAND = _TABLES["hand"].c
_WITH_HANDS = (
    columns("hand_version", *VersionRow.OWN)
    .add_columns(*(_HAND[name] for name in HandRow._fields))
    .outerjoin(_TABLES["hand"], refers(_VERSION.hand_id, _TABLES["hand"]))
)
_VERSIONS = _spanning(_WITH_HANDS, _VERSION.entry_id).order_by(_VERSION.entry_id, _VERSION.id)
_ORIGINALS = (
    columns("posting", "entry_id", "account_id", "amount")
    .join(
        _TABLES["journal_entry"],
        (_ENTRY.club_id == _POSTING.club_id) & (_ENTRY.reverses_id == _POSTING.entry_id),
    )
    .where(
        _ENTRY.id.between(bindparam("low", type_=BigInteger), bindparam("high", type_=BigInteger))
    )
)
_WIDTH, _ENTRY_WIDTH = len(VersionRow._fields), len(EntryRow._fields)
_PREVIOUS, _REVERSAL = _TABLES["hand_version"].alias(), _TABLES["journal_entry"].alias()
_VOIDINGS = (
    _WITH_HANDS.add_columns(*(_PREVIOUS.c[name] for name in Voiding._fields[1:-1]))
    .add_columns(*(_REVERSAL.c[name] for name in EntryRow._fields))
    .outerjoin(
        _PREVIOUS,
        (_PREVIOUS.c.club_id == _VERSION.club_id)
        & (_PREVIOUS.c.hand_id == _VERSION.hand_id)
        & (_PREVIOUS.c.version == _VERSION.version - 1),
    )
    .outerjoin(
        _REVERSAL,
        (_REVERSAL.c.club_id == _PREVIOUS.c.club_id)
        & (_REVERSAL.c.reverses_id == _PREVIOUS.c.entry_id),
    )
    .where(_VERSION.entry_id.is_(None), _VERSION.id > _AFTER)
    .order_by(_VERSION.id)
    .limit(CHUNK)
)
_OF_HAND = (_VERSION.club_id == _HAND.club_id) & (_VERSION.hand_id == _HAND.id)
_HISTORIES = (
    columns("hand", *HandRow._fields)
    .add_columns(_VERSION.version, _VERSION.action, _VERSION.entry_id)
    .outerjoin(_TABLES["hand_version"], _OF_HAND)
    .where(_HAND.session_id == bindparam("session", type_=BigInteger))
    .order_by(_HAND.number, _HAND.id, _VERSION.version)
)
_PLAIN = _VERSION.entry_id.is_not(None) & (_VERSION.version == 1) & (_HAND.version == 1)
_PLAIN &= _VERSION.action == HandAction.RECORDED.value
_PLAIN &= _HAND.state == HandState.STANDING.value
_AS_RECORDED = (
    select(
        _HAND.session_id,
        func.count(),
        func.count().filter(_PLAIN & (_HAND.number > 0)),
        func.count(_HAND.number.distinct()),
        func.max(_HAND.number),
    )
    .outerjoin(_TABLES["hand_version"], _OF_HAND)
    .where(of_club(_TABLES["hand"]))
    .group_by(_HAND.session_id)
    .order_by(_HAND.session_id)
)
_WITH_REVERSALS = (
    select(_HAND.session_id)
    .join(_TABLES["hand_version"], _OF_HAND)
    .join(
        _TABLES["journal_entry"],
        (_ENTRY.club_id == _VERSION.club_id) & (_ENTRY.reverses_id == _VERSION.entry_id),
    )
    .where(of_club(_TABLES["hand"]))
    .distinct()
)
_SHARED_TYPES = (int, str)
"""Types whose values never equal each other's; a 1.0 would be replaced by a 1."""
