"""Dividing what can't be divided evenly: by the largest remainder, so that no unit is lost or made.

The rule: each share is worked out exactly and rounded down; the units left over go one each to the shares
with the largest fractions, equal fractions in the order given (at a table: clockwise by seat). A share of
nothing gets none of them, unless there are no others: a player with nothing to convert has been paid. Where
more are left than there are shares, the round goes on; where others rounded before and a unit is
short instead, the smallest fraction bears it, the last of equal ones.
"""

from collections.abc import Sequence


def by_largest_remainder(
    parts: Sequence[int], multiplier: int, divisor: int, total: int
) -> list[int]:
    """Return whole numbers that sum to ``total`` and come nearest to each ``part × multiplier ÷ divisor``.

    ``total`` is what the exact shares sum to, or that sum as others have rounded it before.

    >>> by_largest_remainder([155, -100, -55], 1, 10, 0)
    [16, -10, -6]

    Somebody with no part in it bears no unit, though others rounded two too many before:

    >>> by_largest_remainder([0, -10, 0], 1, 10, -2)
    [0, -2, 0]
    """
    if not parts:
        if total:
            raise ValueError(f"{total} can't be divided among nobody")
        return []
    exact, sharing, each, over = _divided(parts, multiplier, divisor, total)
    order = sorted(sharing, key=lambda place: (-exact[place][1], place))
    more = {place: each + (rank < over) for rank, place in enumerate(order)}
    return [floor + more.get(place, 0) for place, (floor, _) in enumerate(exact)]


def bounds(
    parts: Sequence[int], multiplier: int, divisor: int, total: int
) -> list[tuple[int, int]]:
    """Return the least and the most that each may get ``by_largest_remainder``, whoever sits first.

    They differ only where equal fractions vie for fewer units than there are of them.

    >>> bounds([155, -100, -55], 1, 10, 0), bounds([155, -100, -50, -5], 1, 10, 0)
    ([(15, 16), (-10, -10), (-6, -5)], [(15, 16), (-10, -10), (-5, -5), (-1, 0)])
    """
    exact, sharing, each, over = _divided(parts, multiplier, divisor, total)
    fractions = sorted((exact[place][1] for place in sharing), reverse=True)
    last_with = fractions[over - 1] if over else divisor  # a fraction is less than that
    first_without = fractions[over]
    return [
        (floor, floor)
        if place not in sharing
        else (
            floor + each + (fraction > first_without),
            floor + each + (fraction >= last_with),
        )
        for place, (floor, fraction) in enumerate(exact)
    ]


def _divided(
    parts: Sequence[int], multiplier: int, divisor: int, total: int
) -> tuple[list[tuple[int, int]], Sequence[int], int, int]:
    """Return the floors and fractions, the places that share the rest, what each gets, what is over."""
    exact = [divmod(part * multiplier, divisor) for part in parts]
    sharing = [place for place, part in enumerate(parts) if part] or range(len(parts))
    each, over = divmod(total - sum(floor for floor, _ in exact), len(sharing))
    return exact, sharing, each, over


def equally(total: int, among: int) -> list[int]:
    """Divide ``total`` into ``among`` shares as equal as can be; the first ones get the units left over.

    >>> equally(11, 4)
    [3, 3, 3, 2]
    """
    return by_largest_remainder([total] * among, 1, among, total)


def nearest(part: int, multiplier: int, divisor: int) -> int:
    """Return ``part × multiplier ÷ divisor`` to the nearest unit, an exact half upwards.

    >>> nearest(-25, 1, 10), nearest(25, 1, 10), nearest(24, 1, 10)
    (-2, 3, 2)
    """
    return (2 * part * multiplier + divisor) // (2 * divisor)
