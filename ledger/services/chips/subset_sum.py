"""Pieces counted by what each is worth: the sums they make, and the fewest that make one.

Nothing is searched above ``WINDOW`` times what the pieces have in common (their greatest common
divisor): what an amount has above that is made up with the largest pieces first. Below it a sum that
can be made is always found, with the fewest pieces.
"""

from collections.abc import Iterable, Iterator, Mapping
from math import gcd

Pieces = Mapping[int, int]
"""How many of each denomination; none of it is left out."""

WINDOW = 1 << 11
NEVER = 1 << 30


def worth(pieces: Pieces) -> int:
    """Return what pieces are worth together."""
    return sum(value * number for value, number in pieces.items())


def both(first: Pieces, second: Pieces) -> dict[int, int]:
    """Return two heaps as one, the smallest pieces first; a kind of which none is there is left out."""
    joined = {value: first.get(value, 0) + second.get(value, 0) for value in {*first, *second}}
    return {value: joined[value] for value in sorted(joined) if joined[value]}


def less(first: Pieces, second: Pieces) -> dict[int, int]:
    """Return the first heap without the pieces of the second."""
    return both(first, {value: -number for value, number in second.items()})


def times(pieces: Pieces, unit: int) -> dict[int, int]:
    """Return pieces of which each is worth ``unit`` times as much."""
    return {value * unit: number for value, number in pieces.items()}


def plenty(amount: int, denominations: Iterable[int]) -> dict[int, int]:
    """Return the pieces of a bank that has enough of all to pay an amount."""
    return {value: amount // value for value in denominations}


def unlimited(amount: int, denominations: Iterable[int]) -> dict[int, int] | None:
    """Return the fewest pieces of a bank that has enough of all; None where no pieces add up."""
    return fewest(amount, plenty(amount, denominations))


def fewest(amount: int, stock: Pieces) -> dict[int, int] | None:
    """Return the fewest pieces that add up exactly, of equally few the largest; None where none do."""
    if amount == 0:
        return {}
    held = {value: number for value, number in stock.items() if number > 0 and value <= amount}
    unit = gcd(*held)
    if amount < 0 or not held or amount % unit or amount > worth(held):
        return None
    held = {value // unit: number for value, number in held.items()}
    first, left = ahead(amount // unit, held)
    if left > WINDOW:
        return None
    found = _fewest(left, less(held, first))
    return None if found is None else times(both(first, found), unit)


def counts(top: int, stock: Pieces) -> list[list[int]]:
    """Count the pieces that each amount up to ``top`` needs: of none, of the smallest kind, the next, too.

    What no pieces make needs ``NEVER`` or more.
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
    """List the pieces, from the largest kind down, that the count of an amount is made of."""
    needs = counts(amount, stock)
    if needs[-1][amount] >= NEVER:
        return None
    taken: dict[int, int] = {}
    for value, number in sorted(stock.items(), reverse=True):
        fewest_of_all, smaller = needs.pop()[amount], needs[-1]
        takes = range(min(number, amount // value), -1, -1)
        taken[value] = next(
            take for take in takes if smaller[amount - take * value] + take == fewest_of_all
        )
        amount -= taken[value] * value
    return both(taken, {})


def most(amount: int, stock: Pieces) -> int:
    """Return the largest sum up to an amount that pieces make."""
    first, left = ahead(amount, stock)
    if left > WINDOW:
        return amount - left
    return amount - lowest(rests(less(stock, first), 1 << left))


def ahead(amount: int, stock: Pieces) -> tuple[dict[int, int], int]:
    """Return the largest pieces to pay of an amount before it is searched, and what is left to search."""
    taken: dict[int, int] = {}
    left = amount
    for value in sorted(stock, reverse=True):
        if left > WINDOW:
            number = min(stock[value], left // value, -((WINDOW - left) // value))
            taken[value] = number
            left -= number * value
    return both(taken, {}), left


def lots(number: int) -> Iterator[int]:
    """Split so many of a kind into lots of one, two, four …: some of these lots are any number up to it.

    >>> list(lots(10))
    [1, 2, 4, 3]
    """
    lot = 1
    while number > 0:
        yield min(lot, number)
        number -= lot
        lot *= 2


def rests(stock: Pieces, left: int) -> int:
    """Return what can be left of the amounts in ``left`` when some of the pieces are paid.

    A set of amounts is kept as the bits of one number, so that a lot is taken off all of them at once.
    """
    for value, number in stock.items():
        for lot in lots(min(number, left.bit_length() // value)):
            left |= left >> lot * value
    return left


def lowest(bits: int) -> int:
    """Return the smallest amount in a set that is not empty."""
    return (bits & -bits).bit_length() - 1


def turned(bits: int, top: int) -> int:
    """Return the set with each amount taken from ``top``: what is left turned into what is paid."""
    return int(format(bits, f"0{top + 1}b")[::-1], 2)
