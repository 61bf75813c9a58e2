"""Statements of a player's money account, and the balance of an account at some time.

Every posting stores the balance after it, so an earlier balance takes two index lookups, however long the
journal is. A page of a statement reads only its own lines; the offset and the total use an index alone.
"""

from dataclasses import dataclass, replace
from datetime import datetime
from itertools import groupby
from typing import Annotated, Any

from sqlalchemy import bindparam
from sqlalchemy.orm import aliased
from sqlmodel import and_, col, func, select
from sqlmodel.sql.expression import SelectOfScalar

from engine.words.sentences import say
from ledger.database.kinds.entries import KINDS
from ledger.database.models import Account, AccountKind, JournalEntry, Player, PlaySession, Posting
from ledger.database.scope import ScopedSession
from ledger.services.common.values import of_row
from ledger.services.money import convert, till, unconverted
from ledger.services.money.till import Unfinished
from ledger.services.money.unconverted import Unconverted
from ledger.words.problems import Invalid


@dataclass(frozen=True, slots=True)
class StatementLine:
    """One posting on a player's money account."""

    entry: int
    kind: Annotated[
        str,
        "`cash-out`, `after-leaving`, `conversion`, `payment`, `opening`, `expense`, `separate-expense`, "
        "`separate-payment` or `reversal`.",
    ]
    session_id: int | None
    session: Annotated[str | None, "The title of its session."]
    currency: str
    others: Annotated[tuple[str, ...], "The players on the other side."]
    amount: Annotated[int, "The amount received or, if negative, paid."]
    balance: Annotated[int, "The balance after it."]
    author: str
    reason: str | None
    occurred_at: datetime
    entered_at: datetime
    taken_back: Annotated[bool, "Whether a later entry reverses it."]

    @property
    def is_payment(self) -> bool:
        """Whether it is a payment between players, and not from or to a session, nor a reversal."""
        return KINDS[self.kind].is_payment

    @property
    def is_expense(self) -> bool:
        """Whether it is a part of a shared expense, with what was paid for as its reason."""
        return KINDS[self.kind].shares_cost

    @property
    def is_debt(self) -> bool:
        """Whether it is a payment or an imported balance: it can be undone from the statement."""
        return KINDS[self.kind].is_debt


@dataclass(frozen=True, slots=True)
class Statement:
    """A player's money: the balance, the number of lines, and a page of them, newest first.

    A balance of 0 is not final while the club has ``unfinished`` sessions or the player has chips in
    ``unconverted`` ones.
    """

    player: str
    currency: str
    balance: int
    total: int
    lines: Annotated[tuple[StatementLine, ...], "One page of them."]
    unfinished: Annotated[
        tuple[Unfinished, ...], "While there is one, a balance of 0 is not even yet."
    ] = ()
    unconverted: Annotated[
        tuple[Unconverted, ...], "Those in which this player still has chips to cash in."
    ] = ()


def of_player(
    session: ScopedSession, player_id: int, *, offset: int = 0, limit: int, after: int = 0
) -> Statement:
    """Return a page of a player's money statement in the club's currency, empty without an account in it.

    With ``after``, the id of an entry, its lines are older than that entry's. Raises ``NotFound``, and
    ``Invalid`` at ``after`` if the account has no such line.
    """
    player = session.one(select(Player).where(Player.id == player_id), "player")
    currency = convert.currency_of(session)
    account = _account(session, player_id, currency)
    if after and (account is None or not _moved(session, account.id, after)):
        sentence = say("No entry {number} moved money of {name}.", number=after, name=player.name)
        raise Invalid.at("after", "out-of-range", sentence)
    balance, total, lines = 0, 0, list[StatementLine]()
    if account is not None:
        count = select(func.count()).select_from(Posting).where(Posting.account_id == account.id)
        balance, total = account.balance, session.exec(count).one()
        # The index alone finds the entries of the page, so that skipped rows are not read.
        older = _ENTRIES_OF.where(col(_mine.entry_id) < after) if after else _ENTRIES_OF
        page = older.order_by(col(_mine.entry_id).desc()).offset(offset).limit(limit)
        lines = _lines(session, account.id, currency, page)
    unfinished = till.unfinished(session)
    in_chips = unconverted.sessions(session, unfinished, player_id=player_id)
    return Statement(player.name, currency, balance, total, tuple(lines), unfinished, in_chips)


@dataclass(frozen=True, slots=True)
class PeriodStatement:
    """A player's money in a period: its last changes, oldest first, and the balances around them.

    ``number`` is that of all changes in the period; ``opening`` is the balance before the first line.
    """

    player: str
    currency: str
    opening: int
    closing: int
    number: int
    lines: tuple[StatementLine, ...]


MOST_LINES = 2_000
"""The most lines of a period's statement, so that it is printed in about a second."""


def of_period(
    session: ScopedSession, player_id: int, start: datetime | None, end: datetime | None
) -> PeriodStatement:
    """Return a player's last changes from ``start`` until before ``end`` by the time of the event.

    The balances add up the changes in this order, so that each period begins with the balance that the one
    before it ended with. A change entered later for an earlier event moves them. Raises ``NotFound``.
    """
    player = session.one(select(Player).where(Player.id == player_id), "player")
    currency = convert.currency_of(session)
    account = _account(session, player_id, currency)
    if account is None:
        return PeriodStatement(player.name, currency, 0, 0, 0, ())
    opening = _sum_before(session, account.id, start) if start is not None else 0
    page = _ENTRIES_OF.join(JournalEntry, col(JournalEntry.id) == _mine.entry_id)
    if start is not None:
        page = page.where(JournalEntry.occurred_at >= start)
    if end is not None:
        page = page.where(JournalEntry.occurred_at < end)
    balance, lines = opening, []
    for line in sorted(
        _lines(session, account.id, currency, page), key=lambda line: (line.occurred_at, line.entry)
    ):
        balance += line.amount
        lines.append(replace(line, balance=balance))
    number, last = len(lines), lines[-MOST_LINES:]
    if number > len(last):
        opening = last[0].balance - last[0].amount
    return PeriodStatement(player.name, currency, opening, balance, number, tuple(last))


