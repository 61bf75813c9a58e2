"""Settling up exactly against paying the largest first, as most programs do.

Run: python -m tests.benchmarks settle
For 8 to 12 people: the greedy way's time, in how many cases it needs more payments, and the slowest exact
search of many (target: at most 10 ms). The balances are those of evenings with a few hands of Crazy Solo.
"""

import random
from collections.abc import Iterator, Sequence
from time import process_time

from ledger.services.money.settle_up import fewest_payments
from tests.benchmarks.rows import Row

CASES = 200
HANDS = 8
SLOWEST = 0.01


def an_evening(people: int, dice: random.Random) -> list[int]:
    """Return the winnings of some hands of Crazy Solo with partners."""
    won = [0] * people
    for _ in range(HANDS):
        caller, partner, *gang = dice.sample(range(people), people)
        amount = dice.randint(-8, 8) * 5
        for place, payer in enumerate(gang):
            won[payer] -= amount
            won[partner if place * 2 > len(gang) else caller] += amount
    return won


def greedy(balances: Sequence[int]) -> int:
    """Return the number of payments if the largest debtor always pays the largest creditor."""
    left, payments = list(balances), 0
    while any(left):
        payee, payer = left.index(max(left)), left.index(min(left))
        amount = min(left[payee], -left[payer])
        left[payee] -= amount
        left[payer] += amount
        payments += 1
    return payments


def rows() -> Iterator[Row]:
    """Measure both on the same balances."""
    dice = random.Random(1)  # noqa: S311 - the same cases every time
    for people in range(8, 13):
        slowest, ours, theirs, more = 0.0, 0.0, 0.0, 0
        for _ in range(CASES):
            balances = an_evening(people, dice)
            start = process_time()
            exact = len(fewest_payments(balances))
            middle = process_time()
            plain = greedy(balances)
            end = process_time()
            ours, theirs = ours + middle - start, theirs + end - middle
            slowest = max(slowest, middle - start)
            more += plain > exact
        yield Row(
            f"settle {people} people exactly, relative to greedy (more payments in {more / CASES:.0%})",
            f"{ours / CASES * 1000:.2f} ms",
            f"{theirs / CASES * 1000:.3f} ms",
            theirs / ours,
        )
        yield Row(
            f"the slowest of {CASES} evenings of {people}, relative to the target",
            f"{slowest * 1000:.2f} ms",
            f"{SLOWEST * 1000:.0f} ms",
            SLOWEST / slowest,
            1,
        )
