"""What must be dealt with before chips are cashed in: pots, counted differences, scores that nobody pays.

A pot is played on for or shared out, a difference shared; scores come out again only with their hands.
Scores are not payments even if they add up to 0: nobody owes Ann what she scored.
"""

from collections.abc import Mapping, Sequence

from sqlmodel import col, select

from engine.words.sentences import later, say
from ledger.models import Account, AccountKind, JournalEntry, PlaySession, Posting
from ledger.problems import Conflict
from ledger.scope import ScopedSession
from ledger.services.money import till
from ledger.services.session import reversals


class NotReady(Conflict):
    """Chips lie where no player can be paid for them."""

    code = "chips-elsewhere"


def found(session: ScopedSession, session_id: int) -> tuple[tuple[str, int], ...]:
    """Return what comes before chips are cashed in, with its chips: pots, differences, the world's scores."""
    accounts = session.exec(
        select(Account)
        .where(Account.session_id == session_id)
        .where(col(Account.kind).in_(_WAITED_FOR))
        .order_by(Account.key)
    )
    return tuple(
        (each.name or each.kind, each.balance) for each in accounts if _is_waited_for(session, each)
    )


def scores(session: ScopedSession, session_id: int) -> tuple[tuple[str, int], ...]:
    """Return the world where it holds the other side of scores, whatever they come to."""
    return tuple(each for each in found(session, session_id) if each[0] == AccountKind.WORLD)


def _is_waited_for(session: ScopedSession, account: Account) -> bool:
    """Whether an account keeps chips from becoming money; the world's does while any score stands."""
    if account.kind != AccountKind.WORLD:
        return account.balance != 0
    standing = (
        select(Posting.id)
        .join(JournalEntry, col(JournalEntry.id) == Posting.entry_id)
        .where(Posting.account_id == account.id, reversals.stands())
        .limit(1)
    )
    return session.exec(standing).first() is not None


def must_be_payments(session: ScopedSession, row: PlaySession, way_out: str = "") -> None:
    """Raise ``NotReady`` where the world holds the other side of scores: nobody pays those out."""
    if not way_out or till.held(session, row.id):
        way_out = ways_out(session, row)
    must_be_empty(scores(session, row.id), way_out)


def ways_out(session: ScopedSession, row: PlaySession) -> str:
    """Say why scores that came among the chips can't stay, and how they come out again."""
    return _UNDO_LEAVING if till.held(session, row.id) else _VOID


_VOID = later(
    "Hands here were played for scores. A score that nobody pays can't be cashed in. Void the hands "
    "played for scores first."
)
_UNDO_LEAVING = later(
    "Hands here were played for scores. A score that nobody pays can't be cashed in. Void the hands "
    "played for scores, or undo the leaving for money, first."
)

_WAITED_FOR: Mapping[str, str] = {
    AccountKind.POT: later(
        "The {pot:term} holds {n:chip|chips}. Play on for it, or share it out first."
    ),
    AccountKind.DIFFERENCES: later(
        "Counted chips are off by {missing} in total. Share the difference, or correct a "
        "player's chips first."
    ),
    AccountKind.WORLD: later(
        "Hands here were played for scores. A score that nobody pays can't be cashed in."
    ),
}


def must_be_empty(waits: Sequence[tuple[str, int]], way_out: str = "") -> None:
    """Raise ``NotReady`` for the first of these; ``way_out`` is what to do about scores."""
    for what, held in waits:
        sentence = _WAITED_FOR.get(what, _WAITED_FOR[AccountKind.POT])
        if way_out and what == AccountKind.WORLD:
            sentence = way_out
        raise NotReady(say(sentence, pot=f"{what} pot", n=held, missing=-held))
