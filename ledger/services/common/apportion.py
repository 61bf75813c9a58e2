"""Division of indivisible units by the largest remainder, without losing or creating a unit.

Each share is computed exactly and rounded down. The remaining units go one each to the shares with the
largest fractions; of equal fractions the first comes first (at a table: clockwise by seat). A share of zero
gets none, unless all are zero: a player with nothing to convert has been paid. If more units remain than
there are shares, another round follows. If an earlier rounding left a unit too few, the last of the smallest
fractions loses one.
"""

from collections.abc import Mapping, Sequence


def by_largest_remainder(
    parts: Sequence[int], multiplier: int, divisor: int, total: int
) -> list[int]:
    """Return the whole numbers nearest to each ``part × multiplier ÷ divisor`` that sum to ``total``.

    ``total`` is the sum of the exact shares, or a result of rounding it. Raises ``ValueError`` for
    another total than 0 without parts.

    >>> by_largest_remainder([155, -100, -55], 1, 10, 0)
    [16, -10, -6]

    A part of zero changes nothing, even if an earlier rounding gave two units too many:

    >>> by_largest_remainder([0, -10, 0], 1, 10, -2)
    [0, -2, 0]
    """
    if not parts:
        if total:
            raise ValueError(f"{total} can't be divided among nobody")
        return []
    exact, sharing, extra, over = _divided(parts, multiplier, divisor, total)
    order = sorted(sharing, key=lambda place: (-exact[place][1], place))
    more = {place: extra + (rank < over) for rank, place in enumerate(order)}
    return [floor + more.get(place, 0) for place, (floor, _) in enumerate(exact)]


def bounds(
    parts: Sequence[int], multiplier: int, divisor: int, total: int
) -> list[tuple[int, int]]:
    """Return the least and the most of each share ``by_largest_remainder``, for any order of the parts.

    They differ only if fewer units remain than there are equal fractions. ``parts`` is not empty.

    >>> bounds([155, -100, -55], 1, 10, 0), bounds([155, -100, -50, -5], 1, 10, 0)
    ([(15, 16), (-10, -10), (-6, -5)], [(15, 16), (-10, -10), (-5, -5), (-1, 0)])
    """
    exact, sharing, extra, over = _divided(parts, multiplier, divisor, total)
    fractions = sorted((exact[place][1] for place in sharing), reverse=True)
    last_with = fractions[over - 1] if over else divisor  # more than any fraction
    first_without = fractions[over]
    return [
        (floor, floor)
        if place not in sharing
        else (
            floor + extra + (fraction > first_without),
            floor + extra + (fraction >= last_with),
        )
        for place, (floor, fraction) in enumerate(exact)
    ]


def _divided(
    parts: Sequence[int], multiplier: int, divisor: int, total: int
) -> tuple[list[tuple[int, int]], Sequence[int], int, int]:
    """Return the exact shares as floors and fractions, and the distribution of the units left over.

    That is: the places that share them, the units for each, and the remaining units, for the largest
    fractions.
    """
    exact = [divmod(part * multiplier, divisor) for part in parts]
    sharing = [place for place, part in enumerate(parts) if part] or range(len(parts))
    extra, over = divmod(total - sum(floor for floor, _ in exact), len(sharing))
    return exact, sharing, extra, over


def equally(total: int, shares: int) -> list[int]:
    """Divide ``total`` into shares with differences of at most one unit, the larger ones first.

    Raises ``ValueError`` for a total other than 0 without shares.

    >>> equally(11, 4)
    [3, 3, 3, 2]
    """
    return by_largest_remainder([total] * shares, 1, shares, total)


def parts_of_expense(amount: int, payer: int, shares: Mapping[int, int]) -> dict[int, int]:
    """Divide an amount that ``payer`` paid by everybody's shares; return each one's part.

    The units left over go to the largest fractions. Of equal ones the next numbers after the payer's come
    first, then the lowest, and the payer's last: with another payer, others have one unit more.

    >>> parts_of_expense(1000, 2, {1: 1, 2: 1, 3: 1}), parts_of_expense(1000, 3, {1: 1, 2: 1, 3: 1})
    ({3: 334, 1: 333, 2: 333}, {1: 334, 2: 333, 3: 333})
    """
    order = sorted(shares, key=lambda number: (number <= payer, number))
    parts = [shares[number] for number in order]
    divided = by_largest_remainder(parts, amount, sum(parts), amount)
    return dict(zip(order, divided, strict=True))


def moved_by_expense(amount: int, payer: int, shares: Mapping[int, int]) -> dict[int, int]:
    """Return the change of each player's balance by an expense, without zeros; they sum to zero.

    >>> moved_by_expense(1000, 2, {1: 1, 2: 1, 3: 1})
    {3: -334, 1: -333, 2: 667}
    """
    moved = {number: -part for number, part in parts_of_expense(amount, payer, shares).items()}
    moved[payer] = moved.get(payer, 0) + amount
    return {number: change for number, change in moved.items() if change}


def nearest(part: int, multiplier: int, divisor: int) -> int:
    """Return ``part × multiplier ÷ divisor`` rounded to the nearest unit, halves upwards.

    >>> nearest(-25, 1, 10), nearest(25, 1, 10), nearest(24, 1, 10)
    (-2, 3, 2)
    """
    return (2 * part * multiplier + divisor) // (2 * divisor)
