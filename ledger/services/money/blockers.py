"""The balances that must be 0 before chips are cashed in: pots and counted differences.

A pot can be played for or shared out, a difference shared. Scores don't block a conversion and stay as they
are.
"""

from collections.abc import Mapping, Sequence

from sqlmodel import col, select

from engine.words.sentences import later, say
from ledger.database.models import Account, AccountKind
from ledger.database.scope import ScopedSession
from ledger.words.problems import Conflict


class NotReady(Conflict):
    """Raised when chips belong to no player, so that nobody can be paid for them."""

    code = "chips-elsewhere"


def of_conversion(session: ScopedSession, session_id: int) -> tuple[tuple[str, int], ...]:
    """Return the names and chips of the pots and differences that are not 0, and so block a conversion."""
    accounts = session.exec(
        select(Account)
        .where(Account.session_id == session_id)
        .where(col(Account.kind).in_(_SENTENCES), col(Account.balance) != 0)
        .order_by(Account.key)
    )
    return tuple((account.name or account.kind, account.balance) for account in accounts)


_SENTENCES: Mapping[str, str] = {
    AccountKind.POT: later(
        "The {pot:term} holds {n:chip|chips}. Play on for it, or share it out first."
    ),
    AccountKind.DIFFERENCES: later(
        "Counted chips are off by {missing} in total. Share the difference, or correct a "
        "player's chips first."
    ),
}


def must_be_empty(blockers: Sequence[tuple[str, int]]) -> None:
    """Raise ``NotReady`` for the first of these pairs of name and chips, if there is one."""
    for name, chips in blockers:
        sentence = _SENTENCES.get(name, _SENTENCES[AccountKind.POT])
        raise NotReady(say(sentence, pot=f"{name} pot", n=chips, missing=-chips))
