"""Paying in chips: pieces that add up, change from the bank where they don't, a loan where there are none."""

from itertools import product

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ledger.services.chips import bounded, holding, pay, pay_all, unlimited, worth

OURS = (5, 20, 30)
VALUES = st.lists(st.integers(1, 40), min_size=1, max_size=4, unique=True)
HELD = st.dictionaries(st.sampled_from(OURS), st.integers(0, 8))


def fewest_by_trying_all(amount: int, held: dict[int, int]) -> int | None:
    """Count the pieces of the best choice among all."""
    choices = product(*(range(number + 1) for number in held.values()))
    counts = [
        sum(choice)
        for choice in choices
        if sum(value * number for value, number in zip(held, choice, strict=True)) == amount
    ]
    return min(counts, default=None)


@given(st.dictionaries(st.integers(1, 40), st.integers(0, 4), max_size=4), st.integers(0, 200))
@example({5: 2, 20: 2, 30: 1}, 40)
def test_an_amount_is_paid_with_the_fewest_pieces_held(held: dict[int, int], amount: int) -> None:
    """Compared with every choice of pieces: 40 is two 20s, not 30 and two 5s."""
    found = bounded(amount, held)
    best = fewest_by_trying_all(amount, held)
    if found is None:
        assert best is None
    else:
        assert worth(found) == amount
        assert sum(found.values()) == best
        assert all(0 < number <= held[value] for value, number in found.items())


def test_large_amounts_are_paid_with_large_pieces_first() -> None:
    """A search over a billion would take for ever; the last part of it is still exact."""
    found = bounded(1_000_000_040, {5: 10, 20: 10, 30: 40_000_000})
    assert found is not None
    assert worth(found) == 1_000_000_040


@given(st.integers(-500, 5_000), VALUES)
def test_a_player_holds_as_many_chips_as_the_ledger_says(chips: int, values: list[int]) -> None:
    """Or the most below it that such chips can make; of a debt nothing."""
    held = holding(chips, values)
    assert set(held) <= set(values)
    assert all(number > 0 for number in held.values())
    missing = max(chips, 0) - worth(held)
    assert missing >= 0
    assert all(unlimited(chips - less, values) is None for less in range(missing) if chips > 0)


def test_each_starts_with_six_fives_and_six_twenties() -> None:
    """As 002 hands them out; what is won goes into the largest."""
    assert holding(150, OURS) == {5: 6, 20: 6}
    assert holding(300, OURS) == {5: 6, 20: 6, 30: 5}
    assert holding(100, OURS) == {5: 8, 20: 3}
    assert holding(0, OURS) == holding(-40, OURS) == {}


@settings(max_examples=300)
@given(st.integers(1, 600), HELD)
@example(30, {20: 3})
@example(40, {5: 1})
@example(12, {5: 4})
def test_a_proposal_adds_up(amount: int, held: dict[int, int]) -> None:
    """Pieces and rest are the amount; the bank gives as much as it gets; nothing is paid that isn't held."""
    paid = pay("Bob", "Ann", amount, held, OURS)
    assert worth(paid.pieces) + paid.rest == amount
    assert worth(paid.gives) == worth(paid.gets)
    assert all(number <= held[value] for value, number in paid.gives.items())
    now = {
        value: held.get(value, 0)
        - paid.gives.get(value, 0)
        + paid.gets.get(value, 0)
        + paid.borrows.get(value, 0)
        for value in OURS
    }
    assert all(number <= now[value] for value, number in paid.pieces.items())
    # Chips of 5, 20 and 30 pay every multiple of 5, changed or borrowed where it must be.
    assert paid.rest == amount % 5
    assert worth(paid.borrows) == max(0, amount - amount % 5 - worth(held))


def test_nothing_is_changed_where_the_pieces_fit() -> None:
    """Nor borrowed."""
    paid = pay("Bob", "Ann", 40, {5: 6, 20: 6}, OURS)
    assert (paid.pieces, paid.gives, paid.gets, paid.borrows) == ({20: 2}, {}, {}, {})


def test_a_piece_is_changed_with_the_bank_where_none_fits() -> None:
    """Of three 20s, 45 can't be paid: one is changed into four 5s, of which one is paid."""
    paid = pay("Bob", "Ann", 45, {20: 3}, OURS)
    assert (paid.gives, paid.gets) == ({20: 1}, {5: 4})
    assert paid.pieces == {5: 1, 20: 2}


def test_what_is_missing_is_borrowed() -> None:
    """All that is held, and a loan of the rest."""
    paid = pay("Bob", "Ann", 70, {5: 2, 20: 1}, OURS)
    assert (paid.borrows, paid.pieces) == ({20: 2}, {5: 2, 20: 3})


def test_what_no_chips_can_pay_is_left_to_be_remembered() -> None:
    """An unrounded payout of 42 in 5s and 20s, and chips that can't be changed into each other."""
    assert pay("Bob", "Ann", 42, {20: 3}, OURS).rest == 2
    paid = pay("Bob", "Ann", 20, {30: 2}, (20, 30))
    assert (paid.pieces, paid.rest) == ({}, 20)
    assert pay("Bob", "Ann", 50, {20: 1, 30: 2}, (20, 30)).pieces == {20: 1, 30: 1}


def test_payments_are_made_one_after_another() -> None:
    """Bob pays on what he has just been paid; after it nobody holds a piece too many."""
    held = {"Ann": {5: 6, 20: 6}, "Bob": {}, "Cyd": {5: 6}}
    first, second = pay_all([("Ann", "Bob", 40), ("Bob", "Cyd", 20)], held, OURS)
    assert (first.pieces, second.pieces) == ({20: 2}, {20: 1})
    assert second.borrows == {}


@pytest.mark.parametrize("amount", [-5, 3, 1000])
def test_what_pieces_cannot_make_is_none(amount: int) -> None:
    """Less than nothing, between the pieces, more than is held."""
    assert bounded(amount, {5: 3, 20: 1}) is None
    assert bounded(5, {}) is None
