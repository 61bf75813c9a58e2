"""What must be dealt with before chips are cashed in: pots and counted differences.

A pot is played on for or shared out, a difference shared. A score is not chips: it keeps nobody waiting, and
stays what it is when the chips are cashed in.
"""

from collections.abc import Mapping, Sequence

from sqlmodel import col, select

from engine.words.sentences import later, say
from ledger.database.models import Account, AccountKind
from ledger.database.scope import ScopedSession
from ledger.words.problems import Conflict


class NotReady(Conflict):
    """Chips lie where no player can be paid for them."""

    code = "chips-elsewhere"


def of_conversion(session: ScopedSession, session_id: int) -> tuple[tuple[str, int], ...]:
    """Return what comes before chips are cashed in, with its chips: pots and differences."""
    accounts = session.exec(
        select(Account)
        .where(Account.session_id == session_id)
        .where(col(Account.kind).in_(_WAITED_FOR), col(Account.balance) != 0)
        .order_by(Account.key)
    )
    return tuple((each.name or each.kind, each.balance) for each in accounts)


_WAITED_FOR: Mapping[str, str] = {
    AccountKind.POT: later(
        "The {pot:term} holds {n:chip|chips}. Play on for it, or share it out first."
    ),
    AccountKind.DIFFERENCES: later(
        "Counted chips are off by {missing} in total. Share the difference, or correct a "
        "player's chips first."
    ),
}


def must_be_empty(waits: Sequence[tuple[str, int]]) -> None:
    """Raise ``NotReady`` for the first of these."""
    for what, held in waits:
        sentence = _WAITED_FOR.get(what, _WAITED_FOR[AccountKind.POT])
        raise NotReady(say(sentence, pot=f"{what} pot", n=held, missing=-held))
