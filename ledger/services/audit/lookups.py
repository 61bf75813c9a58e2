"""Rows that the checks look up again and again, and the journal in chunks."""

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
from ledger.services.audit.raw import columns, fetch, fetch_with, json_text
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
from ledger.services.audit.tables import metadata

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
    """The rows that others refer to, by id, and the differences noted but not yet yielded.

    ``account_ids`` maps a club and a key to an account; accounts of seats are in ``seat_accounts`` instead.
    """

    clubs: dict[int, str]
    accounts: dict[int, AccountRow] = field(default_factory=dict)
    account_ids: dict[tuple[int, str], int] = field(default_factory=dict)
    seat_accounts: dict[int, int | None] = field(default_factory=dict)
    seats: dict[int, SeatRow] = field(default_factory=dict)
    sessions: dict[int, SessionRow] = field(default_factory=dict)
    differences: list[Difference] = field(default_factory=list)

    @classmethod
    def load(cls, connection: Connection) -> Self:
        """Load the names of all clubs, and all accounts, seats and sessions."""
        shared: dict[Any, Any] = {}
        accounts = _by_id(connection, AccountRow, shared)
        ids = {(row.club_id, row.key): row.id for row in accounts.values()}
        seats = _by_id(connection, SeatRow, shared)
        return cls(
            clubs=dict(fetch(connection, columns("club", "id", "name"))),
            accounts=accounts,
            seat_accounts={
                row.id: ids.pop((row.club_id, seat_key(row.id)), None) for row in seats.values()
            },
            account_ids=ids,
            seats=seats,
            sessions=_by_id(connection, SessionRow, shared),
        )

    def note(self, row: Row, message: str | None) -> None:
        """Note a difference at a row; None is ignored."""
        if message is None:
            return
        place = PLACES[type(row)].format(row)
        if isinstance(row, VersionRow) and (hand := row.hand):
            place = f"{PLACES[HandRow].format(hand)}, version {row.version}"
        self.note_at(row.club_id, place, message)

    def note_at(self, club_id: int | None, place: str, message: str) -> None:
        """Note a difference at a place in a club's data; a club that is gone is named by its id."""
        club = self.clubs.get(club_id or 0, f"club {club_id}")
        self.differences.append(Difference(club, place, message))

    def drain(self) -> Iterator[Difference]:
        """Yield the noted differences and forget them."""
        yield from self.differences
        self.differences.clear()


@dataclass(frozen=True, slots=True)
class Chunk:
    """Consecutive entries, with the postings and the versions of hands that refer to each.

    ``amounts`` maps each entry to its amounts by account, once its postings have been checked.
    """

    entries: list[EntryRow]
    postings: dict[int, list[PostingRow]]
    versions: Mapping[int, list[VersionRow]]
    amounts: dict[int, dict[int, int]] = field(default_factory=dict)

    @property
    def all_versions(self) -> Iterator[VersionRow]:
        """All versions, always in the same order."""
        return chain.from_iterable(self.versions.values())


def chunks(connection: Connection) -> Iterator[Chunk]:
    """Yield the journal in order, at least one chunk; the last one may have no entries.

    It includes the postings and versions that refer to entries beyond the journal's end.
    """
    after, is_last = BELOW_ALL, False
    while not is_last:
        entries = list(map(EntryRow._make, fetch_with(connection, _ENTRIES, after=after)))
        is_last = len(entries) < CHUNK
        until = entries[-1].id if entries else after
        span = {"after": after, "until": _ABOVE_ALL if is_last else until}
        postings = {
            entry_id: list(rows)
            for entry_id, rows in groupby(fetch_with(connection, _POSTINGS, **span), itemgetter(0))
        }
        versions: dict[int, list[VersionRow]] = defaultdict(list)
        for version in map(VersionRow._make, fetch_with(connection, _VERSIONS, **span)):
            versions[version.entry_id or 0].append(version)
        yield Chunk(entries, postings, versions)
        after = until


