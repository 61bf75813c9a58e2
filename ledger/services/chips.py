"""Paying in chips: which pieces a payer hands over, and what has to be changed when they don't fit.

Pieces are counted by denomination. A payment is made with the fewest pieces that add up exactly. Where
none do, in this order: the payer changes one piece with the bank; borrows what is missing from it;
pays as much as chips can pay, and the rest stays to be remembered.
"""

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import gcd

Pieces = Mapping[int, int]
"""How many of each denomination; none of it is left out."""

SMALL_PIECES = 6
"""How many of each but the largest a player is taken to hold: six 5s and six 20s make the first 150."""

_SEARCH = 20_000


@dataclass(frozen=True, slots=True)
class ChipPayment:
    """How ``payer`` gives ``payee`` an amount in chips: ``pieces``, after what is done with the bank.

    The payer ``gives`` the bank pieces for those they ``gets`` (equal in worth), and ``borrows`` more.
    ``rest`` is what no chips can pay. The pieces are worth the amount less the rest.
    """

    payer: str
    payee: str
    amount: int
    pieces: Pieces
    gives: Pieces = field(default_factory=dict)
    gets: Pieces = field(default_factory=dict)
    borrows: Pieces = field(default_factory=dict)
    rest: int = 0


def worth(pieces: Pieces) -> int:
    """Return what pieces are worth together."""
    return sum(value * number for value, number in pieces.items())


