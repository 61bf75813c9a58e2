"""Who pays whom: each payment goes between two seats, so that all together is nothing."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from engine.contracts import Undertaking
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
    """Turns an amount into payments."""

    @abstractmethod
    def settle(self, priced: Priced) -> Settled:
        """Settle a played hand."""

    def thrown_in(self, record: HandRecord, table: Table) -> Settled:  # noqa: ARG002
        """Settle a hand that all passed: nothing moves, unless a game has pots."""
        return by_transfers(table.players, ())


def by_transfers(
    players: tuple[str, ...], transfers: Iterable[Transfer], steps: tuple[Step, ...] = ()
) -> Settled:
    """Add up payments to a delta for every seat."""
    deltas = dict.fromkeys(players, 0)
    paid = tuple(transfers)
    for payer, payee, amount in paid:
        deltas[payer] -= amount
        deltas[payee] += amount
    return Settled(deltas, paid, None, steps)


def _pay(priced: Priced, pairs: Iterable[tuple[str, tuple[str, ...]]], source: str) -> Settled:
    """Settle each principal with their counterparts: paid by them when won, paying when lost."""
    players, amount = priced.table.players, priced.amount
    if not amount:
        return by_transfers(players, ())
    told = [(principal, others) for principal, others in pairs if others]
    if priced.outcome is Outcome.WON:
        verb = "is paid by"
        transfers = [Transfer(other, side, amount) for side, others in told for other in others]
    else:
        verb = "pays"
        transfers = [Transfer(side, other, amount) for side, others in told for other in others]
    return by_transfers(players, transfers, (Step("paid", {"verb": verb, "pairs": told}, source),))


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
        step = Step("idle-paid", {"names": idle}, self.source)
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
