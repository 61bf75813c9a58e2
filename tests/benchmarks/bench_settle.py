"""Settling up exactly against paying the largest first, as most programs do.

Run: python -m tests.benchmarks.bench_settle
Prints, for 8 to 12 people, the slowest of many exact searches (aim at 12: at most 10 ms), its ratio to
the greedy way, and in how many cases the greedy way needs more payments. The balances are what
evenings of a few hands of Crazy Solo end with.
"""

import random
from collections.abc import Sequence
from time import perf_counter

from ledger.services.money.settle_up import fewest_payments

CASES = 200
HANDS = 8


def an_evening(people: int, dice: random.Random) -> list[int]:
    """Return what people won or lost in some hands of Crazy Solo with a partner each."""
    won = [0] * people
    for _ in range(HANDS):
        caller, partner, *gang = dice.sample(range(people), people)
        amount = dice.randint(-8, 8) * 5
        for place, payer in enumerate(gang):
            won[payer] -= amount
            won[partner if place * 2 > len(gang) else caller] += amount
    return won


def greedy(balances: Sequence[int]) -> int:
    """Count the payments when whoever owes most pays whoever is owed most, until all are even."""
    left, payments = list(balances), 0
    while any(left):
        payee, payer = left.index(max(left)), left.index(min(left))
        amount = min(left[payee], -left[payer])
        left[payee] -= amount
        left[payer] += amount
        payments += 1
    return payments


def main() -> None:
    """Print the figures."""
    dice = random.Random(1)  # noqa: S311 - the same cases every time
    for people in range(8, 13):
        slowest, ours, theirs, more = 0.0, 0.0, 0.0, 0
        for _ in range(CASES):
            balances = an_evening(people, dice)
            start = perf_counter()
            exact = len(fewest_payments(balances))
            middle = perf_counter()
            plain = greedy(balances)
            end = perf_counter()
            ours, theirs = ours + middle - start, theirs + end - middle
            slowest = max(slowest, middle - start)
            more += plain > exact
        print(
            f"{people:>2} people: {ours / CASES * 1000:6.2f} ms, slowest {slowest * 1000:6.2f} ms, "
            f"{ours / theirs:5.0f} × greedy, which needs more in {more / CASES:.0%}"
        )


if __name__ == "__main__":
    main()
