"""The books of a session as they are read: its accounts, its journal entries, what would settle it."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated, Any

from sqlmodel import col, func, select

from engine.rules.sheet import CHIPS
from ledger.models import Account, AccountKind, EntryKind, Hand, JournalEntry, Player, Posting
from ledger.scope import ScopedSession, asked_once
from ledger.services.money import blockers
from ledger.services.money.settle_up import Payment, by_name
from ledger.services.reads.hand_line import Columns
from ledger.services.session.load import load
from ledger.services.session.view import SessionView


@dataclass(frozen=True, slots=True)
class AccountView:
    """An account; ``player`` names whose it is, for a player's money."""

    id: int
    kind: Annotated[str, "Whose it is.", AccountKind]
    seat: Annotated[str | None, "The player's name, for a seat's account."]
    unit: str
    balance: int
    name: Annotated[str | None, "Which pot, for a pot's account."] = None
    player: str | None = None
    closed: Annotated[bool, "Whether it is closed to postings because its player has left."] = False


@dataclass(frozen=True, slots=True)
class Books:
    """A session and what its accounts hold, the seats' first, clockwise, those left last."""

    view: SessionView
    accounts: tuple[AccountView, ...]

    @property
    def revision(self) -> int:
        """The session's revision that both were read at."""
        return self.view.revision


@dataclass(frozen=True, slots=True)
class PostingView:
    """One account's part of an entry."""

    account: AccountView
    amount: Annotated[int, "What the account got or, if negative, gave."]
    balance: Annotated[int, "What it held after the entry."]


@dataclass(frozen=True, slots=True)
class EntryView:
    """A balanced change of accounts."""

    id: int
    kind: Annotated[str, "What it was for.", EntryKind]
    hand: Annotated[int | None, "The number of the hand that it is for."]
    reverses: Annotated[int | None, "The entry that it reverses."]
    author: str
    reason: str | None
    occurred_at: Annotated[datetime, "When it happened, such as when the hand was played."]
    entered_at: Annotated[datetime, "When it was recorded."]
    digest: Annotated[str, "A digest of this entry and of the one before it in the club's ledger."]
    postings: Annotated[tuple[PostingView, ...], "They sum to zero in each unit."]
    details: Annotated[Mapping[str, Any], "Further details, such as the rate of a conversion."] = (
        field(default_factory=dict)
    )


@dataclass(frozen=True, slots=True)
class Settlement:
    """The fewest payments in chips that bring every seat to zero; none where the seats do not sum to zero.

    A player who left for money leaves a rest with the till. There are none either where hands were ``scored``
    (german-solo): a score is not a payment, even if all of them add up to 0. What has become money is paid in
    the club, not here once more.
    """

    unit: str
    even: Annotated[
        bool,
        "Whether what is still in chips sums to zero, so that payments can settle it. Never "
        "true while a hand played for scores counts, as nobody pays those.",
    ]
    payments: Annotated[tuple[Payment, ...], "The fewest possible, for up to twelve players."]
    scored: bool = False

    @classmethod
    def of(cls, session: ScopedSession, view: SessionView) -> "Settlement":
        """Settle a session as it stands."""
        columns = Columns.of(view)
        scored = bool(blockers.scores(session, view.id))
        even = not scored and sum(columns.unpaid) == 0
        return cls(
            unit=CHIPS if view.in_chips else view.sheet.unit,
            even=even,
            payments=by_name(columns.names, columns.unpaid) if even else (),
            scored=scored,
        )


def books(session: ScopedSession, session_id: int) -> Books:
    """Return a session with its accounts, both as they stand at one moment. Raises ``NotFound``."""
    view = load(session, session_id)
    return Books(view, tuple(_accounts(session, view).values()))


def every(session: ScopedSession, session_id: int) -> list[AccountView]:
    """Return a session's accounts, the seats' first, clockwise, those left last. Raises ``NotFound``."""
    return list(books(session, session_id).accounts)


