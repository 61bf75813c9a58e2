"""Pieces counted by what each is worth: the sums they make, and the fewest that make one.

A set of sums is kept as the bits of one number, so that a kind of piece is taken off all of them at
once. Nothing is searched above ``WINDOW`` times what the pieces have in common (their greatest common
divisor): what an amount has above that is made up with the largest pieces first. Below it a sum that
can be made is always found, with the fewest pieces as far as ``TRIES`` tries show it; with usual chips
they do.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import gcd

Pieces = Mapping[int, int]
"""How many of each denomination; none of it is left out."""

Kind = tuple[int, int]
"""What a piece is worth, and how many of it there are."""

WINDOW = 1 << 16
TRIES = 500


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
    found = _search(left, sorted(less(held, first).items(), reverse=True))
    return None if found is None else times(both(first, found), unit)


def most(amount: int, stock: Pieces) -> int:
    """Return the largest sum up to an amount that pieces make."""
    first, left = ahead(amount, stock)
    if left > WINDOW:
        return amount - left
    return amount - lowest(rests(less(stock, first).items(), 1 << left))


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


def rests(kinds: Iterable[Kind], left: int) -> int:
    """Return what can be left, as bits, of the amounts in ``left`` when some of the pieces are paid.

    So many of a kind are paid as one, two, four … of them: the steps are few however many there are.
    """
    for value, number in kinds:
        unpaid = min(number, left.bit_length() // value)
        at_once = 1
        while unpaid > 0:
            some = min(at_once, unpaid)
            left |= left >> some * value
            unpaid -= some
            at_once *= 2
    return left


def lowest(bits: int) -> int:
    """Return the smallest amount in a set that is not empty."""
    return (bits & -bits).bit_length() - 1


def turned(bits: int, top: int) -> int:
    """Return the set with each amount taken from ``top``: what is left turned into what is paid."""
    return int(format(bits, f"0{top + 1}b")[::-1], 2)


def each_without_one(kinds: Sequence[Kind], left: int) -> Iterator[tuple[int, int]]:
    """Return for each kind what can be left when one piece of it is kept back, in their order.

    Halved again and again, so that no half is paid anew for each kind of the other.
    """
    if len(kinds) == 1:
        ((value, number),) = kinds
        yield value, rests([(value, number - 1)], left)
    elif kinds:
        half = len(kinds) // 2
        yield from each_without_one(kinds[:half], rests(kinds[half:], left))
        yield from each_without_one(kinds[half:], rests(kinds[:half], left))


def _search(amount: int, kinds: Sequence[Kind]) -> dict[int, int] | None:
    """Return the fewest pieces for an amount in the window; ``kinds`` are the largest first."""
    left = [1 << amount]
    for kind in reversed(kinds):
        left.append(rests([kind], left[-1]))
    if not left[-1] & 1:
        return None
    size = amount // 8 + 1
    search = _Search(amount, kinds, [bits.to_bytes(size, "little") for bits in reversed(left)])
    search.go(0, amount, 0)
    return {kinds[place][0]: number for place, number in enumerate(search.best) if number}


class _Search:
    """A search that takes the most of the largest first, and then fewer while that can be better.

    ``makes`` tells for each kind what it and the smaller ones can leave of the amount: no way is begun that
    does not end, so the first payment is found at once. Better ones are sought for ``TRIES`` tries.
    """

    def __init__(self, amount: int, kinds: Sequence[Kind], makes: Sequence[bytes]) -> None:
        self.amount = amount
        self.kinds = kinds
        self.makes = makes
        self.tries = 0
        self.taken = [0] * len(kinds)
        self.best: list[int] = []
        self.fewest: int | None = None

    def go(self, place: int, left: int, used: int) -> None:
        """Pay what is left with the kinds from ``place`` on."""
        if left == 0:
            self.best, self.fewest = self.taken[:place], used
            return
        value, number = self.kinds[place]
        smaller = self.makes[place + 1]
        for take in range(min(number, left // value), -1, -1):
            rest = left - take * value
            needs = self._at_least(place + 1, rest)
            # With fewer of this kind the smaller ones have more to pay, and need no fewer pieces.
            if needs is None or (self.fewest is not None and used + take + needs >= self.fewest):
                break
            self.tries += 1
            if self.fewest is not None and self.tries > TRIES:
                break
            gone = self.amount - rest
            if smaller[gone >> 3] >> (gone & 7) & 1:
                self.taken[place] = take
                self.go(place + 1, rest, used + take)

    def _at_least(self, place: int, left: int) -> int | None:
        """Return how many pieces are needed even if the last could be cut; None where all are too few."""
        needs = 0
        for value, number in self.kinds[place:]:
            if left <= value * number:
                return needs - (-left // value)
            needs += number
            left -= value * number
        return needs if left == 0 else None
