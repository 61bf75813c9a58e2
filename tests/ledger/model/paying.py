"""The payments of hands, game by game, worked out from the rules sheet and from nothing else.

Every way to pay takes the players clockwise, the hand as it was stated and the pots before it.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

Said = Mapping[str, Any]
"""A hand's record, as a scorer sends it."""

Pots = dict[str, int]
Between = Counter[tuple[str, str]]
"""The amounts of payments by (payer, payee)."""

STAKE = 5


class Paid(NamedTuple):
    """The result of a hand: payers and payees, the score from nobody, the pots after it, the outcome."""

    between: Between
    apart: Counter[str]
    pots: Pots
    ended: str

    @property
    def got(self) -> Counter[str]:
        """Return each player's total."""
        got = Counter(self.apart)
        for (payer, payee), amount in self.between.items():
            got[payer] -= amount
            got[payee] += amount
        return got


Pay = Callable[[Sequence[str], Said, Pots], Paid]


def turned(players: Sequence[str], dealer: str) -> list[str]:
    """Return the players clockwise, beginning on one's left."""
    first = players.index(dealer) + 1
    return [*players[first:], *players[:first]]


def _between(bidder: str, others: Iterable[str], amount: int) -> Between:
    """Let each of ``others`` pay the bidder an amount, or be paid it if that is negative."""
    return Counter(
        {(other, bidder) if amount > 0 else (bidder, other): abs(amount) for other in others}
    )


def _ended(amount: int, level: str) -> str:
    return level if not amount else "won" if amount > 0 else "lost"


def _passed(pots: Pots) -> Paid:
    return Paid(Counter(), Counter(), pots, "passed-out")


def gang(players: Sequence[str], said: Said, pots: Pots) -> Paid:
    """Crazy Solo: two a point over or under 60, three in hearts, to the nearest 5, with each of the gang.

    The caller settles with the larger half of it, first from the left; a partner with the others.
    """
    if "points" not in said:
        return _passed(pots)
    contract, over = said["contract"], said["points"] - 60
    caller, partner = contract["bidder"], contract.get("partner")
    a_point = 3 if contract["trump"] == "H" else 2
    amount = (abs(over) * a_point + 2) // 5 * 5 * (1 if over > 0 else -1)
    others = [each for each in turned(players, caller) if each not in (caller, partner)]
    callers = len(others) if partner is None else (len(others) + 1) // 2
    paid = _between(caller, others[:callers], amount)
    if partner is not None:
        paid.update(_between(partner, others[callers:], amount))
    return Paid(paid, Counter(), pots, _ended(amount, "tied"))


def three(rates: Mapping[str, int], idle: bool, level: str = "won") -> Pay:
    """A rate per point, won from the two other active players; lost to them or, ``idle``, to everybody.

    ``level`` is the outcome of 60, when nothing moves.
    """

    def pay(players: Sequence[str], said: Said, pots: Pots) -> Paid:
        if "points" not in said:
            return _passed(pots)
        contract, over = said["contract"], said["points"] - 60
        paying = players if over < 0 and idle else turned(players, said["dealer"])[:3]
        others = [each for each in paying if each != contract["bidder"]]
        paid = _between(contract["bidder"], others, over * rates[contract["bid"]])
        return Paid(paid, Counter(), pots, _ended(over, level))

    return pay


PROGRESSIVE = {"frog": 1, "spade-solo": 2, "club-solo": 3, "diamond-solo": 4, "heart-solo": 5}


def doubling(idle: bool) -> Pay:
    """Each opponent settles apart: once, doubled twice, redoubled four times; an idle seat once."""

    def pay(players: Sequence[str], said: Said, pots: Pots) -> Paid:
        paid = three(PROGRESSIVE, idle)(players, said, pots)
        for pair in paid.between:
            for name in pair:
                if name in said["contract"].get("doubled", ()):
                    paid.between[pair] *= 4 if name in said["contract"].get("redoubled", ()) else 2
        return paid

    return pay


def for_pots(factor: int, match: bool, idle: bool) -> Pay:
    """Everybody antes to both pots; 60 and more takes the contract's, less leaves or matches it."""

    def pay(players: Sequence[str], said: Said, pots: Pots) -> Paid:
        paid = doubling(idle)(players, said, pots)
        holding = {
            name: chips + STAKE * len(players) * (factor if name == "solo" else 1)
            for name, chips in pots.items()
        }
        apart = Counter(dict.fromkeys(players, -STAKE * (1 + factor)))
        if "points" in said:
            pot = "frog" if said["contract"]["bid"] == "frog" else "solo"
            won = said["points"] >= 60
            if won or match:
                apart[said["contract"]["bidder"]] += holding[pot] if won else -holding[pot]
                holding[pot] = 0 if won else 2 * holding[pot]
        return Paid(paid.between, apart, holding, paid.ended)

    return pay


def six(_: Sequence[str], said: Said, pots: Pots) -> Paid:
    """German Solo after Altenburg: a solo made with 5 of 8 tricks or not is a score of 6; nobody pays."""
    made = said["tricks_won"] >= 5
    score = Counter({said["contract"]["bidder"]: 6 if made else -6})
    return Paid(Counter(), score, pots, "won" if made else "lost")
