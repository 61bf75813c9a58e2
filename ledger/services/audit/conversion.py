"""The money that cashed-in chips were worth: exact to the unit, except for ties between equal fractions.

Ties went to the player who sat first at the table, and the order of seats at that time is not stored.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from ledger.services.common import apportion

Due = tuple[int, int]
"""The least and the most that a seat is due, in minor units of money."""


class Converted(NamedTuple):
    """A conversion of a session: the rate, the chips by seat, and the ``total`` from the till."""

    rate: Mapping[str, int]
    parts: Mapping[int, int]
    total: int


def changed(seats: Sequence[int], own: Converted, earlier: Iterable[Converted]) -> dict[int, Due]:
    """Return the least and the most due to each seat when a hand of a cashed-in session changed.

    It is the money for all chips cashed in at this rate, less the money for those of the ``earlier``
    conversions.
    """
    parts, total = Counter[int](), 0
    for other in earlier:
        if other.rate == own.rate:
            parts.update(other.parts)
            total += other.total
    before = converted(seats, _nonzero(parts), **own.rate, total=total)
    parts.update(own.parts)
    after = converted(seats, _nonzero(parts), **own.rate, total=total + own.total)
    due = {}
    for seat_id in before.keys() | after.keys():
        (least, most), (low, high) = before.get(seat_id, (0, 0)), after.get(seat_id, (0, 0))
        due[seat_id] = low - most, high - least
    return due


def _nonzero(parts: Mapping[int, int]) -> dict[int, int]:
    return {seat_id: part for seat_id, part in parts.items() if part}


def cashed_out(
    parts: Mapping[int, int], before: Mapping[int, int], *, chips: int, money: int
) -> dict[int, Due]:
    """Return the money due to each seat for the chips in ``parts``, exactly: least and most are the same.

    It is the worth, to the nearest unit, of all chips that the seat has cashed in, less the worth of those
    ``before``. ``chips`` are worth ``money``.
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
    """Return the least and the most due to each seat when a session's chips became money, ``total`` in all.

    ``parts`` are the chips each seat converted; other seats are left out. If it is empty, ``total`` may have
    gone to any of ``seats``, so each is due something between 0 and all of it.
    """
    if not parts:
        return {seat_id: (min(total, 0), max(total, 0)) for seat_id in seats}
    bounds = apportion.bounds(list(parts.values()), money, chips, total)
    return dict(zip(parts, bounds, strict=True))
