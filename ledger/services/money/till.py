"""Tills that are not empty: somebody was cashed out for money while the others still hold chips.

Until the others convert their chips, the debt to departed players is nobody's in particular, and no player's
money balance is final. So settling up, closing the session and changing its rate check here first.
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

_MONEY_KINDS = kinds(lambda kind: AccountKind.TILL in kind.moves)


class Owed(NamedTuple):
    """A player's credit with the others in minor units, or debt if negative."""

    player: str
    balance: Annotated[int, "The credit with the others or, if negative, the debt to them."]


@dataclass(frozen=True, slots=True)
class Unfinished:
    """A session in which somebody, but not everybody, was cashed out for money.

    ``left`` is empty if a leaving was undone after the others had been paid.
    """

    id: int
    title: str
    state: Annotated[str, "If closed, reopen it first.", SessionState]
    left: Annotated[
        tuple[Owed, ...], "Who was cashed out, and what they get for it or, if negative, owe."
    ] = ()


class TillNotEmpty(Conflict):
    """Raised when a session would be closed with a debt to, or of, departed players."""

    code = "till-not-empty"
    sentence = later(
        "Somebody left “{title}” for money, and the others still hold chips. Cash in the "
        "chips first, or undo the leaving; then close the session."
    )


def paid_alone(session: ScopedSession, session_id: int) -> dict[int, int]:
    """Return, by seat id, the chips that became money by leaving, or after it, since the last conversion.

    Seats without any are left out. The number is negative for a leaving before the conversion that was undone
    since. While there is any, some players were paid and the others were not, even if the numbers add up to
    0.
    """
    chips, _ = _cash_outs(session, session_id)
    return {seat: part for seat, part in chips.items() if part}


def _cash_outs(
    session: ScopedSession, session_id: int
) -> tuple[Mapping[int, int], Mapping[int, list[int]]]:
    """Return the chips by seat id that became money by leaving or after it, and the ids of those entries.

    Both count from the last conversion in force. A reversal subtracts its chips, even those of an entry
    before that conversion, so a sum can be negative or 0; the ids are of entries in force.
    """
    entries = session.exec(
        select(JournalEntry)
        .where(JournalEntry.session_id == session_id, col(JournalEntry.hand_id).is_(None))
        .where(col(JournalEntry.kind).in_(_MONEY_KINDS))
        .order_by(col(JournalEntry.id))
    ).all()
    by_id = {entry.id: entry for entry in entries}
    reversed_ids = {entry.reverses_id for entry in entries}
    chips: Counter[int] = Counter()
    standing: dict[int, list[int]] = defaultdict(list)
    for entry in entries:
        original = by_id.get(entry.reverses_id or 0, entry)
        is_standing = entry is original and entry.id not in reversed_ids
        owners = KINDS[original.kind].converts
        if owners is ChipOwners.ALL:
            if is_standing:
                chips.clear()
                standing.clear()
        elif owners is ChipOwners.ONE:
            sign = 1 if entry is original else -1
            for seat, part in original.details.get("converted", {}).items():
                chips[int(seat)] += sign * part
            if is_standing:
                standing[entry.details["seat"]].append(entry.id)
    return chips, standing


def balance(session: ScopedSession, session_id: int) -> int:
    """Return the balance of a session's till in minor units, 0 without a till.

    A debt to departed players is negative.
    """
    query = select(Account.balance).where(
        Account.session_id == session_id, Account.kind == AccountKind.TILL.value
    )
    return sum(session.exec(query).all())


def must_be_empty(session: ScopedSession, row: PlaySession) -> None:
    """Raise ``TillNotEmpty`` if a session's till has a balance other than 0."""
    if balance(session, row.id):
        raise TillNotEmpty(title=row.title)


def unfinished(session: ScopedSession) -> tuple[Unfinished, ...]:
    """Return the club's sessions with a till that is not empty, oldest first.

    The kind and the 0 are literals in the statement, so that databases use the index of these tills.
    """
    rows = session.exec(
        select(PlaySession.id, PlaySession.title, PlaySession.state)
        .join(Account, col(Account.session_id) == PlaySession.id)
        .where(col(Account.kind) == literal(AccountKind.TILL.value, literal_execute=True))
        .where(col(Account.balance) != literal(0, literal_execute=True))
        .order_by(col(PlaySession.id))
    )
    return tuple(Unfinished(*row, _left(session, row[0])) for row in rows.all())


def _left(session: ScopedSession, session_id: int) -> tuple[Owed, ...]:
    """Return the players cashed out since the last conversion, with the money each got or, negative, owes."""
    _, standing = _cash_outs(session, session_id)
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
