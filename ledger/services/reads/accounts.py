"""A session's accounts, journal entries and the payments that would settle it."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated, Any, NamedTuple

from sqlalchemy import bindparam
from sqlmodel import col, func, select

from engine.words.sentences import say
from ledger.database.models import (
    Account,
    AccountKind,
    EntryKind,
    Hand,
    JournalEntry,
    Player,
    Posting,
)
from ledger.database.scope import Built, ScopedSession
from ledger.services.common.values import of_row
from ledger.services.money.settle_up import Payment, by_name
from ledger.services.reads.hand_line import PlayerColumns
from ledger.services.session.load import load
from ledger.services.session.view import SeatView, SessionView
from ledger.words.problems import Invalid


@dataclass(frozen=True, slots=True)
class AccountView:
    """An account; ``player`` is the owner's name for a money account."""

    id: int
    kind: Annotated[str, "The kind of its owner.", AccountKind]
    seat: Annotated[str | None, "The player's name, for a seat's account."]
    unit: str
    balance: Annotated[
        int,
        "A seat's account holds what it scored, too; in older books, whoever left gave that to the bank.",
    ]
    name: Annotated[str | None, "The pot's name, for a pot's account."] = None
    player: str | None = None
    closed: Annotated[bool, "Whether it is closed to postings because its player has left."] = False
    scored: Annotated[int, "The seat's score: points that nobody pays, not chips."] = 0


@dataclass(frozen=True, slots=True)
class Books:
    """A session and its accounts: seats clockwise, those left behind them, then the others."""

    view: SessionView
    accounts: tuple[AccountView, ...]

    @property
    def revision(self) -> int:
        """The revision of the session."""
        return self.view.revision


@dataclass(frozen=True, slots=True)
class PostingView:
    """The part of an entry that changes one account."""

    account: AccountView
    amount: Annotated[int, "The amount added or, if negative, taken away."]
    balance: Annotated[int, "The balance after the entry."]


@dataclass(frozen=True, slots=True)
class EntryFacts:
    """The facts of a journal entry apart from its postings and details."""

    id: int
    kind: Annotated[str, "The kind of entry.", EntryKind]
    hand: Annotated[int | None, "The number of the hand that it is for."]
    reverses: Annotated[int | None, "The entry that it reverses."]
    author: str
    reason: str | None
    occurred_at: Annotated[datetime, "The time of the event, such as the hand's."]
    entered_at: Annotated[datetime, "The time of recording."]
    digest: Annotated[str, "A digest of this entry and of the one before it in the club's ledger."]


@dataclass(frozen=True, slots=True)
class EntryView(EntryFacts):
    """A journal entry with its postings and details."""

    postings: Annotated[tuple[PostingView, ...], "They sum to zero in each unit."]
    details: Annotated[Mapping[str, Any], "Further details, such as the rate of a conversion."] = (
        field(default_factory=dict)
    )


@dataclass(frozen=True, slots=True)
class SessionSettlement:
    """The fewest payments in chips that bring every seat to zero, if the seats sum to zero.

    They don't if a player who left for money left a remainder in the till. A score is never paid, even if
    all scores add up to 0. Chips that became money are paid in the club, not here.
    """

    unit: str
    even: Annotated[
        bool,
        "Whether what is still in chips sums to zero, so that payments can settle it. Never "
        "true where everything was played for scores, as nobody pays those.",
    ]
    payments: Annotated[tuple[Payment, ...], "The fewest possible, for up to twelve players."]
    scored: bool = False

    @classmethod
    def of(cls, view: SessionView) -> "SessionSettlement":
        """Return the settlement of a session in its present state, without payments unless it is ``even``."""
        columns = PlayerColumns.of(view)
        scored = any(seat.scored for seat in view.seats)
        even = sum(columns.unpaid) == 0 and (view.in_chips or not scored)
        return cls(
            unit=view.unit,
            even=even,
            payments=by_name(columns.names, columns.unpaid) if even else (),
            scored=scored,
        )


class _AccountRow(NamedTuple):
    """The columns of a session's account."""

    id: int
    kind: str
    seat_id: int | None
    unit: str
    balance: int
    name: str | None
    closed_at: datetime | None


