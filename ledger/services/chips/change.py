"""Paying in chips: the pieces a payer hands over, and the change needed first.

A payment uses the fewest pieces that add up exactly. If none do, the payer changes one piece with the bank,
or borrows the missing chips from it, or pays as much as chips can pay, and the rest is to be remembered.
``ledger.services.chips.subset_sum`` bounds the search.
"""

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import gcd
from typing import Annotated

from ledger.services.chips.subset_sum import (
    WINDOW,
    Pieces,
    combined,
    complement,
    fewest,
    largest_sum,
    lowest,
    prepaid,
    remainders,
    scaled,
    supply,
    unlimited,
    without,
    worth,
)

SMALL_PIECES = 6
"""The assumed number of pieces of each value but the largest: six 5s and six 20s make the first 150."""


@dataclass(frozen=True, slots=True)
class ChipPayment:
    """A payment in pieces, after changing or borrowing some with the bank.

    The pieces are worth the amount less the rest.
    """

    payer: str
    payee: str
    amount: int
    pieces: Annotated[Pieces, "The pieces handed over, by value."]
    gives: Annotated[Pieces, "The pieces the payer first changes with the bank."] = field(
        default_factory=dict
    )
    gets: Annotated[Pieces, "The pieces the bank gives in exchange."] = field(default_factory=dict)
    borrows: Annotated[Pieces, "The pieces the payer borrows from the bank."] = field(
        default_factory=dict
    )
    rest: Annotated[int, "The amount that no chips can pay, to be remembered."] = 0


def holding(chips: int, denominations: Sequence[int]) -> dict[int, int]:
    """Return the pieces, by value, that a player with this number of uncounted chips is assumed to have.

    These are six of each value from the smallest up, as at the start of a game, and the rest in the largest,
    completed with the fewest pieces. Chips that no pieces can make are left out. For a debt the mapping is
    empty.

    >>> holding(150, [5, 20, 30]), holding(275, [5, 20, 30])
    ({5: 6, 20: 6}, {5: 7, 20: 6, 30: 4})
    """
    unit = gcd(*denominations)
    values = sorted(value // unit for value in denominations)
    amount = max(chips, 0) // unit
    left = largest_sum(amount, supply(amount, values))
    purse: dict[int, int] = {}
    for value in values[:-1]:
        purse[value] = min(SMALL_PIECES, left // value)
        left -= purse[value] * value
    while largest_sum(left, supply(left, values)) != left:
        # The small pieces leave a sum that can't be made: remove some, from the largest of them down.
        removed = next(value for value in reversed(values) if purse.get(value))
        purse[removed] -= 1
        left += removed
    return scaled(combined(purse, unlimited(left, values) or {}), unit)


def pay(
    payer: str,
    payee: str,
    amount: int,
    purse: Pieces,
    denominations: Sequence[int],
    *,
    borrows: bool = True,
) -> ChipPayment:
    """Return the payment of an amount with the payer's fewest pieces, after changing one if needed.

    With ``borrows`` the bank lends missing chips; a pot does not borrow. If no pieces make the amount, the
    payment's ``rest`` stays unpaid.

    >>> pay("Ann", "Bob", 25, {5: 1, 20: 2}, [5, 20]).pieces
    {5: 1, 20: 1}
    >>> payment = pay("Ann", "Bob", 10, {20: 1}, [5, 20])
    >>> payment.gives, payment.gets, payment.pieces
    ({20: 1}, {5: 4}, {5: 2})
    """
    stock = {value: number for value, number in purse.items() if number > 0}
    unit = gcd(*stock, *denominations)
    parts = _pay(
        amount // unit,
        {value // unit: number for value, number in stock.items()},
        [value // unit for value in denominations],
        borrows=borrows,
    )
    pieces, gives, gets, lent = (scaled(part, unit) for part in parts)
    return ChipPayment(payer, payee, amount, pieces, gives, gets, lent, rest=amount - worth(pieces))


def pay_all(
    transfers: Iterable[tuple[str, str, int]],
    purse: Mapping[str, Pieces],
    denominations: Sequence[int],
    pots: Container[str] = (),
) -> list[ChipPayment]:
    """Return the payments of (payer, payee, amount) in order, each with the pieces left by those before.

    ``purse`` maps every payer and payee to their pieces at first. ``pots`` are payers that the bank does not
    lend to: missing chips were never put into them.
    """
    now = {name: dict(pieces) for name, pieces in purse.items()}
    payments = []
    for payer, payee, amount in transfers:
        paid = pay(payer, payee, amount, now[payer], denominations, borrows=payer not in pots)
        lent = combined(combined(now[payer], paid.gets), paid.borrows)
        now[payer] = without(without(lent, paid.gives), paid.pieces)
        now[payee] = combined(now[payee], paid.pieces)
        payments.append(paid)
    return payments


_Parts = tuple[Pieces, Pieces, Pieces, Pieces]
"""The pieces paid, and those given to the bank, got for them and borrowed before."""


def _pay(amount: int, purse: Pieces, denominations: Sequence[int], *, borrows: bool) -> _Parts:
    exact = fewest(amount, purse)
    if exact is not None:
        return exact, {}, {}, {}
    payable = largest_sum(amount, supply(amount, denominations))
    exact = fewest(payable, purse)
    if exact is not None:
        return exact, {}, {}, {}
    if worth(purse) > payable:
        changed = _change_one(payable, purse, denominations)
        if changed is not None:
            return *changed, {}
    elif borrows:
        lent = unlimited(payable - worth(purse), denominations)
        if lent is not None:
            return combined(purse, lent), {}, {}, lent
    return fewest(largest_sum(amount, purse), purse) or {}, {}, {}, {}


def _change_one(
    amount: int, purse: Pieces, denominations: Sequence[int]
) -> tuple[Pieces, Pieces, Pieces] | None:
    """Return the pieces paid after changing one piece with the bank, that piece, and its change.

    None if no piece is suitable. The purse must not be able to pay the amount exactly, so that a part of the
    change pays, and not all of it. The smallest suitable piece is changed, and as little of its change as
    possible pays: the ``part``. Other coins of the change stay with the payer, and the rest is paid with the
    other pieces. All parts are searched at once, as three sets of amounts.
    """
    first, left = prepaid(amount, purse)
    stock = without(purse, first)
    # If the rest is too large to search, the larger coins of the change pay for it.
    coins, left = prepaid(left, supply(left, denominations))
    if left > WINDOW:
        return None
    payable = complement(remainders(supply(left, denominations), 1 << left))
    for value in sorted(stock):
        others = without(stock, {value: 1})
        other = value - worth(coins)
        below = [smaller for smaller in denominations if smaller < value]
        back, other = prepaid(other, supply(other, below))
        if other > WINDOW:
            continue
        paying_back = remainders(supply(other, denominations), 1 << other)
        parts = remainders(others, 1 << left) & payable & paying_back
        if parts:
            part = lowest(parts)
            paid = fewest(left - part, others) or {}
            coins = combined(coins, unlimited(part, denominations) or {})
            back = combined(back, unlimited(other - part, denominations) or {})
            return combined(combined(first, paid), coins), {value: 1}, combined(coins, back)
    return None