def originals(connection: Connection, chunk: Chunk) -> Mapping[int, Mapping[int, int]]:
    """Map the id of each entry reversed in a chunk to its amounts by account."""
    amounts: dict[int, dict[int, int]] = defaultdict(dict)
    if any(entry.reverses_id is not None for entry in chunk.entries):
        span = {"after": chunk.entries[0].id - 1, "until": chunk.entries[-1].id}
        for entry_id, account_id, amount in fetch_with(connection, _ORIGINALS, **span):
            amounts[entry_id][account_id] = amount
    return amounts


def voidings(connection: Connection) -> Iterator[Voiding]:
    """Yield the hand versions without a journal entry, oldest first.

    Each comes with the previous version's contents and the entry that reversed it, if there is one.
    """
    after, is_last = BELOW_ALL, False
    while not is_last:
        rows = fetch_with(connection, _VOIDINGS, after=after)
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
    connection: Connection, session_id: int
) -> Iterator[tuple[HandRow, list[VersionStep]]]:
    """Yield the hands of a session by number, each with its versions in order, or with none."""
    rows = fetch_with(connection, _HISTORIES, session=session_id)
    for hand, steps in groupby(rows, lambda row: HandRow(*row[:-3])):
        yield hand, [row[-3:] for row in steps if row[-3] is not None]


def unchanged_hand_counts(connection: Connection) -> dict[int, int | None]:
    """Map each session to its number of hands, or to None if its hands must be examined one by one.

    They need not be if all stand as recorded and are numbered from 1 without a gap. Sessions without hands
    are left out.
    """
    counts: dict[int, int | None] = {}
    for session_id, *numbers in fetch(connection, _AS_RECORDED):
        is_plain = session_id not in counts and {*numbers} == {numbers[0]}
        counts[session_id] = numbers[0] if is_plain else None
    counts.update((session_id, None) for (session_id,) in fetch(connection, _WITH_REVERSALS))
    return counts


def entry_count(connection: Connection) -> int:
    """Return the number of journal entries, or 0 if they can't be counted."""
    rows = fetch(connection, select(func.count()).select_from(_TABLES["journal_entry"]))
    return int(rows[0][0]) if rows else 0


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
_PREVIOUS, _REVERSAL = _TABLES["hand_version"].alias(), _TABLES["journal_entry"].alias()
_VOIDINGS = (
    _WITH_HANDS.add_columns(*(_PREVIOUS.c[name] for name in Voiding._fields[1:-1]))
    .add_columns(*(_REVERSAL.c[name] for name in EntryRow._fields))
    .outerjoin(
        _PREVIOUS,
        (_PREVIOUS.c.hand_id == _VERSION.hand_id) & (_PREVIOUS.c.version == _VERSION.version - 1),
    )
    .outerjoin(_REVERSAL, _REVERSAL.c.reverses_id == _PREVIOUS.c.entry_id)
    .where(_VERSION.entry_id.is_(None), _VERSION.id > _AFTER)
    .order_by(_VERSION.id)
    .limit(CHUNK)
)
_HISTORIES = (
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


def all_rows(connection: Connection, kind: type[R]) -> list[R]:
    """Return all rows of a kind."""
    return list(map(kind._make, fetch(connection, columns(TABLES[kind], *kind._fields))))


def _by_id(connection: Connection, kind: type[R], shared: dict[Any, Any]) -> dict[int, R]:
    """Return all rows of a kind by id; equal values are stored once, in ``shared``."""
    return {
        row[0]: kind._make(
            shared.setdefault(value, value) if type(value) in _SHARED_TYPES else value
            for value in row
        )
        for row in fetch(connection, columns(TABLES[kind], *kind._fields))
    }


_SHARED_TYPES = (int, str)
"""Types whose values never equal each other's; a 1.0 would be replaced by a 1."""
