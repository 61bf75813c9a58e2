"""Limits of an account's balance, its owner's name, and the errors for closed or overfull accounts."""

from engine.words.sentences import later, say
from ledger.database.kinds.accounts import AccountKind
from ledger.words import currencies
from ledger.words.problems import Conflict

CHIPS = "chips"

MOST = 10**15
"""The largest balance, above or below 0: a million times the largest single amount.

JavaScript's numbers are exact up to nine times as much.
"""


class AccountClosed(Conflict):
    """Raised when an entry would move chips on the closed account of a player who has left."""

    code = "account-closed"
    sentence = later(
        "{whose} has cashed out, and this would move {whose}'s chips; undo the leaving first."
    )


class BalanceTooLarge(Conflict):
    """Raised when a balance above or below 0 would exceed ``MOST``, usually because of a mistyped rate."""

    code = "balance-too-large"

    def __init__(self, whose: str, balance: int, unit: str) -> None:
        most, would = _in_words(MOST, unit), _in_words(balance, unit)
        super().__init__(
            say(
                "This would put {whose} at {would}; an account holds at most {most}, above or "
                "below 0. Check the numbers, and the rate if chips are being cashed in.",
                whose=whose,
                would=would,
                most=most,
            )
        )


def owner_name(kind: str, name: str | None) -> str:
    """Return the words for the owner of an account of this kind; ``name`` is a player's or a pot's.

    A seat or player without a name, and every other kind, gives "the" and the kind.

    >>> owner_name("seat", "Ann"), owner_name("seat", None)
    ('Ann', 'the seat')
    >>> owner_name("pot", "frog"), owner_name("bank", None)
    ('the frog pot', 'the bank')
    """
    if kind in (AccountKind.SEAT, AccountKind.PLAYER) and name:
        return name
    return f"the {name} {kind}" if kind == AccountKind.POT else f"the {kind}"


def _in_words(amount: int, unit: str) -> str:
    return say("{n:chip|chips}", n=amount) if unit == CHIPS else currencies.say(amount, unit)
