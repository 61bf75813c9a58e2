"""Paying in chips: pieces that add up, change from the bank where they don't, a loan where there are none."""

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st

from ledger.services.chips import change as chips_module
from ledger.services.chips import subset_sum
from ledger.services.chips.change import ChipPayment, holding, pay, pay_all
from ledger.services.chips.subset_sum import WINDOW, unlimited, worth

OURS = (5, 20, 30)
VALUES = st.lists(st.integers(1, 40), min_size=1, max_size=4, unique=True)
HELD = st.dictionaries(st.sampled_from(OURS), st.integers(0, 8))


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


def sums_of(held: dict[int, int], top: int) -> set[int]:
    """Return the sums up to ``top`` that the pieces held make, by adding one after another."""
    sums = {0}
    for value, number in held.items():
        for _ in range(min(number, top // value)):
            sums |= {each + value for each in sums if each + value <= top}
    return sums


def as_the_rules_say(
    amount: int, held: dict[int, int], denominations: tuple[int, ...]
) -> tuple[int, int | None, int | None, int]:
    """Work out, by trying everything: what is paid, which piece is changed, for which part, the loan."""
    top = amount + max(held, default=0)
    enough = sums_of(dict.fromkeys(denominations, top), top)
    made = sums_of(held, amount)
    payable = max(each for each in enough if each <= amount)
    if {amount, payable} & made:
        return max({amount, payable} & made), None, None, 0
    if worth(held) > payable:
        for value in sorted(held):
            others = sums_of({**held, value: held[value] - 1}, payable)
            for part in range(1, value):
                if {part, value - part} <= enough and payable - part in others:
                    return payable, value, part, 0
    elif payable - worth(held) in enough:
        return payable, None, None, payable - worth(held)
    return max(made), None, None, 0


CHIPS = st.one_of(
    st.sampled_from([OURS, (1, 5, 25, 100), (50, 100, 500), (20, 30), (3, 100), (10, 25, 40)]),
    st.lists(st.integers(1, 60), min_size=1, max_size=4, unique=True).map(tuple),
)


@settings(max_examples=400)
@given(CHIPS, st.data())
@example((3, 100), None)
def test_a_payment_is_what_trying_everything_finds(
    denominations: tuple[int, ...], data: st.DataObject | None
) -> None:
    """Exactly; else by changing the smallest piece for the smallest part; else a loan; else the most."""
    if data is None:
        held, amount = {100: 2}, 4
    else:
        held = {
            value: number
            for value in denominations
            if (number := data.draw(st.integers(0, 4), label=str(value)))
        }
        amount = data.draw(st.integers(1, 700), label="amount")
    paid = pay("Bob", "Ann", amount, held, denominations)
    payable, changed, part, lent = as_the_rules_say(amount, held, denominations)
    assert worth(paid.pieces) == payable == amount - paid.rest
    assert paid.gives == ({} if changed is None else {changed: 1})
    assert worth(paid.gets) == (changed or 0)
    assert worth(paid.borrows) == lent
    if changed is not None and part is not None:
        # The payment has the coins of that part, and the others come from what else is held.
        kept = {**held, changed: held[changed] - 1}
        assert worth(paid.pieces) - part in sums_of(kept, payable)
        assert unlimited(part, denominations) is not None
    now = {
        value: held.get(value, 0)
        - paid.gives.get(value, 0)
        + paid.gets.get(value, 0)
        + paid.borrows.get(value, 0)
        for value in denominations
    }
    assert all(number <= now[value] for value, number in paid.pieces.items())


def test_a_piece_of_a_million_is_changed_where_it_can_be() -> None:
    """And not where it can't; neither takes long."""
    paid = pay("Bob", "Ann", 40, {1_000_000: 1}, (1, 5, 25, 1_000_000))
    assert (paid.pieces, paid.gives, worth(paid.gets)) == ({5: 3, 25: 1}, {1_000_000: 1}, 1_000_000)
    paid = pay("Bob", "Ann", 70_000, {1_000_000: 1}, (100, 1_000_000))
    assert (paid.pieces, paid.gives) == ({100: 700}, {1_000_000: 1})
    paid = pay("Bob", "Ann", 4, {1_000_000: 1}, (3, 1_000_000))
    assert (paid.pieces, paid.gives, paid.rest) == ({}, {}, 4)
    assert holding(999_999, (1_000_000,)) == {}


def test_of_large_pieces_the_smallest_that_can_be_changed_is() -> None:
    """Change of 10,000 into a 7,001 leaves a rest; a payment may have 5,000 coins."""
    paid = pay("Bob", "Ann", 7_001, {10_000: 1, 14_002: 1}, (7_001, 10_000, 14_002))
    assert (paid.pieces, paid.gives, paid.gets) == ({7_001: 1}, {14_002: 1}, {7_001: 2})
    assert pay("Bob", "Ann", 5_000, {10_000: 1}, (1, 10_000)).pieces == {1: 5_000}


def test_pieces_from_before_the_club_changed_its_chips_are_still_paid_with() -> None:
    """They were counted then, and the ledger has not moved since."""
    assert pay("Bob", "Ann", 14, {7: 3}, OURS).pieces == {7: 2}
    paid = pay("Bob", "Ann", 5, {10: 1}, OURS)
    assert (paid.pieces, paid.gives, paid.gets) == ({5: 1}, {10: 1}, {5: 2})
    # A kind of which none were counted makes no sum harder to find.
    assert pay("Bob", "Ann", 9_000, {7: 0, 12_000: 1}, (3_000, 5_000)).pieces == {3_000: 3}


MOST_LINES = 25_000
"""How many lines of code a payment may run through, whatever chips there are: some milliseconds' worth."""


def lines_run(act: Callable[[], object]) -> int:
    """Count the lines run while paying: its work, whatever the clock says. Each set keeps to the window."""
    files = {chips_module.__file__, subset_sum.__file__}
    run = 0

    def line(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal run
        run += event == "line"
        if event == "line" and frame.f_code.co_name == "remainders":
            assert frame.f_locals["left"].bit_length() <= WINDOW + 1
        return line

    def call(frame: FrameType, _event: str, _: Any) -> Any:
        return line if frame.f_code.co_filename in files else None

    before = sys.gettrace()
    sys.settrace(call)
    try:
        act()
    finally:
        sys.settrace(before)
    return run


HARD = (
    (3, 1_000_000),
    (3, 10_000),
    (2, 100_001),
    tuple(range(13, 25)),
    tuple(range(989, 1001)),
    tuple(range(999_989, 1_000_001)),
    (208, 214, 227, 233, 256, 268, 269, 271, 275, 286, 299, 300),
    (904, 1276, 4491, 8879, 19482, 25767, 30561, 36401, 46317, 55219, 55653, 62777),
)


@settings(max_examples=60)
@given(
    st.one_of(
        st.sampled_from(HARD),
        st.lists(st.integers(1, 1_000_000), min_size=1, max_size=12, unique=True).map(tuple),
        st.lists(st.integers(1, 99), min_size=1, max_size=12, unique=True).map(tuple),
    ),
    st.one_of(st.integers(1, 100), st.integers(1, 2 * WINDOW), st.integers(1, 1_000_000_000)),
    st.data(),
)
def test_no_chips_keep_a_table_waiting(
    denominations: tuple[int, ...], amount: int, data: st.DataObject
) -> None:
    """As many kinds as a club may have, worth what it may say, held as many as may be counted."""
    numbers = st.sampled_from((0, 1, 2, 6, 100, 10_000))
    held = {value: data.draw(numbers, label=str(value)) for value in denominations}
    paid: list[ChipPayment] = []
    work = lines_run(lambda: paid.append(pay("Bob", "Ann", amount, held, denominations)))
    assert 0 < work <= MOST_LINES
    assert worth(paid[0].pieces) + paid[0].rest == amount
    assert worth(paid[0].gives) == worth(paid[0].gets)
    assert 0 < lines_run(lambda: holding(amount, denominations)) <= MOST_LINES
