"""The journal and the accounts of a club for exports, in the order of their ids, in constant memory."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, time
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, bindparam
from sqlmodel import and_, col, func, or_, select

from engine import games
from engine.rules.sheet import CHIPS, SCORE
from ledger.database.bulk_parameters import number_list
from ledger.database.kinds.accounts import AccountKind
from ledger.database.models import (
    Account,
    Hand,
    HandVersionTable,
    JournalEntry,
    Player,
    PlaySession,
    Posting,
    Seat,
)
from ledger.database.scope import Built, ScopedSession
from ledger.services.session.session_filter import SessionFilter

PAGE = 500
"""The most accounts, or entries with their postings, in memory at a time."""


class ExportedAccount(NamedTuple):
    """An account with its evening and its player; ``scored`` are the points in a seat's balance."""

    id: int
    key: str
    kind: str
    name: str | None
    unit: str
    balance: int
    is_closed: bool
    session_id: int | None
    evening: str | None
    seat_id: int | None
    player_id: int | None
    player: str | None
    scored: int

    @property
    def balances(self) -> Mapping[str, int]:
        """The balance in each unit: a seat has chips and points, the counter-account of scores points."""
        if self.kind == AccountKind.SEAT:
            return {CHIPS: self.balance - self.scored, SCORE: self.scored}
        return {SCORE if self.kind == AccountKind.WORLD else self.unit: self.balance}


class ExportedPosting(NamedTuple):
    """One account's part of an entry; ``unit`` is that of the amount, and tells points from chips."""

    account_id: int
    account: str
    unit: str
    player_id: int | None
    amount: int
    balance: int


class ExportedEntry(NamedTuple):
    """An entry with its evening, the number of its hand, and its postings."""

    id: int
    kind: str
    session_id: int | None
    hand_id: int | None
    reverses_id: int | None
    author: str
    reason: str | None
    occurred_at: datetime
    entered_at: datetime
    digest: str
    evening: str | None = None
    hand: int | None = None
    postings: Sequence[ExportedPosting] = ()


class EntryPosting(NamedTuple):
    """A posting with its entry and the name of its player."""

    entry: ExportedEntry
    posting: ExportedPosting
    player: str | None


def entry_postings(session: ScopedSession, chosen: SessionFilter) -> Iterator[EntryPosting]:
    """Yield every posting of the chosen entries; see ``exported_entries``."""
    names: Mapping[int | None, str] = dict(session.ask(_PLAYERS))
    for entry in exported_entries(session, chosen):
        for posting in entry.postings:
            yield EntryPosting(entry, posting, names.get(posting.player_id))


def exported_entries(session: ScopedSession, chosen: SessionFilter) -> Iterator[ExportedEntry]:
    """Yield the entries with postings: all, or those of the chosen evenings.

    An entry without an evening, as a payment between players, is chosen by its day in UTC; it belongs to no
    game.
    """
    query = select(*_ENTRY_COLUMNS).order_by(col(JournalEntry.id)).limit(PAGE)
    if not chosen.is_empty:
        query = query.where(or_(*_chosen(session, chosen)))
    rows: Sequence[Any] = session.exec(query).all()
    while rows:
        yield from _with_postings(session, [ExportedEntry(*row) for row in rows])
        rows = session.exec(query.where(col(JournalEntry.id) > rows[-1].id)).all()


def _chosen(session: ScopedSession, chosen: SessionFilter) -> Iterator[ColumnElement[bool]]:
    evenings = select(PlaySession.id).where(*chosen.conditions(session))
    yield col(JournalEntry.session_id).in_(evenings)
    if chosen.game is None and chosen.session_id is None:
        of_club: list[ColumnElement[bool]] = [col(JournalEntry.session_id).is_(None)]
        if chosen.first_day is not None:
            first = datetime.combine(chosen.first_day, time(), UTC)
            of_club.append(col(JournalEntry.occurred_at) >= first)
        if chosen.last_day is not None:
            last = datetime.combine(chosen.last_day, time.max, UTC)
            of_club.append(col(JournalEntry.occurred_at) <= last)
        yield and_(*of_club)


