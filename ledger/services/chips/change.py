"""Paying in chips: which pieces a payer hands over, and what has to be changed when they don't fit.

Pieces are counted by denomination. A payment is made with the fewest pieces that add up exactly. Where
none do, in this order: the payer changes one piece with the bank; borrows what is missing from it;
pays as much as chips can pay, and the rest stays to be remembered. How far each is searched, so that no
chips can keep a table waiting, ``ledger.services.chips.subset_sum`` says.
"""

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import gcd
from typing import Annotated

from ledger.services.chips.subset_sum import (
    WINDOW,
    Pieces,
    ahead,
    both,
    fewest,
    less,
    lowest,
    most,
    plenty,
    rests,
    times,
    turned,
    unlimited,
    worth,
)

SMALL_PIECES = 6
"""How many of each but the largest a player is taken to hold: six 5s and six 20s make the first 150."""


@dataclass(frozen=True, slots=True)
class ChipPayment:
    """How ``payer`` gives ``payee`` an amount in chips: ``pieces``, after what is done with the bank.

    What is changed is equal in worth. The pieces are worth the amount less the rest.
    """

    payer: str
    payee: str
    amount: int
    pieces: Annotated[Pieces, "The pieces handed over, by value."]
    gives: Annotated[Pieces, "What the payer changes with the bank first."] = field(
        default_factory=dict
    )
    gets: Annotated[Pieces, "What the bank gives for it."] = field(default_factory=dict)
    borrows: Annotated[Pieces, "What the payer borrows from the bank."] = field(
        default_factory=dict
    )
    rest: Annotated[int, "What no chips can pay, to be remembered."] = 0


def holding(chips: int, denominations: Sequence[int]) -> dict[int, int]:
    """Return the pieces a player with so many chips should be holding, where nobody has counted them.

    From the smallest up six of each, as each starts ("six 5s, six 20s", 002), the rest in the
    largest; what is then missing is made up with the fewest pieces. Of a debt nothing is held.

    >>> holding(150, [5, 20, 30]), holding(275, [5, 20, 30])
    ({5: 6, 20: 6}, {5: 7, 20: 6, 30: 4})
    """
    unit = gcd(*denominations)
    values = sorted(value // unit for value in denominations)
    amount = max(chips, 0) // unit
    left = most(amount, plenty(amount, values))
    held: dict[int, int] = {}
    for value in values[:-1]:
        held[value] = min(SMALL_PIECES, left // value)
        left -= held[value] * value
    while most(left, plenty(left, values)) != left:
        # The small ones took too much of it: give some back, from the largest of them down.
        back = next(value for value in reversed(values) if held.get(value))
        held[back] -= 1
        left += back
    return times(both(held, unlimited(left, values) or {}), unit)


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
    stock = {value: number for value, number in held.items() if number > 0}
    unit = gcd(*stock, *denominations)
    made = _pay(
        amount // unit,
        {value // unit: number for value, number in stock.items()},
        [value // unit for value in denominations],
        borrows=borrows,
    )
    pieces, gives, gets, lent = (times(each, unit) for each in made)
    return ChipPayment(payer, payee, amount, pieces, gives, gets, lent, rest=amount - worth(pieces))


def pay_all(
    transfers: Iterable[tuple[str, str, int]],
    held: Mapping[str, Pieces],
    denominations: Sequence[int],
    pots: Container[str] = (),
) -> list[ChipPayment]:
    """Return how several payments are made one after another, each with what is then held.

    ``pots`` are the payers that nobody lends to: what they are short of was never put in.
    """
    now = {name: dict(pieces) for name, pieces in held.items()}
    made = []
    for payer, payee, amount in transfers:
        paid = pay(payer, payee, amount, now[payer], denominations, borrows=payer not in pots)
        lent = both(both(now[payer], paid.gets), paid.borrows)
        now[payer] = less(less(lent, paid.gives), paid.pieces)
        now[payee] = both(now[payee], paid.pieces)
        made.append(paid)
    return made


Made = tuple[Pieces, Pieces, Pieces, Pieces]
"""The pieces paid, and before it given to the bank, got for them, and borrowed."""


def _pay(amount: int, held: Pieces, denominations: Sequence[int], *, borrows: bool) -> Made:
    exact = fewest(amount, held)
    if exact is not None:
        return exact, {}, {}, {}
    payable = most(amount, plenty(amount, denominations))
    exact = fewest(payable, held)
    if exact is not None:
        return exact, {}, {}, {}
    if worth(held) > payable:
        changed = _change_one(payable, held, denominations)
        if changed is not None:
            return *changed, {}
    elif borrows:
        lent = unlimited(payable - worth(held), denominations)
        if lent is not None:
            return both(held, lent), {}, {}, lent
    return fewest(most(amount, held), held) or {}, {}, {}, {}


def _change_one(
    amount: int, held: Pieces, denominations: Sequence[int]
) -> tuple[Pieces, Pieces, Pieces] | None:
    """Return pieces to pay with after changing one piece with the bank, that piece, and its change.

    The smallest piece that will do is changed, so that the smallest part of it will do. The ``part`` is what
    the change brings to the payment: its own coins pay it, others what is back, and the rest is paid with
    the other pieces held. All parts are looked at together, as three sets of amounts.
    """
    first, left = ahead(amount, held)
    stock = less(held, first)
    # Where even that is too much to search, the larger coins of the change pay for it.
    coins, left = ahead(left, plenty(left, denominations))
    if left > WINDOW or not stock:
        return None
    payable = turned(rests(plenty(left, denominations), 1 << left), left)
    for value in sorted(stock):
        others = less(stock, {value: 1})
        other = value - worth(coins)
        below = [each for each in denominations if each < value]
        back, other = ahead(other, plenty(max(other, 0), below))
        if not 0 <= other <= WINDOW:
            continue
        paying_back = rests(plenty(other, denominations), 1 << other)
        parts = rests(others, 1 << left) & payable & paying_back
        if not coins:
            parts &= ~1  # changed for nothing
        if not back:
            parts &= ~(1 << other)  # changed, and all of it paid
        if parts:
            part = lowest(parts)
            paid = fewest(left - part, others) or {}
            coins = both(coins, unlimited(part, denominations) or {})
            back = both(back, unlimited(other - part, denominations) or {})
            return both(both(first, paid), coins), {value: 1}, both(coins, back)
    return None