def entries(
    session: ScopedSession, session_id: int, *, offset: int = 0, limit: int = 100
) -> tuple[list[EntryView], int]:
    """Return a part of a session's journal, oldest entry first, and how many there are in all.

    Raises ``NotFound``.
    """
    total = session.exec(
        select(func.count()).select_from(JournalEntry).where(JournalEntry.session_id == session_id)
    ).one()
    # Which entries there are on the page, by the index alone: what is skipped is not read.
    page = session.exec(
        select(JournalEntry.id)
        .where(JournalEntry.session_id == session_id)
        .order_by(col(JournalEntry.id))
        .offset(offset)
        .limit(limit)
    ).all()
    found = session.exec(
        select(JournalEntry, Hand.number)
        .outerjoin(Hand, col(Hand.id) == JournalEntry.hand_id)
        .where(col(JournalEntry.id).in_(page))
        .order_by(col(JournalEntry.id))
    ).all()
    return views(session, session_id, [(entry, number) for entry, number in found]), total


def views(
    session: ScopedSession, session_id: int, found: Sequence[tuple[JournalEntry, int | None]]
) -> list[EntryView]:
    """Return entries of a session, each with its hand's number, as they are read. Raises ``NotFound``."""
    accounts = _accounts(session, load(session, session_id))
    postings = _postings(session, [entry.id for entry, _ in found], accounts)
    return [_entry(entry, number, postings[entry.id]) for entry, number in found]


def settlement(session: ScopedSession, session_id: int) -> Settlement:
    """Return what would settle a session now: what each won, not what the bank gave. Raises ``NotFound``."""
    return Settlement.of(session, load(session, session_id))


@asked_once
def _accounts(session: ScopedSession, view: SessionView) -> dict[int, AccountView]:
    names = {seat.id: seat.name for seat in view.seats}
    order = [*names, None]  # whoever has no seat comes last
    rows = session.exec(select(Account).where(Account.session_id == view.id)).all()
    return {
        row.id: _account(row, names.get(row.seat_id or 0), None)
        for row in sorted(rows, key=lambda row: (order.index(row.seat_id), row.id))
    }


def _account(row: Account, seat: str | None, player: str | None) -> AccountView:
    return AccountView(
        row.id,
        row.kind,
        seat,
        row.unit,
        row.balance,
        name=row.name,
        player=player,
        closed=row.closed_at is not None,
    )


def _with_players(
    session: ScopedSession, accounts: dict[int, AccountView], wanted: set[int]
) -> dict[int, AccountView]:
    """Return ``accounts`` and those of the players that entries of a session moved money on."""
    missing = wanted - accounts.keys()
    found = session.exec(
        select(Account, Player.name)
        .where(col(Account.id).in_(missing))
        .where(Player.id == Account.player_id)
    ).all()
    return {**accounts, **{row.id: _account(row, None, name) for row, name in found}}


def _postings(
    session: ScopedSession, entry_ids: Sequence[int], accounts: dict[int, AccountView]
) -> dict[int, list[PostingView]]:
    found: dict[int, list[PostingView]] = defaultdict(list)
    rows = session.exec(
        select(Posting).where(col(Posting.entry_id).in_(entry_ids)).order_by(col(Posting.id))
    ).all()
    known = _with_players(session, accounts, {row.account_id for row in rows})
    for row in rows:
        found[row.entry_id].append(PostingView(known[row.account_id], row.amount, row.balance))
    return found


def _entry(row: JournalEntry, number: int | None, postings: list[PostingView]) -> EntryView:
    return EntryView(
        id=row.id,
        kind=row.kind,
        hand=number,
        reverses=row.reverses_id,
        author=row.author,
        reason=row.reason,
        occurred_at=row.occurred_at,
        entered_at=row.entered_at,
        digest=row.digest,
        postings=tuple(postings),
        details=row.details,
    )
