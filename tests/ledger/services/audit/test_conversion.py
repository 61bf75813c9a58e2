"""The value of chips that became money."""

from ledger.services.audit.conversion import cashed_out, converted


def test_who_is_cashed_out_is_due_the_nearest_unit() -> None:
    """25 chips at ten to one are 3, 25 lost chips are 2: an exact half goes upwards."""
    assert cashed_out({7: 25, 8: -25}, {}, chips=10, money=1) == {7: (3, 3), 8: (-2, -2)}


def test_what_was_cashed_in_at_a_leaving_is_rounded_with_what_follows_it() -> None:
    """5 chips were half a unit, paid as 1; 5 more make it exactly 1, so nothing is due."""
    assert cashed_out({7: 5}, {7: 5}, chips=10, money=1) == {7: (0, 0)}


def test_who_sat_first_decides_only_between_equal_fractions() -> None:
    """Two lost 5 each, and one unit is short: either may bear it; the winner's share is certain."""
    due = converted([1, 2, 3], {1: 10, 2: -5, 3: -5}, chips=10, money=1, total=0)
    assert due == {1: (1, 1), 2: (-1, 0), 3: (-1, 0)}


def test_where_nobody_has_chips_to_turn_all_share_what_the_till_held() -> None:
    """Nobody gets more than all of it, or has to pay for it."""
    assert converted([1, 2], {}, chips=10, money=1, total=-3) == {1: (-3, 0), 2: (-3, 0)}