def _sum_before(session: ScopedSession, account_id: int, start: datetime) -> int:
    """Return the sum of an account's changes by events before a time; PostgreSQL's is a decimal."""
    total = select(func.sum(Posting.amount)).join(
        JournalEntry, col(JournalEntry.id) == Posting.entry_id
    )
    earlier = total.where(Posting.account_id == account_id, JournalEntry.occurred_at < start)
    return int(session.exec(earlier).one() or 0)


def latest(
    session: ScopedSession, account_id: int, balance: int, currency: str, limit: int
) -> list[StatementLine]:
    """Return the last ``limit`` changes of a money account by the time of the event, newest first.

    The balance of each line includes entries entered later for an earlier event; the newest has the account's
    present ``balance``.
    """
    lines = _lines(session, account_id, currency, _LATEST.limit(limit))
    ordered = []
    for line in sorted(lines, key=lambda line: (line.occurred_at, line.entry), reverse=True):
        ordered.append(replace(line, balance=balance))
        balance -= line.amount
    return ordered


def balance_at(session: ScopedSession, account_id: int, at: datetime) -> int:
    """Return an account's balance at a time, by the entries entered until then. Raises ``NotFound``.

    The time of entry counts, not the time of the event: an entry written later had no effect yet. It is 0
    before the first.
    """
    must_exist(session, account_id)
    latest = session.exec(
        select(JournalEntry.id)
        .where(JournalEntry.entered_at <= at)
        .order_by(col(JournalEntry.entered_at).desc(), col(JournalEntry.id).desc())
        .limit(1)
    ).first()
    if latest is None:
        return 0
    # After a clock was set back, later entries have earlier times; so look for the next newer one, too.
    following = session.exec(
        select(JournalEntry.id)
        .where(JournalEntry.id > latest, JournalEntry.entered_at > at)
        .order_by(col(JournalEntry.id))
        .limit(1)
    ).first()
    query = select(Posting.balance).where(Posting.account_id == account_id)
    if following is not None:
        query = query.where(Posting.entry_id < following)
    return session.exec(query.order_by(col(Posting.entry_id).desc()).limit(1)).first() or 0


def must_exist(session: ScopedSession, account_id: int) -> None:
    """Raise ``NotFound`` if the club does not have the account."""
    session.one(select(Account.id).where(Account.id == account_id), "account")


def _moved(session: ScopedSession, account_id: int, entry_id: int) -> bool:
    """Return whether an entry moved an account."""
    posting = select(Posting.id).where(Posting.account_id == account_id)
    return session.exec(posting.where(Posting.entry_id == entry_id)).first() is not None


def _account(session: ScopedSession, player_id: int, currency: str) -> Account | None:
    return session.exec(
        select(Account)
        .where(Account.kind == AccountKind.PLAYER.value, Account.unit == currency)
        .where(Account.player_id == player_id)
    ).one_or_none()


_mine, _later, _other = aliased(Posting), aliased(JournalEntry), aliased(Posting)
_ENTRIES_OF = select(_mine.entry_id).where(col(_mine.account_id) == bindparam("account"))
_LATEST = (
    _ENTRIES_OF.outerjoin(JournalEntry, col(JournalEntry.id) == _mine.entry_id)
    # Not by entry: an entry may be for an earlier event than those before it.
    .order_by(col(JournalEntry.occurred_at).desc(), col(_mine.entry_id).desc())
)
_LINE: tuple[Any, ...] = (Posting, JournalEntry, PlaySession.title, _later.id, Player.name)


def _lines(
    session: ScopedSession, account_id: int, currency: str, page: SelectOfScalar[int]
) -> list[StatementLine]:
    """Return the lines of a page of an account's entries, newest entry first."""
    # Outer joins, so that SQLite begins with the entries of the page and not with the club's players.
    rows = session.exec(
        select(*_LINE)
        .join(JournalEntry, col(JournalEntry.id) == Posting.entry_id)
        .outerjoin(PlaySession, col(PlaySession.id) == JournalEntry.session_id)
        .outerjoin(_later, col(_later.reverses_id) == JournalEntry.id)
        .outerjoin(
            _other,
            and_(
                col(_other.entry_id) == Posting.entry_id,
                col(_other.account_id) != Posting.account_id,
            ),
        )
        .outerjoin(Account, col(Account.id) == _other.account_id)
        .outerjoin(Player, col(Player.id) == Account.player_id)
        .where(col(Posting.account_id) == bindparam("account"), col(Posting.entry_id).in_(page))
        .order_by(col(Posting.entry_id).desc(), col(_other.id)),
        params={"account": account_id},
    ).all()
    return [
        of_row(
            StatementLine,
            entry,
            posting,
            entry=entry.id,
            session=title,
            currency=currency,
            others=tuple(name for *_, name in lines if name is not None),
            taken_back=reversal is not None,
        )
        for (posting, entry, title, reversal), lines in groupby(rows, lambda row: row[:4])
    ]
