"""What cashed-in chips were worth: to the unit, except for who then sat first at the table.

That is no longer known. It decides who gets a unit that equal fractions vie for, and nothing else.
"""

from collections.abc import Mapping, Sequence

from ledger.services.common import apportion

Due = tuple[int, int]
"""The least and the most that a seat is due, in minor units of money."""


def cashed_out(
    parts: Mapping[int, int], before: Mapping[int, int], *, chips: int, money: int
) -> dict[int, Due]:
    """Return the money due to seats that were cashed out for the chips they had won, to the nearest unit.

    Chips cashed in ``before``, when they left, are rounded together with these.
    """
    due = {}
    for seat_id, part in parts.items():
        cashed = before.get(seat_id, 0)
        exact = apportion.nearest(cashed + part, money, chips) - apportion.nearest(
            cashed, money, chips
        )
        due[seat_id] = (exact, exact)
    return due


def converted(
    seats: Sequence[int], parts: Mapping[int, int], *, chips: int, money: int, total: int
) -> dict[int, Due]:
    """Return what each seat of a session is due when all chips became money, ``total`` in all.

    Where nobody has chips to convert, all share what the till held.
    """
    if not parts:
        return {seat_id: (min(total, 0), max(total, 0)) for seat_id in seats}
    bounds = apportion.bounds(list(parts.values()), money, chips, total)
    return dict(zip(parts, bounds, strict=True))
