"""What an account holds: in chips or a currency, whose it is in the players' words, how much at most."""

from engine.words.sentences import later, say
from ledger.database.kinds.accounts import AccountKind
from ledger.words import currencies
from ledger.words.problems import Conflict

CHIPS = "chips"

MOST = 10**15
"""The most an account holds, above or below 0: a million times the most that moves at once.

Any program can count that far: one that keeps numbers as JavaScript does is exact to nine times as much.
"""


class AccountClosed(Conflict):
    """Somebody has left, and the entry would move their chips again."""

    code = "account-closed"
    sentence = later(
        "{whose} has cashed out, and this would move {whose}'s chips; undo the leaving first."
    )


class BalanceTooLarge(Conflict):
    """An account would hold more than it can: usually a slip of the finger in a rate."""

    code = "balance-too-large"

    def __init__(self, whose: str, balance: int, unit: str) -> None:
        most, would = _say(MOST, unit), _say(balance, unit)
        super().__init__(
            say(
                "This would put {whose} at {would}; an account holds at most {most}, above or "
                "below 0. Check the numbers, and the rate if chips are being cashed in.",
                whose=whose,
                would=would,
                most=most,
            )
        )


def fits(balance: int) -> bool:
    """Whether an account can hold so much.

    >>> fits(-MOST), fits(MOST + 1)
    (True, False)
    """
    return abs(balance) <= MOST


def whose(kind: str, name: str | None) -> str:
    """Say whose account of a kind it is; ``name`` is a player's or a pot's.

    >>> whose("seat", "Ann"), whose("pot", "frog"), whose("bank", None)
    ('Ann', 'the frog pot', 'the bank')
    """
    if kind in (AccountKind.SEAT, AccountKind.PLAYER) and name:
        return name
    return f"the {name} {kind}" if kind == AccountKind.POT else f"the {kind}"


def _say(amount: int, unit: str) -> str:
    return say("{n:chip|chips}", n=amount) if unit == CHIPS else currencies.say(amount, unit)