_COLUMNS: list[Any] = [getattr(Account, name) for name in _AccountRow._fields]
_OF_SESSION = Built(
    _AccountRow, select(*_COLUMNS).where(Account.session_id == bindparam("session"))
)


def books(session: ScopedSession, session_id: int) -> Books:
    """Return a session with its accounts, seats' accounts first. Raises ``NotFound``."""
    view = load(session, session_id)
    seats = _seats(view)
    order = [*seats, None]  # accounts without a seat come last
    rows = session.ask(_OF_SESSION, session=view.id)
    rows.sort(key=lambda row: (order.index(row.seat_id), row.id))
    return Books(view, tuple(_account(row, seats) for row in rows))


def entries(
    session: ScopedSession,
    session_id: int,
    *,
    offset: int = 0,
    limit: int = 100,
    others: bool = False,
    after: int = 0,
) -> tuple[list[EntryView], int]:
    """Return a page of a session's journal, oldest entry first, and the number of entries before the paging.

    With ``others`` only entries other than hands, newest first. With ``after``, an entry's id, the page
    begins behind that entry, in this order. Raises ``NotFound``, and ``Invalid`` at ``after`` for an entry
    that is not among them.
    """
    conditions = [col(JournalEntry.session_id) == session_id]
    order = col(JournalEntry.id).asc()
    if others:
        conditions.append(col(JournalEntry.hand_id).is_(None))
        order = col(JournalEntry.id).desc()
    total = session.exec(select(func.count()).select_from(JournalEntry).where(*conditions)).one()
    if after:
        of_session = select(JournalEntry.id).where(*conditions, JournalEntry.id == after)
        if session.exec(of_session).first() is None:
            sentence = say("This evening has no entry {number}.", number=after)
            raise Invalid.at("after", "out-of-range", sentence)
        is_beyond = col(JournalEntry.id) < after if others else col(JournalEntry.id) > after
        conditions.append(is_beyond)
    # The index alone finds the entries of the page, so that skipped rows are not read.
    page = select(JournalEntry.id).where(*conditions).order_by(order).offset(offset).limit(limit)
    rows = session.exec(
        select(JournalEntry, Hand.number)
        .outerjoin(Hand, col(Hand.id) == JournalEntry.hand_id)
        .where(col(JournalEntry.id).in_(session.exec(page).all()))
        .order_by(order)
    ).all()
    return views(session, session_id, rows), total


def views(
    session: ScopedSession, session_id: int, rows: Sequence[tuple[JournalEntry, int | None]]
) -> list[EntryView]:
    """Return views of entries of a session, in the given order.

    Each row is an entry and its hand's number or None. Raises ``NotFound`` if there is no such session.
    """
    seats = _seats(load(session, session_id))
    postings: dict[int, list[PostingView]] = defaultdict(list)
    # Outer joins, so that SQLite begins with the entries and not with the club's accounts.
    for row, account, player in session.exec(
        select(Posting, Account, Player.name)
        .outerjoin(Account, col(Account.id) == Posting.account_id)
        .outerjoin(Player, col(Player.id) == Account.player_id)
        .where(col(Posting.entry_id).in_([entry.id for entry, _ in rows]))
        .order_by(col(Posting.id))
    ):
        view = PostingView(_account(account, seats, player), row.amount, row.balance)
        postings[row.entry_id].append(view)
    return [
        of_row(
            EntryView,
            entry,
            hand=number,
            reverses=entry.reverses_id,
            postings=tuple(postings[entry.id]),
        )
        for entry, number in rows
    ]


def settlement(session: ScopedSession, session_id: int) -> SessionSettlement:
    """Return the fewest payments in chips that would settle a session, without the bank's.

    Raises ``NotFound``.
    """
    return SessionSettlement.of(load(session, session_id))


def _seats(view: SessionView) -> dict[int | None, SeatView]:
    return {seat.id: seat for seat in view.seats}


def _account(
    row: Account | _AccountRow, seats: Mapping[int | None, SeatView], player: str | None = None
) -> AccountView:
    seat, closed = seats.get(row.seat_id), row.closed_at is not None
    name, scored = (seat.name, seat.scored) if seat else (None, 0)
    return of_row(AccountView, row, seat=name, player=player, closed=closed, scored=scored)
