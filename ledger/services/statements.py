"""Statements: what moved an account and what it held after it; a balance as it was at some time.

Every posting keeps the balance after it, so neither reads more of the books than it shows.
"""

from dataclasses import dataclass
from datetime import datetime

from sqlmodel import col, func, select

from ledger.access import Access
from ledger.db import Database
from ledger.models import Account, AccountKind, JournalEntry, Player, PlaySession, Posting
from ledger.problems import NotFound
from ledger.scope import ScopedSession
from ledger.services import money, tills
from ledger.services.tills import Unfinished


@dataclass(frozen=True, slots=True)
class StatementLine:
    """One posting: ``amount`` came (or, negative, went) and ``balance`` was there after it.

    ``others`` are the players on the other side, ``session`` the title of the session it is of, and
    ``taken_back`` says that a later entry reverses it.
    """

    entry: int
    kind: str
    session: str | None
    others: tuple[str, ...]
    amount: int
    balance: int
    author: str
    reason: str | None
    occurred_at: datetime
    entered_at: datetime
    taken_back: bool


@dataclass(frozen=True, slots=True)
class Statement:
    """A player's money: the balance now, how many lines there are, and some of them, newest first.

    While the club has ``unfinished`` sessions, a balance of 0 does not say that the player is even.
    """

    player: str
    currency: str
    balance: int
    total: int
    lines: tuple[StatementLine, ...]
    unfinished: tuple[Unfinished, ...] = ()


def of_player(
    db: Database, access: Access, player_id: int, *, offset: int = 0, limit: int = 100
) -> Statement:
    """Return a player's money statement in the club's currency. Raises ``NotFound``."""
    with db.read(access) as session:
        player = session.exec(select(Player).where(Player.id == player_id)).one_or_none()
        if player is None:
            raise NotFound("There is no such player in this club.")
        currency = money.currency_of(session)
        account = session.exec(
            select(Account)
            .where(Account.kind == AccountKind.PLAYER.value, Account.unit == currency)
            .where(Account.player_id == player_id)
        ).one_or_none()
        if account is None:
            return Statement(player.name, currency, 0, 0, (), tills.unfinished(session))
        total = session.exec(
            select(func.count()).select_from(Posting).where(Posting.account_id == account.id)
        ).one()
        return Statement(
            player.name,
            currency,
            account.balance,
            total,
            tuple(_lines(session, account.id, offset, limit)),
            tills.unfinished(session),
        )


def balance_at(db: Database, access: Access, account_id: int, at: datetime) -> int:
    """Return what an account held by the books as they stood at ``at``. Raises ``NotFound``."""
    with db.read(access) as session:
        if session.exec(select(Account.id).where(Account.id == account_id)).first() is None:
            raise NotFound("There is no such account in this club.")
        held = session.exec(
            select(Posting.balance)
            .join(JournalEntry, col(JournalEntry.id) == Posting.entry_id)
            .where(Posting.account_id == account_id, JournalEntry.entered_at <= at)
            .order_by(col(Posting.id).desc())
            .limit(1)
        ).first()
        return held or 0


def _lines(session: ScopedSession, account_id: int, offset: int, limit: int) -> list[StatementLine]:
    found = session.exec(
        select(Posting, JournalEntry, PlaySession.title)
        .join(JournalEntry, col(JournalEntry.id) == Posting.entry_id)
        .outerjoin(PlaySession, col(PlaySession.id) == JournalEntry.session_id)
        .where(Posting.account_id == account_id)
        .order_by(col(Posting.id).desc())
        .offset(offset)
        .limit(limit)
    ).all()
    entry_ids = [entry.id for _, entry, _ in found]
    gone = set(
        session.exec(
            select(JournalEntry.reverses_id).where(col(JournalEntry.reverses_id).in_(entry_ids))
        ).all()
    )
    others: dict[int, list[str]] = {entry_id: [] for entry_id in entry_ids}
    for entry_id, name in session.exec(
        select(Posting.entry_id, Player.name)
        .join(Account, col(Account.id) == Posting.account_id)
        .join(Player, col(Player.id) == Account.player_id)
        .where(col(Posting.entry_id).in_(entry_ids), Posting.account_id != account_id)
        .order_by(col(Posting.id))
    ):
        others[entry_id].append(name)
    return [
        StatementLine(
            entry=entry.id,
            kind=entry.kind,
            session=title,
            others=tuple(others[entry.id]),
            amount=posting.amount,
            balance=posting.balance,
            author=entry.author,
            reason=entry.reason,
            occurred_at=entry.occurred_at,
            entered_at=entry.entered_at,
            taken_back=entry.id in gone,
        )
        for posting, entry, title in found
    ]