def holding(chips: int, denominations: Sequence[int]) -> dict[int, int]:
    """Return the pieces a player with so many chips should be holding, where nobody has counted them.

    From the smallest up six of each, as each starts ("six 5s, six 20s", 002), the rest in the
    largest; what is then missing is made up with the fewest pieces. Of a debt nothing is held.

    >>> holding(150, [5, 20, 30]), holding(275, [5, 20, 30])
    ({5: 6, 20: 6}, {5: 7, 20: 6, 30: 4})
    """
    held: dict[int, int] = {}
    left = _payable(max(chips, 0), denominations)
    values = sorted(denominations)
    for value in values[:-1]:
        held[value] = min(SMALL_PIECES, left // value)
        left -= held[value] * value
    exact = unlimited(left, values)
    while exact is None:
        # The small ones took too much of it: give some back, from the largest of them down.
        back = next(value for value in reversed(values) if held.get(value))
        held[back] -= 1
        left += back
        exact = unlimited(left, values)
    return _sum(held, exact)


def pay(
    payer: str,
    payee: str,
    amount: int,
    held: Pieces,
    denominations: Sequence[int],
    *,
    borrows: bool = True,
) -> ChipPayment:
    """Return how an amount is paid with the pieces held, changing or (unless of a pot) borrowing."""
    exact = bounded(amount, held)
    if exact is not None:
        return ChipPayment(payer, payee, amount, exact)
    payable = _payable(amount, denominations)
    rest = amount - payable
    exact = bounded(payable, held)
    if exact is not None:
        return ChipPayment(payer, payee, amount, exact, rest=rest)
    if worth(held) > payable:
        changed = _change_one(payable, held, denominations)
        if changed is not None:
            pieces, gives, gets = changed
            return ChipPayment(payer, payee, amount, pieces, gives, gets, rest=rest)
    elif borrows:
        lent = unlimited(payable - worth(held), denominations)
        if lent is not None:
            pieces = _sum(held, lent)
            return ChipPayment(payer, payee, amount, pieces, borrows=lent, rest=rest)
    return _as_much_as_fits(payer, payee, amount, held)


def pay_all(
    transfers: Iterable[tuple[str, str, int]],
    held: Mapping[str, Pieces],
    denominations: Sequence[int],
    pots: Container[str] = (),
) -> list[ChipPayment]:
    """Return how several payments are made one after another, each with what is held by then.

    ``pots`` are the payers that nobody lends to: what they are short of was never put in.
    """
    now = {name: dict(pieces) for name, pieces in held.items()}
    made = []
    for payer, payee, amount in transfers:
        paid = pay(payer, payee, amount, now[payer], denominations, borrows=payer not in pots)
        lent = _sum(_sum(now[payer], paid.gets), paid.borrows)
        now[payer] = _less(_less(lent, paid.gives), paid.pieces)
        now[payee] = _sum(now[payee], paid.pieces)
        made.append(paid)
    return made


def unlimited(amount: int, denominations: Sequence[int]) -> dict[int, int] | None:
    """Return the fewest pieces of a bank that has enough of all; None where no pieces add up."""
    return bounded(amount, {value: amount // value for value in denominations})


def _payable(amount: int, denominations: Sequence[int]) -> int:
    """Return the most that these chips can pay of an amount."""
    while unlimited(amount, denominations) is None:
        amount -= 1
    return amount


def bounded(amount: int, held: Pieces) -> dict[int, int] | None:
    """Return the fewest of the pieces held that add up exactly; None where none do.

    Exact up to 20,000 times the pieces' common measure; above, the largest pieces go first down to there.
    """
    if amount == 0:
        return {}
    values = sorted((value for value, number in held.items() if number > 0), reverse=True)
    measure = gcd(*values) if values else 1
    if amount < 0 or amount % measure or amount > worth(held) or not values:
        return None
    first: dict[int, int] = {}
    left = amount
    for value in values:
        over = left - _SEARCH * measure
        if over > 0:
            first[value] = min(held[value], over // value)
            left -= first[value] * value
    found = _search(left, measure, [(value, held[value] - first.get(value, 0)) for value in values])
    return None if found is None else _sum(first, found)


def _search(amount: int, measure: int, stock: list[tuple[int, int]]) -> dict[int, int] | None:
    """Return the fewest pieces of ``stock`` for an amount, by the best for every smaller one.

    Ties go to the largest pieces, which come first in ``stock``.
    """
    size = amount // measure
    none = size * 2 + 1
    best = [0] + [none] * size
    taken: list[list[int]] = []
    for value, number in stock:
        step = value // measure
        take = [0] * (size + 1)
        for start in range(min(step, size + 1)):
            _slide(best, take, start, step, number, size)
        taken.append(take)
    if best[size] >= none:
        return None
    found: dict[int, int] = {}
    for (value, _), take in zip(reversed(stock), reversed(taken), strict=True):
        if take[size]:
            found[value] = take[size]
        size -= take[size] * (value // measure)
    return found


def _slide(best: list[int], take: list[int], start: int, step: int, most: int, size: int) -> None:
    """Better the amounts ``start + k × step`` by up to ``most`` pieces, looking back over a window."""
    old = best[start : size + 1 : step]
    window: list[int] = []  # places in ``old`` whose count less their place grows
    head = 0
    for place, count in enumerate(old):
        while len(window) > head and old[window[-1]] - window[-1] > count - place:
            window.pop()
        window.append(place)
        if window[head] < place - most:
            head += 1
        origin = window[head]
        best[start + place * step] = old[origin] + place - origin
        take[start + place * step] = place - origin


def _change_one(
    amount: int, held: Pieces, denominations: Sequence[int]
) -> tuple[dict[int, int], dict[int, int], dict[int, int]] | None:
    """Return pieces to pay with after changing one piece with the bank, that piece, and its change."""
    measure = gcd(*denominations)
    for value in sorted(value for value, number in held.items() if number > 0):
        without = _less(held, {value: 1})
        for part in range(measure, value, measure):
            coins, back = unlimited(part, denominations), unlimited(value - part, denominations)
            if coins is None or back is None:
                continue
            others = bounded(amount - part, without)
            if others is not None:
                return _sum(others, coins), {value: 1}, _sum(coins, back)
    return None


def _as_much_as_fits(payer: str, payee: str, amount: int, held: Pieces) -> ChipPayment:
    for payable in range(min(amount, worth(held)), 0, -1):
        pieces = bounded(payable, held)
        if pieces is not None:
            return ChipPayment(payer, payee, amount, pieces, rest=amount - payable)
    return ChipPayment(payer, payee, amount, {}, rest=amount)


def _sum(first: Pieces, second: Pieces) -> dict[int, int]:
    both = {value: first.get(value, 0) + second.get(value, 0) for value in {*first, *second}}
    return {value: both[value] for value in sorted(both) if both[value]}


def _less(first: Pieces, second: Pieces) -> dict[int, int]:
    return _sum(first, {value: -number for value, number in second.items()})
