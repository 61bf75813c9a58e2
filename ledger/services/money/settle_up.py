"""The fewest payments that bring every balance to zero.

For n people with open balances, the fewest payments are n minus the largest number of groups that each sum to
zero. For up to twelve people these groups are found exactly, by dynamic programming over all subsets. For
more, small groups are closed first: pairs that cancel (this never costs a payment, as the rest of their group
sums to zero as well), then groups of three and of four. Up to twelve people left are settled exactly, more as
one group by paying the largest debt first. Ties are broken by seat order, so that the result is stable.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

EXACT_UP_TO = 12


class CashTransfer(NamedTuple):
    """A payment of ``amount`` between two people, given by their indexes in the list of balances."""

    payer: int
    payee: int
    amount: int


@dataclass(frozen=True, slots=True)
class Payment:
    """A payment of a positive amount from ``payer`` to ``payee``."""

    payer: str
    payee: str
    amount: int


def fewest_payments(balances: Sequence[int]) -> list[CashTransfer]:
    """Return the fewest payments that settle ``balances``, or few for more than twelve people with open ones.

    Negative balances are debts. Raises ``ValueError`` if the balances do not sum to zero.

    >>> fewest_payments([30, -20, 20, -30])
    [CashTransfer(payer=3, payee=0, amount=30), CashTransfer(payer=1, payee=2, amount=20)]
    """
    if sum(balances):
        raise ValueError(f"balances sum to {sum(balances)}, not to zero")
    people = [place for place, balance in enumerate(balances) if balance]
    groups = _even_groups(people, balances)
    return [payment for group in groups for payment in _within(group, balances)]


def by_name(names: Sequence[str], balances: Sequence[int]) -> tuple[Payment, ...]:
    """Return the fewest payments that settle these balances, by name; none if they don't sum to zero.

    >>> by_name(["Ann", "Bob"], [30, -30])
    (Payment(payer='Bob', payee='Ann', amount=30),)
    """
    transfers = [] if sum(balances) else fewest_payments(balances)
    return tuple(Payment(names[payer], names[payee], amount) for payer, payee, amount in transfers)


def _most_even_groups(people: list[int], balances: Sequence[int]) -> list[list[int]]:
    """Split people into as many groups as possible that each sum to zero.

    ``best[s]`` is the largest number of prefixes with sum zero in any order of the set ``s``. Walking back
    from the set of all people gives the best order, which is cut at those prefixes.
    """
    count = len(people)
    size = 1 << count
    sums, best = [0] * size, [0] * size
    bits = [1 << place for place in range(count)]
    for group in range(1, size):
        low = group & -group
        sums[group] = sums[group ^ low] + balances[people[low.bit_length() - 1]]
        most = 0
        for bit in bits:
            if group & bit and best[group ^ bit] > most:
                most = best[group ^ bit]
        best[group] = most + (sums[group] == 0)

    groups: list[list[int]] = []
    left = size - 1
    while left:
        if sums[left] == 0:
            groups.append([])
        closed = best[left] - (sums[left] == 0)
        place = next(p for p in range(count) if left & bits[p] and best[left ^ bits[p]] == closed)
        groups[-1].append(people[place])
        left ^= bits[place]
    return [sorted(group) for group in groups]


def _even_groups(people: list[int], balances: Sequence[int]) -> list[list[int]]:
    """Split people into groups that each sum to zero; small ones are closed while too many are left."""
    groups: list[list[int]] = []
    left = people
    for size in (2, 3, 4):
        if len(left) > EXACT_UP_TO:
            closed_groups = _groups_of(size, left, balances)
            closed = {person for group in closed_groups for person in group}
            groups += closed_groups
            left = [person for person in left if person not in closed]
    if len(left) <= EXACT_UP_TO:
        return [*groups, *_most_even_groups(left, balances)]
    return [*groups, left]


def _groups_of(size: int, people: list[int], balances: Sequence[int]) -> list[list[int]]:
    """Return disjoint groups of ``size`` people that each sum to zero: the first ones found, in seat order.

    The last member of each is looked up by its balance.
    """
    waiting: dict[int, list[int]] = {}
    for person in people:
        waiting.setdefault(balances[person], []).append(person)
    closed: set[int] = set()
    groups: list[list[int]] = []
    for others in combinations(people, size - 1):
        if not closed.isdisjoint(others):
            continue
        missing = waiting.get(-sum(balances[person] for person in others), ())
        last = next((p for p in missing if p > others[-1] and p not in closed), None)
        if last is not None:
            groups.append([*others, last])
            closed.update(groups[-1])
    return groups


def _within(group: list[int], balances: Sequence[int]) -> list[CashTransfer]:
    """Return the payments of a group that sums to zero.

    The largest debtor pays the largest creditor until all are even.
    """
    left = {person: balances[person] for person in group}
    payments: list[CashTransfer] = []
    while True:
        payee = max(group, key=lambda person: left[person])
        payer = min(group, key=lambda person: left[person])
        amount = min(left[payee], -left[payer])
        if not amount:
            return payments
        payments.append(CashTransfer(payer, payee, amount))
        left[payee] -= amount
        left[payer] += amount
