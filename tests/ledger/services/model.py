"""A plain model of the books: what each hand pays, in dictionaries, by arithmetic of its own."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from hypothesis import strategies as st

from ledger.access import Access
from ledger.services.once import Answer
from tests.ledger import table

Hand = Mapping[str, Any]


class Drawn(NamedTuple):
    """What chance says of a hand: who bids, how it is counted, or that all pass."""

    bidder: int
    points: int
    passed: bool


DRAWN = st.builds(
    Drawn,
    st.integers(0, 5),
    st.integers(0, 120).filter(lambda points: points not in (1, 119)),
    st.sampled_from([False] * 5 + [True]),
)


@dataclass
class Table:
    """The model of a session: who sits there, and what each hand that stands pays."""

    access: Access
    id: int
    game: str
    players: tuple[str, ...]
    paid: dict[int, dict[str, int]] = field(default_factory=dict)
    void: set[int] = field(default_factory=set)
    said: dict[int, Hand] = field(default_factory=dict)
    open: bool = True
    revision: int = 1

    @property
    def balances(self) -> dict[str, int]:
        """What each has: the sum over the hands that stand."""
        standing = [paid for number, paid in self.paid.items() if number not in self.void]
        return {name: sum(paid[name] for paid in standing) for name in self.players}


class Written(NamedTuple):
    """A write that was answered: whose, how to send it again under its key, and the answer."""

    access: Access
    act: Callable[[str], Answer]
    answer: Answer


def a_hand(at: Table, drawn: Drawn) -> tuple[Hand, dict[str, int]]:
    """Return a hand and what it pays by arithmetic of its own: alone in clubs, or solo in clubs.

    Crazy Solo: two a point over or under 60, to the nearest 5, with each of the others. Six-Bid after
    hoyle: one a point, won from the two other active players, lost to all; the dealer is given.
    """
    nobody = dict.fromkeys(at.players, 0)
    if drawn.passed:
        return table.ALL_PASS, nobody
    dealer = at.players[0]
    who = at.players[1 + drawn.bidder % (len(at.players) - 1)]
    over = drawn.points - 60
    if at.game == "crazy-solo":
        bid, others = "go-alone", [name for name in at.players if name != who]
        amount = (abs(over) * 2 + 2) // 5 * 5
    else:
        bid, active = "solo", at.players[1:4]
        who = active[drawn.bidder % 3]
        others = [name for name in (active if over > 0 else at.players) if name != who]
        amount = abs(over)
    sign = 1 if over > 0 else -1
    paid = {name: -sign * amount if name in others else 0 for name in at.players}
    paid[who] = sign * amount * len(others)
    contract = {"bidder": who, "bid": bid, "trump": "C"}
    return {"dealer": dealer, "contract": contract, "points": drawn.points}, paid
