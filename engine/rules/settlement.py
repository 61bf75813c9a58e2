"""Who pays whom: each payment goes between two seats, so that they sum to zero.

Games that score instead (German Solo) pay nobody, and their deltas sum to anything.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from engine.errors import Violation
from engine.record import HandRecord, Pots
from engine.rules.bids import Undertaking
from engine.rules.seating import SeatingTable, clockwise
from engine.rules.tariffs import Price
from engine.rules.verdict import Outcome, Step, Transfer


class Payout(NamedTuple):
    """What a settlement moves: each seat's delta, the payments, the pots after it, and why."""

    deltas: Mapping[str, int]
    transfers: tuple[Transfer, ...] = ()
    pots: Pots | None = None
    steps: tuple[Step, ...] = ()

    def times(self, amount: int) -> "Payout":
        """Move so many times as much; of nothing there is nothing to say."""
        deltas, transfers, pots, steps = self
        if not amount:
            return Payout(dict.fromkeys(deltas, 0))
        return Payout(
            {seat: delta * amount for seat, delta in deltas.items()},
            tuple([Transfer(payer, payee, owed * amount) for payer, payee, owed in transfers]),
            pots,
            tuple([step.times(amount) for step in steps]),
        )


class Settlement(ABC):
    """Turns an amount into payments, or, where it does not `pay`, into scores."""

    pays: ClassVar[bool] = True

    def problems(self, record: HandRecord) -> list[Violation]:  # noqa: ARG002
        """Name what it needs of a record and misses: nothing, unless a game has pots."""
        return []

    @abstractmethod
    def terms(self, table: SeatingTable, undertaking: Undertaking, outcome: Outcome) -> Payout:
        """Settle a played hand between its seats, for an amount of 1."""

    def settle(
        self,
        terms: Payout,
        price: Price,
        undertaking: Undertaking,  # noqa: ARG002
        pots: Pots | None,  # noqa: ARG002
    ) -> Payout:
        """Settle a played hand by its terms; `pots` is what they held before the antes."""
        return terms.times(price.amount)

    def thrown_in(self, pots: Pots | None, table: SeatingTable) -> Payout:  # noqa: ARG002
        """Settle a hand that all passed: nothing moves, unless a game has pots."""
        return Payout(dict.fromkeys(table.players, 0))


Sides = tuple[tuple[str, tuple[str, ...]], ...]
"""Each principal with those they settle with: paid by them when won, paying them when lost."""


def _pay(
    table: SeatingTable, undertaking: Undertaking, outcome: Outcome, sides: Sides, source: str
) -> Payout:
    """Settle each principal with their counterparts, who pay 1 or are paid it."""
    deltas = dict.fromkeys(table.players, 0)
    *_, doubled, redoubled = undertaking
    won = outcome is Outcome.WON
    transfers = []
    for side, others in sides:
        for other in others:
            owed = multiplier(other, doubled, redoubled)
            payer, payee = (other, side) if won else (side, other)
            transfers.append(Transfer(payer, payee, owed))
            deltas[payer] -= owed
            deltas[payee] += owed
    told = _told("won" if won else "lost", sides, source)
    return Payout(deltas, tuple(transfers), None, (*_doubles(undertaking), told))


def multiplier(opponent: str, doubled: tuple[str, ...], redoubled: tuple[str, ...]) -> int:
    """Say how often an opponent's payment counts: once, doubled 2, redoubled 4 times (000).

    >>> [multiplier(name, ("Bob", "Cyd"), ("Cyd",)) for name in ("Ann", "Bob", "Cyd")]
    [1, 2, 4]
    """
    if opponent in redoubled:
        return 4
    return 2 if opponent in doubled else 1


def _told(key: str, sides: Sides, source: str) -> Step:
    """Say who settles with whom: one principal with the others, or two with each their own."""
    (principal, others), *more = sides
    values: dict[str, object] = {"principal": principal, "others": others}
    if not more:
        return Step(key, values, source)
    ((second, rest),) = more
    return Step(f"{key}-both", {**values, "second": second, "rest": rest}, source)


def _doubles(undertaking: Undertaking) -> Iterable[Step]:
    """Say for whom the amount counts more than once."""
    for name in undertaking.doubled:
        times = multiplier(name, undertaking.doubled, undertaking.redoubled)
        values = {"name": name, "times": times, "amount": times}
        yield Step("redoubled" if times == 4 else "doubled", values, "000")


def _idle_paid(idle: tuple[str, ...], source: str) -> Step:
    return Step("idle-paid" if len(idle) == 1 else "idle-all-paid", {"names": idle}, source)


@dataclass(frozen=True, slots=True)
class BidderAgainstAll(Settlement):
    """A win is paid by each active opponent; a loss is paid to everyone at the table.

    With `idle_paid_on_loss` off, those who sit out get nothing from a loss either (000 and the
    rules sheet). So four at the table: twice the amount to win, three times to lose.
    """

    idle_paid_on_loss: bool
    source: str

    def terms(self, table: SeatingTable, undertaking: Undertaking, outcome: Outcome) -> Payout:
        """Settle a played hand between its seats, for an amount of 1."""
        bidder, idle = undertaking.bidder, table.idle
        if not (idle and self.idle_paid_on_loss and outcome is Outcome.LOST):
            sides = ((bidder, table.opponents(bidder)),)
            return _pay(table, undertaking, outcome, sides, self.source)
        sides = ((bidder, clockwise(table.players, bidder)[1:]),)
        paid = _pay(table, undertaking, outcome, sides, self.source)
        return paid._replace(steps=(*paid.steps, _idle_paid(idle, self.source)))


@dataclass(frozen=True, slots=True)
class GangSplit(Settlement):
    """The gang settles with caller and partner, who each have about half of it.

    Of g gang players the first ⌈g/2⌉ clockwise from the caller are the caller's, the rest the
    partner's: that the halves are formed clockwise is decided in the rules sheet, the extra one for
    the caller is 002's. A caller who plays alone settles with all.
    """

    source: str

    def terms(self, table: SeatingTable, undertaking: Undertaking, outcome: Outcome) -> Payout:
        """Settle a played hand between its seats, for an amount of 1."""
        caller, partner = undertaking.bidder, undertaking.partner
        opponents = table.opponents(caller)
        sides: Sides = ((caller, opponents),)
        if partner is None:
            return _pay(table, undertaking, outcome, sides, self.source)
        at = opponents.index(partner)
        gang = opponents[:at] + opponents[at + 1 :]
        half = (len(gang) + 1) // 2
        sides = ((caller, gang[:half]), (partner, gang[half:]))
        return _pay(table, undertaking, outcome, sides, self.source)


@dataclass(frozen=True, slots=True)
class SideScores(Settlement):
    """Declarer and partner alike score the amount, or lose it; the defenders score nothing (003).

    It is a score, not a payment between players, and so need not sum to zero.
    """

    pays: ClassVar[bool] = False

    source: str

    def terms(self, table: SeatingTable, undertaking: Undertaking, outcome: Outcome) -> Payout:
        """Score a played hand."""
        bidder, partner = undertaking.bidder, undertaking.partner
        side = (bidder,) if partner is None else (bidder, partner)
        won = outcome is Outcome.WON
        scores = dict.fromkeys(side, 1 if won else -1)
        one, each = ("scores", "score-each") if won else ("loses", "lose-each")
        step = Step(one if partner is None else each, {"names": side, "amount": 1}, self.source)
        return Payout(dict.fromkeys(table.players, 0) | scores, steps=(step,))
