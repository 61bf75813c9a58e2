"""Who pays whom: each payment goes between two seats, so that all together is nothing."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from engine.contracts import Undertaking
from engine.errors import Violation
from engine.record import HandRecord, Pots
from engine.steps import Step
from engine.table import Table, clockwise
from engine.verdict import Outcome, Transfer


class Priced(NamedTuple):
    """A hand that is judged and priced, ready to settle."""

    record: HandRecord
    table: Table
    undertaking: Undertaking
    outcome: Outcome
    amount: int


class Settled(NamedTuple):
    """What a settlement moves: a delta a seat, the payments, the pots after it, and why."""

    deltas: Mapping[str, int]
    transfers: tuple[Transfer, ...] = ()
    pots: Pots | None = None
    steps: tuple[Step, ...] = ()


class Settlement(ABC):
    """Turns an amount into payments, or, where it does not `pay`, into scores."""

    pays: ClassVar[bool] = True

    def problems(self, record: HandRecord) -> list[Violation]:  # noqa: ARG002
        """Name what it needs of a record and misses: nothing, unless a game has pots."""
        return []

    @abstractmethod
    def settle(self, priced: Priced) -> Settled:
        """Settle a played hand."""

    def thrown_in(self, record: HandRecord, table: Table) -> Settled:  # noqa: ARG002
        """Settle a hand that all passed: nothing moves, unless a game has pots."""
        return Settled(dict.fromkeys(table.players, 0))


def _pay(priced: Priced, pairs: Sequence[tuple[str, tuple[str, ...]]], source: str) -> Settled:
    """Settle each principal with their counterparts: paid by them when won, paying when lost.

    Who doubled settles for twice the amount, who was redoubled for four times; nobody else does.
    """
    _, table, undertaking, outcome, amount = priced
    doubled = undertaking.doubled
    deltas = dict.fromkeys(table.players, 0)
    if not amount:
        return Settled(deltas)
    won = outcome is Outcome.WON
    transfers = []
    for side, others in pairs:
        for other in others:
            paid = amount * undertaking.multiplier(other) if doubled else amount
            payer, payee = (other, side) if won else (side, other)
            transfers.append(Transfer(payer, payee, paid))
            deltas[payer] -= paid
            deltas[payee] += paid
    step = _told("won" if won else "lost", pairs, source)
    steps = (*_doubles(priced), step) if doubled else (step,)
    return Settled(deltas, tuple(transfers), None, steps)


def _told(key: str, pairs: Sequence[tuple[str, tuple[str, ...]]], source: str) -> Step:
    """Say who settles with whom: one principal with the others, or two with each their own."""
    principal, others = pairs[0]
    values: dict[str, object] = {"principal": principal, "others": others}
    if len(pairs) == 1 or not pairs[1][1]:
        return Step(key, values, source)
    second, rest = pairs[1]
    return Step(f"{key}-both", {**values, "second": second, "rest": rest}, source)


def _doubles(priced: Priced) -> Iterable[Step]:
    """Say for whom the amount counts more than once."""
    undertaking = priced.undertaking
    for name in undertaking.doubled:
        times = undertaking.multiplier(name)
        values = {"name": name, "times": times, "amount": priced.amount * times}
        yield Step("redoubled" if times == 4 else "doubled", values, "000")


@dataclass(frozen=True, slots=True)
class BidderAgainstAll(Settlement):
    """A win is paid by each active opponent; a loss is paid to everyone at the table.

    With `idle_paid_on_loss` off, those who sit out get nothing from a loss either (000 and the
    rules sheet). So four at the table: twice the amount to win, three times to lose.
    """

    idle_paid_on_loss: bool
    source: str

    def settle(self, priced: Priced) -> Settled:
        """Settle a played hand."""
        table, bidder = priced.table, priced.undertaking.bidder
        idle = table.idle
        if not (idle and self.idle_paid_on_loss and priced.outcome is Outcome.LOST):
            return _pay(priced, [(bidder, table.opponents(bidder))], self.source)
        settled = _pay(priced, [(bidder, clockwise(table.players, bidder)[1:])], self.source)
        key = "idle-paid" if len(idle) == 1 else "idle-all-paid"
        step = Step(key, {"names": idle}, self.source)
        return settled._replace(steps=(*settled.steps, step))


@dataclass(frozen=True, slots=True)
class GangSplit(Settlement):
    """The gang settles with caller and partner, who each have about half of it.

    Of g gang players the first ⌈g/2⌉ clockwise from the caller are the caller's, the rest the
    partner's: that the halves are formed clockwise is decided in the rules sheet, the extra one for
    the caller is 002's. A caller who plays alone settles with all.
    """

    source: str

    def settle(self, priced: Priced) -> Settled:
        """Settle a played hand."""
        caller, partner = priced.undertaking.bidder, priced.undertaking.partner
        opponents = priced.table.opponents(caller)
        if partner is None:
            return _pay(priced, [(caller, opponents)], self.source)
        gang = tuple(seat for seat in opponents if seat != partner)
        half = (len(gang) + 1) // 2
        return _pay(priced, [(caller, gang[:half]), (partner, gang[half:])], self.source)


@dataclass(frozen=True, slots=True)
class SideScores(Settlement):
    """Declarer and partner alike score the amount, or lose it; the defenders score nothing (003).

    It is a score, not a payment between players, and so does not add up to nothing.
    """

    pays: ClassVar[bool] = False

    source: str

    def settle(self, priced: Priced) -> Settled:
        """Score a played hand."""
        undertaking = priced.undertaking
        sides = (undertaking.bidder, undertaking.partner)
        side = tuple(name for name in sides if name is not None)
        won = priced.outcome is Outcome.WON
        deltas = dict.fromkeys(priced.table.players, 0)
        deltas |= dict.fromkeys(side, priced.amount if won else -priced.amount)
        one, each = ("scores", "score-each") if won else ("loses", "lose-each")
        values = {"names": side, "amount": priced.amount}
        step = Step(one if len(side) == 1 else each, values, self.source)
        return Settled(deltas, steps=(step,))
