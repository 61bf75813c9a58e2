"""Tills that are not empty: somebody was cashed out for money, and the others still hold chips.

What those who left are owed (or owe) is then owed by nobody in particular, and the players' money says
nothing about who is even. Everything that must not happen meanwhile asks here: settling a club up,
closing the session, another rate.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, NamedTuple

from sqlalchemy import literal
from sqlmodel import col, select

from engine.words.sentences import later
from ledger.database.kinds.entries import KINDS, ChipOwners, kinds
from ledger.database.models import (
    Account,
    AccountKind,
    JournalEntry,
    Player,
    PlaySession,
    Posting,
    SessionState,
)
from ledger.database.scope import ScopedSession
from ledger.words.problems import Conflict

_OF_MONEY = kinds(lambda kind: AccountKind.TILL in kind.moves)


class Owed(NamedTuple):
    """What a player is owed by the others in minor units, or owes them if negative."""

    player: str
    balance: Annotated[int, "What the others owe them or, if negative, they owe the others."]


@dataclass(frozen=True, slots=True)
class Unfinished:
    """A session somebody was cashed out of for money while the others were not.

    Nobody has ``left`` if a leaving was undone after the others had been paid.
    """

    id: int
    title: str
    state: Annotated[str, "If closed, reopen it first.", SessionState]
    left: Annotated[
        tuple[Owed, ...], "Who was cashed out, and what they get for it or, if negative, owe."
    ] = ()


class TillNotEmpty(Conflict):
    """The session can't end: those who stayed owe (or are owed) what those who left were paid."""

    code = "till-not-empty"
    sentence = later(
        "Somebody left “{title}” for money, and the others still hold chips. Cash in the "
        "chips first, or undo the leaving; then close the session."
    )


def paid_alone(session: ScopedSession, session_id: int) -> dict[int, int]:
    """Return how many chips of which seat became money by a leaving, or after it, since all chips last did.

    Negative: the leaving was before that, and has been undone since. While there is any, some were paid and
    the others were not, even if it adds up to nothing.
    """
    chips, _ = _alone(session, session_id)
    return {seat: part for seat, part in chips.items() if part}


def _alone(
    session: ScopedSession, session_id: int
) -> tuple[Mapping[int, int], Mapping[int, list[int]]]:
    """Return these chips by seat, and the entries that stand of those they became money by."""
    entries = session.exec(
        select(JournalEntry)
        .where(JournalEntry.session_id == session_id, col(JournalEntry.hand_id).is_(None))
        .where(col(JournalEntry.kind).in_(_OF_MONEY))
        .order_by(col(JournalEntry.id))
    ).all()
    known = {entry.id: entry for entry in entries}
    gone = {entry.reverses_id for entry in entries}
    chips: Counter[int] = Counter()
    standing: dict[int, list[int]] = defaultdict(list)
    for entry in entries:
        paid = known.get(entry.reverses_id or 0, entry)
        whose = KINDS[paid.kind].converts
        if whose is ChipOwners.ALL:
            if entry is paid and entry.id not in gone:
                chips.clear()
                standing.clear()
        elif whose is ChipOwners.ONE:
            sign = 1 if entry is paid else -1
            for seat, part in paid.details.get("converted", {}).items():
                chips[int(seat)] += sign * part
            if entry is paid and entry.id not in gone:
                standing[entry.details["seat"]].append(entry.id)
    return chips, standing


def held(session: ScopedSession, session_id: int) -> int:
    """Return what a session's till holds in minor units: less than 0 where those who left are owed."""
    found = session.exec(
        select(Account.balance).where(
            Account.session_id == session_id, Account.kind == AccountKind.TILL.value
        )
    ).all()
    return sum(found)


def must_be_empty(session: ScopedSession, row: PlaySession) -> None:
    """Raise ``TillNotEmpty`` where a session's till holds anything."""
    if held(session, row.id):
        raise TillNotEmpty(title=row.title)


def unfinished(session: ScopedSession) -> tuple[Unfinished, ...]:
    """Return the club's sessions whose tills are not empty, oldest first.

    The kind and the 0 stand in the statement itself: only so a database sees that the index of
    such tills will do, and walks through no others.
    """
    found = session.exec(
        select(PlaySession.id, PlaySession.title, PlaySession.state)
        .join(Account, col(Account.session_id) == PlaySession.id)
        .where(col(Account.kind) == literal(AccountKind.TILL.value, literal_execute=True))
        .where(col(Account.balance) != literal(0, literal_execute=True))
        .order_by(col(PlaySession.id))
    )
    return tuple(Unfinished(*row, _left(session, row[0])) for row in found.all())


def _left(session: ScopedSession, session_id: int) -> tuple[Owed, ...]:
    """Return the players who left, or were settled with, since the last conversion, and their money."""
    _, standing = _alone(session, session_id)
    seats = {entry_id: seat for seat, entry_ids in standing.items() for entry_id in entry_ids}
    owed: dict[int, Owed] = {}
    for name, amount, entry_id in session.exec(
        select(Player.name, Posting.amount, Posting.entry_id)
        .join(Account, col(Account.player_id) == Player.id)
        .join(Posting, col(Posting.account_id) == Account.id)
        .where(col(Posting.entry_id).in_(seats))
        .order_by(col(Posting.id))
    ):
        before = owed.get(seats[entry_id], Owed(name, 0))
        owed[seats[entry_id]] = Owed(name, before.balance + amount)
    return tuple(owed.values())
