"""Sums of chips: the amounts that pieces can make, and the fewest pieces for an amount.

The search is limited to ``WINDOW`` times the greatest common divisor of the pieces; a larger amount is first
reduced with the largest pieces. Within the window the result is exact, with the fewest pieces.
"""

from collections.abc import Iterable, Iterator, Mapping
from math import gcd

Pieces = Mapping[int, int]
"""The number of pieces of each value, without values that have none."""

WINDOW = 1 << 11
NEVER = 1 << 30


def worth(pieces: Pieces) -> int:
    """Return the sum of the pieces' values.

    >>> worth({5: 3, 20: 1})
    35
    """
    return sum(value * number for value, number in pieces.items())


def combined(first: Pieces, second: Pieces) -> dict[int, int]:
    """Return the pieces of two heaps together, the smallest value first, without values of 0 pieces."""
    joined = {value: first.get(value, 0) + second.get(value, 0) for value in {*first, *second}}
    return {value: joined[value] for value in sorted(joined) if joined[value]}


def without(first: Pieces, second: Pieces) -> dict[int, int]:
    """Return the first heap less the second.

    A number is negative if the first heap has too few of a value.
    """
    return combined(first, {value: -number for value, number in second.items()})


def scaled(pieces: Pieces, unit: int) -> dict[int, int]:
    """Return the same numbers of pieces, with each value multiplied by ``unit``."""
    return {value * unit: number for value, number in pieces.items()}


def supply(amount: int, denominations: Iterable[int]) -> dict[int, int]:
    """Return for each value the most pieces that fit into an amount, as a bank has them.

    >>> supply(50, [5, 20, 30])
    {5: 10, 20: 2, 30: 1}
    """
    return {value: amount // value for value in denominations}


def unlimited(amount: int, denominations: Iterable[int]) -> dict[int, int] | None:
    """Return the fewest pieces that add up to an amount exactly, of any number of each value, or None.

    >>> unlimited(60, [5, 20, 30]), unlimited(7, [5, 20, 30])
    ({30: 2}, None)
    """
    return fewest(amount, supply(amount, denominations))


def fewest(amount: int, stock: Pieces) -> dict[int, int] | None:
    """Return the fewest pieces of a stock that add up to an amount exactly, preferring large ones.

    None if no pieces do, for a negative amount, and if the search would exceed ``WINDOW``.

    >>> fewest(60, {5: 6, 20: 3, 30: 1}), fewest(60, {20: 2})
    ({20: 3}, None)
    """
    if amount == 0:
        return {}
    usable = {value: number for value, number in stock.items() if value <= amount}
    unit = gcd(*usable)
    if amount < 0 or not usable or amount % unit or amount > worth(usable):
        return None
    usable = {value // unit: number for value, number in usable.items()}
    first, left = prepaid(amount // unit, usable)
    if left > WINDOW:
        return None
    rest = _fewest(left, without(usable, first))
    return None if rest is None else scaled(combined(first, rest), unit)


def counts(top: int, stock: Pieces) -> list[list[int]]:
    """Return lists with the fewest pieces for each amount up to ``top``.

    The first list uses no pieces, and each further one also those of the next larger value. A number of at
    least ``NEVER`` means that no pieces make the amount.
    """
    needs = [[0] + [NEVER] * top]
    for value, number in sorted(stock.items()):
        best = needs[-1]
        for lot in lots(min(number, top // value)):
            paid = lot * value
            best = [*best[:paid], *map(min, best[paid:], map(lot.__add__, best))]
        needs.append(best)
    return needs


def _fewest(amount: int, stock: Pieces) -> dict[int, int] | None:
    """Return the fewest pieces that add up to an amount exactly, preferring the largest values, or None."""
    needs = counts(amount, stock)
    if needs[-1][amount] >= NEVER:
        return None
    pieces: dict[int, int] = {}
    for value, number in sorted(stock.items(), reverse=True):
        target, smaller = needs.pop()[amount], needs[-1]
        candidates = range(min(number, amount // value), -1, -1)
        pieces[value] = next(n for n in candidates if smaller[amount - n * value] + n == target)
        amount -= pieces[value] * value
    return combined(pieces, {})


def largest_sum(amount: int, stock: Pieces) -> int:
    """Return the largest amount, not above ``amount``, that some of the pieces make exactly.

    0 without pieces.

    >>> largest_sum(50, {20: 3})
    40
    """
    first, left = prepaid(amount, stock)
    if left > WINDOW:
        return amount - left
    return amount - lowest(remainders(without(stock, first), 1 << left))


def prepaid(amount: int, stock: Pieces) -> tuple[dict[int, int], int]:
    """Return the large pieces that reduce an amount until at most ``WINDOW`` is left, and the amount left.

    It is larger than the window if the pieces do not suffice. Of an amount within the window no pieces are
    taken.
    """
    pieces: dict[int, int] = {}
    left = amount
    for value in sorted(stock, reverse=True):
        if left > WINDOW:
            number = min(stock[value], left // value, -((WINDOW - left) // value))
            pieces[value] = number
            left -= number * value
    return combined(pieces, {}), left


def lots(number: int) -> Iterator[int]:
    """Split a number into lots of 1, 2, 4 … and a rest; some of them sum to any number up to it.

    >>> list(lots(10)), list(lots(7))
    ([1, 2, 4, 3], [1, 2, 4])
    """
    lot = 1
    while number > 0:
        yield min(lot, number)
        number -= lot
        lot *= 2


def remainders(stock: Pieces, left: int) -> int:
    """Return the amounts that can be left of those in ``left`` after paying some, or none, of the pieces.

    A set of amounts is the bits of one integer, so that a lot is subtracted from all of them by one shift.

    >>> f"{remainders({2: 1}, 0b1000):b}"  # of 3, paying nothing leaves 3, and a 2 leaves 1
    '1010'
    """
    for value, number in stock.items():
        for lot in lots(min(number, left.bit_length() // value)):
            left |= left >> lot * value
    return left


def lowest(bits: int) -> int:
    """Return the smallest amount in a non-empty set of amounts, given as bits.

    >>> lowest(0b1010)
    1
    """
    return (bits & -bits).bit_length() - 1


def complement(bits: int) -> int:
    """Return the set, given as bits, with each amount replaced by its difference to the largest one.

    >>> f"{complement(0b1011):b}"  # 0, 1 and 3 become 3, 2 and 0
    '1101'
    """
    return int(f"{bits:b}"[::-1], 2)
