"""The money that cashed-in chips were worth: exact to the unit, except for ties between equal fractions.

Ties went to the player who sat first at the table, and the order of seats at that time is not stored.
"""

from collections.abc import Mapping, Sequence

from ledger.services.common import apportion

Due = tuple[int, int]
"""The least and the most that a seat is due, in minor units of money."""


def cashed_out(
    parts: Mapping[int, int], before: Mapping[int, int], *, chips: int, money: int
) -> dict[int, Due]:
    """Return the money due to each seat for ``parts``, the chips it had won: least and most are the same.

    It is rounded to the nearest unit, together with the chips in ``before`` that the seat cashed in earlier.
    ``chips`` are worth ``money``.
    """
    due = {}
    for seat_id, part in parts.items():
        earlier = before.get(seat_id, 0)
        total = apportion.nearest(earlier + part, money, chips)
        exact = total - apportion.nearest(earlier, money, chips)
        due[seat_id] = (exact, exact)
    return due


def converted(
    seats: Sequence[int], parts: Mapping[int, int], *, chips: int, money: int, total: int
) -> dict[int, Due]:
    """Return each seat's due when all chips of a session became money, ``total`` in all.

    Only seats in ``parts`` are included. If it is empty, ``total`` may have gone to any of ``seats``, so each
    is due something between 0 and all of it.
    """
    if not parts:
        return {seat_id: (min(total, 0), max(total, 0)) for seat_id in seats}
    bounds = apportion.bounds(list(parts.values()), money, chips, total)
    return dict(zip(parts, bounds, strict=True))
