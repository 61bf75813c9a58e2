"""Settling up: the fewest payments that bring every balance to zero.

Among n people with something to pay or get, n payments minus the number of groups that are even among
themselves are enough and needed; so the fewest payments come from the most such groups. Up to
twelve people these are found exactly, by trying all sets. Above, small groups are closed first: two who
cancel (which never costs a payment: those they were grouped with are even without them as well), then
three, then four; up to twelve who are left are settled exactly, more in one group by paying the
largest first (never more than n − 1 payments in all). Ties are broken by seat order, the same way
every time.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

EXACT_UP_TO = 12


class CashTransfer(NamedTuple):
    """``payer`` gives ``payee`` an ``amount``; both by their place in the list of balances."""

    payer: int
    payee: int
    amount: int


@dataclass(frozen=True, slots=True)
class Payment:
    """One payment that settles up: `payer` hands `payee` a positive `amount`."""

    payer: str
    payee: str
    amount: int


def fewest_payments(balances: Sequence[int]) -> list[CashTransfer]:
    """Return the payments that settle ``balances`` (what each is owed, or owes if negative).

    Raises ``ValueError`` when they do not sum to zero.

    >>> fewest_payments([30, -20, 20, -30])
    [CashTransfer(payer=3, payee=0, amount=30), CashTransfer(payer=1, payee=2, amount=20)]
    """
    if sum(balances):
        raise ValueError(f"balances sum to {sum(balances)}, not to zero")
    people = [place for place, balance in enumerate(balances) if balance]
    if len(people) <= EXACT_UP_TO:
        groups = _most_even_groups(people, balances)
    else:
        groups = _small_groups_then_rest(people, balances)
    return [payment for group in groups for payment in _within(group, balances)]


def by_name(names: Sequence[str], balances: Sequence[int]) -> tuple[Payment, ...]:
    """Return the fewest payments by name; none where somebody is owed by nobody yet."""
    transfers = [] if sum(balances) else fewest_payments(balances)
    return tuple(Payment(names[each.payer], names[each.payee], each.amount) for each in transfers)


def _most_even_groups(people: list[int], balances: Sequence[int]) -> list[list[int]]:
    """Split ``people`` into as many groups as possible, each of which sums to zero.

    ``best[s]`` is how many even groups can be closed one after another while the people of set ``s``
    join a line one by one; walking back from everybody gives the line, cut where it is even.
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


def _small_groups_then_rest(people: list[int], balances: Sequence[int]) -> list[list[int]]:
    groups: list[list[int]] = []
    left = people
    for size in (2, 3, 4):
        if size > 2 and len(left) <= EXACT_UP_TO:
            break
        found = _groups_of(size, left, balances)
        closed = {person for group in found for person in group}
        groups += found
        left = [person for person in left if person not in closed]
    if len(left) <= EXACT_UP_TO:
        return [*groups, *_most_even_groups(left, balances)]
    return [*groups, left]


def _groups_of(size: int, people: list[int], balances: Sequence[int]) -> list[list[int]]:
    """Close even groups of one size as they are met, in seat order; the last of each is looked up."""
    waiting: dict[int, list[int]] = {}
    for person in people:
        waiting.setdefault(balances[person], []).append(person)
    closed: set[int] = set()
    groups: list[list[int]] = []
    for others in combinations(people, size - 1):
        if not closed.isdisjoint(others):
            continue
        missing = waiting.get(-sum(balances[person] for person in others), ())
        last = next((who for who in missing if who > others[-1] and who not in closed), None)
        if last is not None:
            groups.append([*others, last])
            closed.update(groups[-1])
    return groups


def _within(group: list[int], balances: Sequence[int]) -> list[CashTransfer]:
    """Settle a group that is even: whoever owes most pays whoever is owed most, until all are even."""
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
