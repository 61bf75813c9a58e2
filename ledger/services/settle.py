"""Settling up: the fewest payments that bring every balance to zero.

Among n people with something to pay or get, n payments minus the number of groups that are even among
themselves are enough and needed; so the fewest payments come from the most such groups. Up to
twelve people these are found exactly, by trying all sets; above, people whose balances cancel in pairs
are settled first and the rest by paying the largest first (at most n − 1 payments). Ties are
broken by seat order, the same way every time.
"""

from collections.abc import Sequence
from typing import NamedTuple

EXACT_UP_TO = 12


class Transfer(NamedTuple):
    """``payer`` gives ``payee`` an ``amount``; both by their place in the list of balances."""

    payer: int
    payee: int
    amount: int


def fewest_payments(balances: Sequence[int]) -> list[Transfer]:
    """Return the payments that settle ``balances`` (what each is owed, or owes if negative).

    Raises ``ValueError`` when they do not sum to zero.

    >>> fewest_payments([30, -20, 20, -30])
    [Transfer(payer=3, payee=0, amount=30), Transfer(payer=1, payee=2, amount=20)]
    """
    if sum(balances):
        raise ValueError(f"balances sum to {sum(balances)}, not to zero")
    people = [place for place, balance in enumerate(balances) if balance]
    if len(people) <= EXACT_UP_TO:
        groups = _most_even_groups(people, balances)
    else:
        groups = _pairs_then_rest(people, balances)
    return [payment for group in groups for payment in _within(group, balances)]


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


def _pairs_then_rest(people: list[int], balances: Sequence[int]) -> list[list[int]]:
    waiting: dict[int, list[int]] = {}
    groups: list[list[int]] = []
    for person in people:
        partners = waiting.get(-balances[person])
        if partners:
            groups.append([partners.pop(0), person])
        else:
            waiting.setdefault(balances[person], []).append(person)
    paired = {person for group in groups for person in group}
    rest = [person for person in people if person not in paired]
    return [*groups, rest] if rest else groups


def _within(group: list[int], balances: Sequence[int]) -> list[Transfer]:
    """Settle a group that is even: whoever owes most pays whoever is owed most, until all are even."""
    left = {person: balances[person] for person in group}
    payments: list[Transfer] = []
    while True:
        payee = max(group, key=lambda person: left[person])
        payer = min(group, key=lambda person: left[person])
        amount = min(left[payee], -left[payer])
        if not amount:
            return payments
        payments.append(Transfer(payer, payee, amount))
        left[payee] -= amount
        left[payer] += amount
