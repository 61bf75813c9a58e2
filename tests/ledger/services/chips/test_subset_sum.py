"""Pieces that add up: the fewest, compared with every choice; the most up to an amount; no end of trying."""

from itertools import product

from hypothesis import example, given, settings
from hypothesis import strategies as st

from ledger.services.chips import subset_sum
from ledger.services.chips.subset_sum import NEVER, WINDOW, fewest, largest_sum, unlimited, worth

USUAL = ((5, 20, 30), (1, 5, 25, 100), (50, 100, 500))


def fewest_by_trying_all(amount: int, held: dict[int, int]) -> int | None:
    """Count the pieces of the best choice among all."""
    choices = product(*(range(number + 1) for number in held.values()))
    counts = [
        sum(choice)
        for choice in choices
        if sum(value * number for value, number in zip(held, choice, strict=True)) == amount
    ]
    return min(counts, default=None)


def fewest_one_by_one(top: int, held: dict[int, int]) -> list[int | None]:
    """Count the fewest pieces for each amount up to ``top``, by adding one piece after another."""
    best: list[int | None] = [0] + [None] * top
    for value, number in held.items():
        for _ in range(min(number, top // value)):
            for amount in range(top, value - 1, -1):
                before = best[amount - value]
                now = best[amount]
                if before is not None and (now is None or before + 1 < now):
                    best[amount] = before + 1
    return best


@given(st.dictionaries(st.integers(1, 40), st.integers(0, 4), max_size=4), st.integers(0, 200))
@example({5: 2, 20: 2, 30: 1}, 40)
def test_an_amount_is_paid_with_the_fewest_pieces_held(held: dict[int, int], amount: int) -> None:
    """Compared with every choice of pieces: 40 is two 20s, not 30 and two 5s."""
    found = fewest(amount, held)
    best = fewest_by_trying_all(amount, held)
    if found is None:
        assert best is None
    else:
        assert worth(found) == amount
        assert sum(found.values()) == best
        assert all(0 < number <= held[value] for value, number in found.items())


@settings(max_examples=30)
@given(st.sampled_from(USUAL), st.data())
def test_of_usual_chips_the_fewest_are_always_found(
    denominations: tuple[int, ...], data: st.DataObject
) -> None:
    """However many are held."""
    held = {value: data.draw(st.integers(0, 40), label=str(value)) for value in denominations}
    top = 20 * denominations[-1]
    best = fewest_one_by_one(top, held)
    needs = subset_sum.counts(top, held)[-1]
    assert [None if need >= NEVER else need for need in needs] == best
    for _ in range(20):
        amount = data.draw(st.integers(0, top // denominations[0])) * denominations[0]
        found = fewest(amount, held)
        assert (None if found is None else sum(found.values())) == best[amount]


@given(st.dictionaries(st.integers(1, 40), st.integers(0, 4), max_size=4), st.integers(0, 200))
def test_the_most_is_the_largest_sum_up_to_an_amount(held: dict[int, int], amount: int) -> None:
    """Compared with every choice of pieces."""
    sums = {
        sum(value * number for value, number in zip(held, choice, strict=True))
        for choice in product(*(range(number + 1) for number in held.values()))
    }
    assert largest_sum(amount, held) == max(each for each in sums if each <= amount)


@settings(max_examples=200)
@given(
    st.dictionaries(st.integers(1, 1_000_000), st.integers(0, 10_000), max_size=12),
    st.integers(0, WINDOW),
)
def test_in_the_window_a_payment_that_there_is_is_found(held: dict[int, int], amount: int) -> None:
    """Whatever the chips: the most that they make can be paid, and one more can't unless asked for."""
    sum_of_them = largest_sum(amount, held)
    found = fewest(sum_of_them, held)
    assert found is not None
    assert worth(found) == sum_of_them
    assert all(0 < number <= held[value] for value, number in found.items())
    if sum_of_them < amount:
        assert fewest(amount, held) is None


def test_large_amounts_are_paid_with_large_pieces_first() -> None:
    """A search over a billion would take for ever; the last part of it is still exact."""
    found = fewest(1_000_000_040, {5: 10, 20: 10, 30: 40_000_000})
    assert found is not None
    assert worth(found) == 1_000_000_040
    assert fewest(1_000_003, {3: 10, 1_000_000: 1}) == {3: 1, 1_000_000: 1}
    assert unlimited(1_000_000_000, [1, 1_000_000]) == {1_000_000: 1000}
    assert fewest(2_400, {1: 1, 700: 2, 1_000: 4}) == {700: 2, 1_000: 1}
    assert largest_sum(1_000_000, {5: 10}) == 50
    assert largest_sum(4_000, {5_000: 1}) == 0


def test_of_equally_few_pieces_the_largest_are_paid() -> None:
    """60 is 50 and 10 as well as two 30s; 75 is a 55 and a 20, not a 45 and a 30."""
    assert fewest(60, {10: 1, 30: 2, 50: 1}) == {10: 1, 50: 1}
    assert fewest(75, {20: 1, 30: 1, 45: 1, 55: 1}) == {20: 1, 55: 1}


@settings(max_examples=20)
@given(st.dictionaries(st.integers(1, WINDOW), st.integers(0, 10_000), max_size=12))
def test_however_hostile_the_chips_the_fewest_are_counted_in_the_window(
    held: dict[int, int],
) -> None:
    """As adding one piece after another finds them, up to the last amount that is searched."""
    few = {value: min(number, 5) for value, number in held.items()}
    best = fewest_one_by_one(WINDOW, few)
    found = fewest(WINDOW, few)
    assert (None if found is None else sum(found.values())) == best[WINDOW]


def test_what_pieces_cannot_make_is_none() -> None:
    """Less than nothing, between the pieces, more than is held, of no pieces."""
    assert [fewest(amount, {5: 3, 20: 1}) for amount in (-5, 3, 1000)] == [None] * 3
    assert fewest(5, {}) is None
    assert fewest(0, {}) == {}


def test_a_heap_is_told_from_another() -> None:
    """Joined and taken away; a kind of which none is left is left out."""
    assert subset_sum.combined({5: 1, 20: 1}, {5: 2}) == {5: 3, 20: 1}
    assert subset_sum.without({5: 3, 20: 1}, {20: 1}) == {5: 3}
    assert subset_sum.scaled({5: 3}, 10) == {50: 3}
