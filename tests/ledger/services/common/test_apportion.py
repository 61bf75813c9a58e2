"""Dividing without losing a unit: the rule of the largest remainder."""

from fractions import Fraction
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.services.common.apportion import bounds, by_largest_remainder, equally, nearest

PARTS = st.lists(st.integers(-10_000, 10_000), min_size=1, max_size=12)
FACTOR = st.integers(1, 500)


@given(PARTS, FACTOR, FACTOR)
def test_shares_of_an_even_sum_lose_no_unit(parts: list[int], money: int, chips: int) -> None:
    """The winnings sum to 0 chips, so they sum to 0 in money, at any rate."""
    even = [*parts, -sum(parts)]
    assert sum(by_largest_remainder(even, money, chips, 0)) == 0


@given(PARTS, FACTOR, FACTOR)
def test_each_share_is_the_exact_one_rounded_down_or_one_unit_more(
    parts: list[int], money: int, chips: int
) -> None:
    """And the fractions of the shares with the extra unit are as large as any others', earlier ones first."""
    even = [*parts, -sum(parts)]
    got = by_largest_remainder(even, money, chips, 0)
    exact = [Fraction(part * money, chips) for part in even]
    more = [
        share - (each.numerator // each.denominator) for share, each in zip(got, exact, strict=True)
    ]
    assert set(more) <= {0, 1}
    rank = [
        (-(each - each.numerator // each.denominator), place) for place, each in enumerate(exact)
    ]
    given_one = [rank[place] for place, unit in enumerate(more) if unit]
    given_none = [rank[place] for place, unit in enumerate(more) if not unit]
    assert not given_one or max(given_one) < min(given_none)


@given(PARTS, FACTOR, FACTOR, st.integers(-30, 30))
def test_shares_sum_to_what_is_there_to_share(
    parts: list[int], money: int, chips: int, total: int
) -> None:
    """Also where others were rounded before, so that it is more or less than the exact sum."""
    assert sum(by_largest_remainder(parts, money, chips, total)) == total


@given(st.lists(st.integers(-30, 30), min_size=1, max_size=5), FACTOR, FACTOR, st.integers(-9, 9))
def test_bounds_are_the_least_and_the_most_of_any_order(
    parts: list[int], money: int, chips: int, total: int
) -> None:
    """Compared with all orders of the seats, one by one."""
    got: list[set[int]] = [set() for _ in parts]
    for order in permutations(range(len(parts))):
        divided = by_largest_remainder([parts[place] for place in order], money, chips, total)
        for place, share in zip(order, divided, strict=True):
            got[place].add(share)
    assert bounds(parts, money, chips, total) == [(min(each), max(each)) for each in got]


def test_equal_fractions_are_served_in_the_order_given() -> None:
    """Three thirds of a cent each: the first two get the two cents there are."""
    assert by_largest_remainder([2, 2, 2], 1, 3, 2) == [1, 1, 0]
    assert by_largest_remainder([-2, -2, -2, 6], 1, 3, 0) == [0, -1, -1, 2]


def test_a_pot_is_divided_as_equally_as_can_be() -> None:
    """Debts as well; the first are better off."""
    assert equally(11, 4) == [3, 3, 3, 2]
    assert equally(-5, 3) == [-1, -2, -2]


def test_nothing_can_be_divided_among_nobody_but_nothing() -> None:
    """A programming error, and raised."""
    assert by_largest_remainder([], 1, 1, 0) == []
    with pytest.raises(ValueError, match="among nobody"):
        by_largest_remainder([], 1, 1, 5)


@given(st.integers(-10_000, 10_000), FACTOR, FACTOR)
def test_the_nearest_unit_is_at_most_half_a_unit_away(part: int, money: int, chips: int) -> None:
    """An exact half goes up: in favour of the payee, and off a debt."""
    off = nearest(part, money, chips) - Fraction(part * money, chips)
    assert Fraction(-1, 2) < off <= Fraction(1, 2)
