"""Settling up: everybody even, with the fewest payments there can be."""

from collections import Counter
from collections.abc import Iterator, Sequence

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ledger.services.money.settle_up import EXACT_UP_TO, CashTransfer, fewest_payments


def even(most: int, size: int) -> st.SearchStrategy[list[int]]:
    """Balances of one to ``size`` people that sum to zero; small ones, so that groups do cancel."""
    amounts = st.lists(st.integers(-most, most), max_size=size - 1)
    return amounts.map(lambda given: [*given, -sum(given)])


def after(balances: Sequence[int], payments: Sequence[CashTransfer]) -> list[int]:
    """Return what is left to settle once all have paid."""
    left = list(balances)
    for payment in payments:
        left[payment.payer] += payment.amount
        left[payment.payee] -= payment.amount
    return left


def partitions(people: Sequence[int]) -> Iterator[list[list[int]]]:
    """Yield every way to split people into groups."""
    if not people:
        yield []
        return
    first, rest = people[0], people[1:]
    for groups in partitions(rest):
        yield [[first], *groups]
        for place, group in enumerate(groups):
            yield [*groups[:place], [first, *group], *groups[place + 1 :]]


def fewest_by_trying_all(balances: Sequence[int]) -> int:
    """Count the payments of the best partition: each even group of k needs k − 1."""
    people = [place for place, balance in enumerate(balances) if balance]
    return min(
        len(people) - len(groups)
        for groups in partitions(people)
        if all(sum(balances[place] for place in group) == 0 for group in groups)
    )


@given(even(1000, 16))
def test_the_payments_settle_every_balance(balances: list[int]) -> None:
    """Whoever owes pays, whoever is owed is paid, and all are left at zero; every payment moves something."""
    payments = fewest_payments(balances)
    assert after(balances, payments) == [0] * len(balances)
    assert all(payment.amount > 0 for payment in payments)
    assert all(balances[pay.payer] < 0 < balances[pay.payee] for pay in payments)


@given(even(6, 7))
@example([30, -20, 20, -30])
@example([5, -2, -3, 4, -4, 6, -6])
def test_no_other_way_to_settle_has_fewer_payments(balances: list[int]) -> None:
    """Compared with every partition of up to seven people into even groups."""
    assert len(fewest_payments(balances)) == fewest_by_trying_all(balances)


@given(even(20, 14))
def test_the_same_balances_are_settled_the_same_way_every_time(balances: list[int]) -> None:
    """Ties go by seat, so two phones show the same payments."""
    assert fewest_payments(balances) == fewest_payments(tuple(balances))


@settings(max_examples=25)
@given(even(500, 40).filter(lambda balances: sum(map(bool, balances)) > EXACT_UP_TO))
def test_more_than_twelve_people_settle_with_at_most_one_payment_less_than_people(
    balances: list[int],
) -> None:
    """Above twelve the count is bounded, not proved least."""
    payments = fewest_payments(balances)
    assert after(balances, payments) == [0] * len(balances)
    assert len(payments) <= sum(map(bool, balances)) - 1


def test_more_than_twelve_people_whose_balances_cancel_settle_in_pairs() -> None:
    """Fourteen people, seven pairs: seven payments, the earlier of equals first."""
    amounts = [10, 20, 30, 40, 50, 60, 10]
    balances = [*amounts, *(-amount for amount in amounts)]
    payments = fewest_payments(balances)
    assert len(payments) == 7
    assert Counter(payment.amount for payment in payments) == Counter(amounts)
    assert CashTransfer(payer=7, payee=0, amount=10) in payments


def test_more_than_twelve_people_are_settled_in_small_groups_where_these_are_even() -> None:
    """Six threes hidden among eighteen, and five fours among twenty, where greedy would need more."""
    threes = [5534, -2202, -1993, 9034, -5726, 9420, -2108, 7834, -7218]
    threes += [-9568, 9845, -7852, 4192, 5376, -14568, 2123, 9790, -11913]
    fours = [-6716, -5726, 9034, 9420, -6187, -2202, 2123, -4227, 5534, -1501]
    fours += [5376, -15052, 7834, -9568, -7852, 9845, -2321, 8049, -5653, 9790]
    assert (len(fewest_payments(threes)), len(fewest_payments(fours))) == (12, 15)


def test_twelve_people_are_settled_exactly_and_at_once() -> None:
    """Four hidden groups of three: eight payments, but nine if the first three who cancel were a group."""
    balances = [7, -3, -4, 1000, 11, -18, -5, 8, 101, -97, -999, -1]
    assert len(fewest_payments(balances)) == 8


def test_nobody_pays_when_all_are_even() -> None:
    """No balances, or only zeros, need no payment."""
    assert fewest_payments([]) == []
    assert fewest_payments([0, 0, 0]) == []


def test_balances_that_do_not_sum_to_zero_are_refused() -> None:
    """Chips that came from nowhere cannot be settled; the sum is named."""
    with pytest.raises(ValueError, match="sum to 5"):
        fewest_payments([10, -5])
