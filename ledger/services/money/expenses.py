"""Shared expenses: what one player paid for several, such as pizza, drinks or the room.

An expense moves the players' money accounts: the payer is owed the amount less the own part, everybody else
owes theirs. It is settled with the card results or, if it is ``separate``, apart from them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any

from sqlalchemy.orm import aliased
from sqlmodel import col, func, select

from engine.words.sentences import say
from ledger.books import journal
from ledger.database.kinds.entries import KINDS, kinds
from ledger.database.models import EntryKind, JournalEntry
from ledger.database.scope import ScopedSession
from ledger.services.club import players
from ledger.services.common import apportion, dates, texts
from ledger.services.common.values import of_row
from ledger.services.common.writing import WriteContext, WriteResponse, writes
from ledger.services.money import convert
from ledger.words.problems import Invalid

LONGEST_TITLE = 100
"""The most characters of what was paid for."""

MOST_SHARES = 100
"""The most shares of one player."""


@dataclass(frozen=True, slots=True)
class PlayerShare:
    """A player's part of an expense."""

    player: str
    shares: int
    amount: Annotated[int, "The part of the cost, in minor units."]


@dataclass(frozen=True, slots=True)
class Expense:
    """What a player paid for several, and everybody's part of it."""

    entry: Annotated[int, "The journal entry."]
    title: Annotated[str, "What was paid for."]
    amount: Annotated[int, "In minor units of the club's currency."]
    payer: str
    shared_by: Annotated[tuple[PlayerShare, ...], "In the order of the players' entry."]
    separate: Annotated[bool, "Whether it is settled apart from the card results."]
    author: str
    occurred_at: datetime
    entered_at: datetime
    taken_back: Annotated[bool, "Whether a later entry reverses it."]

    @property
    def is_equal(self) -> bool:
        """Whether all have the same number of shares."""
        return len({part.shares for part in self.shared_by}) == 1


@dataclass(frozen=True, slots=True)
class Expenses:
    """The club's expenses: the number of all, and a page of them, newest first."""

    currency: str
    total: int
    lines: Annotated[tuple[Expense, ...], "One page of them."]


@writes("share expense")
def share(
    tx: WriteContext,
    *,
    title: str,
    amount: int,
    payer: str,
    shared_by: Sequence[tuple[str, int]],
    separate: bool = False,
    paid_at: datetime | None = None,
) -> WriteResponse:
    """Share an amount that ``payer`` paid among players by their numbers of shares.

    Minor units that can't be divided go to the largest fractions, and of equal ones to the next players after
    the payer (``apportion.parts_of_expense``). Raises ``Invalid`` at ``title``, ``amount``, ``payer``,
    ``shared_by`` or ``paid_at``.
    """
    session = tx.session
    why = texts.one_line(title, "title", say("The title"), LONGEST_TITLE, "title")
    if not why:
        sentence = say("Say what was paid for, such as pizza, drinks or the room.")
        raise Invalid.at("title", "title-missing", sentence)
    currency = convert.currency_of(session)
    convert.must_be_payable(amount, currency)
    payer_id = players.by_name(session, payer, "payer").id
    shares = _shares(session, shared_by)
    moved = apportion.moved_by_expense(amount, payer_id, shares)
    if not moved:
        sentence = say("Nobody else has a part of it; choose the others whom it was paid for, too.")
        raise Invalid.at("shared_by", "nothing-shared", sentence)
    kind = EntryKind.SEPARATE_EXPENSE if separate else EntryKind.EXPENSE
    header = tx.header(
        None,
        kind,
        reason=why,
        details={"payer": payer_id, "amount": amount, "shares": _in_details(shares)},
        occurred_at=paid_at and dates.happened(paid_at, "paid_at"),
    )
    amounts = {
        convert.account_of(session, player_id, currency).id: change
        for player_id, change in sorted(moved.items())
    }
    return {"entry": journal.post(session, header, amounts), "currency": currency}


def _in_details(shares: Mapping[int, int]) -> Mapping[str, int]:
    return {str(player_id): number for player_id, number in sorted(shares.items())}


def _shares(session: ScopedSession, shared_by: Sequence[tuple[str, int]]) -> dict[int, int]:
    """Return the shares by player id. Raises ``Invalid`` at ``shared_by``."""
    shares: dict[int, int] = {}
    for name, number in shared_by:
        player = players.by_name(session, name, "shared_by")
        if player.id in shares:
            sentence = say("{name} is named twice; once is enough.", name=player.name)
            raise Invalid.at("shared_by", "named-twice", sentence)
        if not 0 < number <= MOST_SHARES:
            sentence = say(
                "A player has 1 to {most} shares; {name} can't have {number}.",
                most=MOST_SHARES,
                name=player.name,
                number=number,
            )
            raise Invalid.at("shared_by", "shares-out-of-range", sentence)
        shares[player.id] = number
    if not shares:
        sentence = say("Choose at least one player whom it was paid for.")
        raise Invalid.at("shared_by", "nobody-shares", sentence)
    return shares


_KINDS = kinds(lambda kind: kind.shares_cost)
_reversal = aliased(JournalEntry)


def page_of(session: ScopedSession, *, offset: int = 0, limit: int, after: int = 0) -> Expenses:
    """Return a page of the club's expenses, newest first, undone ones included.

    With ``after``, the id of an expense, the page begins behind it. Raises ``Invalid`` at ``after`` if there
    is no such expense.
    """
    ours: Any = (
        col(JournalEntry.session_id).is_(None),
        col(JournalEntry.hand_id).is_(None),
        col(JournalEntry.kind).in_(_KINDS),
    )
    total = session.exec(select(func.count(col(JournalEntry.id))).where(*ours)).one()
    query = (
        select(JournalEntry, _reversal.id)
        .outerjoin(_reversal, col(_reversal.reverses_id) == JournalEntry.id)
        .where(*ours)
        .order_by(col(JournalEntry.id).desc())
    )
    if after:
        is_ours = select(JournalEntry.id).where(*ours, JournalEntry.id == after)
        if session.exec(is_ours).first() is None:
            sentence = say("No expense has the number {number}.", number=after)
            raise Invalid.at("after", "out-of-range", sentence)
        query = query.where(col(JournalEntry.id) < after)
    rows = session.exec(query.offset(offset).limit(limit)).all()
    names = {player.id: player.name for player in players.everyone(session)}
    lines = tuple(_expense(entry, names, taken_back=bool(undone)) for entry, undone in rows)
    return Expenses(convert.currency_of(session), total, lines)


def _expense(entry: JournalEntry, names: Mapping[int, str], *, taken_back: bool) -> Expense:
    details = entry.details
    shares = {int(player_id): number for player_id, number in details["shares"].items()}
    parts = apportion.parts_of_expense(details["amount"], details["payer"], shares)
    return of_row(
        Expense,
        entry,
        entry=entry.id,
        title=entry.reason or "",
        amount=details["amount"],
        payer=names.get(details["payer"], "?"),
        shared_by=tuple(
            PlayerShare(names.get(player_id, "?"), shares[player_id], parts[player_id])
            for player_id in sorted(shares)
        ),
        separate=KINDS[entry.kind].separate,
        taken_back=taken_back,
    )


def find(session: ScopedSession, entry_id: int) -> JournalEntry:
    """Return the entry of an expense, even one that was undone. Raises ``NotFound``."""
    ours = select(JournalEntry).where(col(JournalEntry.kind).in_(_KINDS))
    return session.one(ours.where(JournalEntry.id == entry_id), "expense")