def _with_postings(
    session: ScopedSession, entries: Sequence[ExportedEntry]
) -> Iterator[ExportedEntry]:
    """Yield the entries that have postings, with them and with what they are about."""
    entry_ids = [entry.id for entry in entries]
    scored = [entry.reverses_id or entry.id for entry in entries if entry.hand_id is not None]
    games_of = dict(session.ask(_GAMES, entries=scored))
    titles = dict(session.ask(_TITLES, sessions=_present(entry.session_id for entry in entries)))
    numbers = dict(session.ask(_NUMBERS, hands=_present(entry.hand_id for entry in entries)))
    postings: dict[int, list[ExportedPosting]] = defaultdict(list)
    score_units = {
        entry.id: games.find(game).unit
        for entry in entries
        if (game := games_of.get(entry.reverses_id or entry.id)) is not None
    }
    for entry_id, *row in session.ask(_POSTINGS, entries=entry_ids):
        posting = ExportedPosting(*row)
        if posting.unit == CHIPS:
            posting = posting._replace(unit=score_units.get(entry_id, CHIPS))
        postings[entry_id].append(posting)
    for entry in entries:
        if entry.id in postings:
            evening = titles.get(entry.session_id)
            hand, own = numbers.get(entry.hand_id), postings[entry.id]
            yield entry._replace(evening=evening, hand=hand, postings=own)


def _present(ids: Iterator[int | None]) -> list[int]:
    return sorted({number for number in ids if number is not None})


def exported_accounts(session: ScopedSession) -> Iterator[ExportedAccount]:
    """Yield every account of the club."""
    after = 0
    while page := session.ask(_ACCOUNTS, after=after):
        yield from page
        after = page[-1].id


def span_of_entries(session: ScopedSession) -> tuple[datetime, datetime] | None:
    """Return the times of the first and of the last event in the journal, or None for an empty one."""
    first, last = session.exec(
        select(func.min(JournalEntry.occurred_at), func.max(JournalEntry.occurred_at))
    ).one()
    return None if first is None or last is None else (first, last)


_ENTRY_COLUMNS: tuple[Any, ...] = tuple(
    getattr(JournalEntry, name) for name in ExportedEntry._fields[:10]
)
_owner: Any = func.coalesce(Account.player_id, Seat.player_id)
_posting_columns: tuple[Any, ...] = (
    *(Posting.entry_id, Account.id, Account.key, Account.unit),
    *(_owner, Posting.amount, Posting.balance),
)
_POSTINGS: Built[Any] = Built(
    lambda *row: row,
    select(*_posting_columns)
    .select_from(Posting)
    .join(Account, col(Account.id) == Posting.account_id)
    .outerjoin(Seat, col(Seat.id) == Account.seat_id)
    .where(col(Posting.entry_id).in_(number_list("entries")))
    .order_by(col(Posting.id)),
)
_record: Any = HandVersionTable.record
_GAMES: Built[Any] = Built(
    lambda *row: row,
    select(HandVersionTable.entry_id, _record["game"].as_string()).where(
        col(HandVersionTable.entry_id).in_(number_list("entries"))
    ),
)
_TITLES: Built[Any] = Built(
    lambda *row: row,
    select(PlaySession.id, PlaySession.title).where(
        col(PlaySession.id).in_(number_list("sessions"))
    ),
)
_NUMBERS: Built[Any] = Built(
    lambda *row: row,
    select(Hand.id, Hand.number).where(col(Hand.id).in_(number_list("hands"))),
)
_PLAYERS: Built[Any] = Built(lambda *row: row, select(Player.id, Player.name))
_account_columns: tuple[Any, ...] = (
    *(Account.id, Account.key, Account.kind, Account.name, Account.unit, Account.balance),
    *(col(Account.closed_at).is_not(None), Account.session_id, PlaySession.title, Account.seat_id),
    *(_owner, Player.name, func.coalesce(Seat.scored, 0)),
)
_ACCOUNTS = Built(
    ExportedAccount,
    select(*_account_columns)
    .select_from(Account)
    .outerjoin(Seat, col(Seat.id) == Account.seat_id)
    .outerjoin(Player, col(Player.id) == _owner)
    .outerjoin(PlaySession, col(PlaySession.id) == Account.session_id)
    .where(col(Account.id) > bindparam("after"))
    .order_by(col(Account.id))
    .limit(PAGE),
)
