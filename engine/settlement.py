"""Who pays whom. Each payment goes between two seats, so that what is won and lost adds up to nothing."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple, Protocol

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


class Settlement(Protocol):
    """Turns an amount into payments."""

    def settle(self, priced: Priced) -> Settled:
        """Settle a played hand."""
        ...

    def thrown_in(self, record: HandRecord, table: Table) -> Settled:
        """Settle a hand that all passed."""
        ...


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


def _payments(
    pairs: Iterable[tuple[str, tuple[str, ...]]], priced: Priced, source: str
) -> tuple[list[Transfer], Step]:
    """Each principal with their counterparts: paid by them when won, paying them when lost."""
    amount = priced.amount
    told = [(principal, others) for principal, others in pairs if others]
    if priced.outcome is Outcome.WON:
        transfers = [Transfer(other, side, amount) for side, others in told for other in others]
        return transfers, Step("paid", {"verb": "is paid by", "pairs": told}, source)
    transfers = [Transfer(side, other, amount) for side, others in told for other in others]
    return transfers, Step("paid", {"verb": "pays", "pairs": told}, source)


@dataclass(frozen=True, slots=True)
class BidderAgainstAll:
    """A win is paid by each active opponent; a loss is paid to everyone at the table.

    With `idle_paid_on_loss` off, those who sit out get nothing from a loss either (000 and the rules
    sheet). So four at the table: twice the amount to win, three times to lose.
    """

    idle_paid_on_loss: bool
    source: str

    def settle(self, priced: Priced) -> Settled:
        """Settle a played hand."""
        table, bidder = priced.table, priced.undertaking.bidder
        if not priced.amount:
            return by_transfers(table.players, ())
        idle = priced.outcome is Outcome.LOST and self.idle_paid_on_loss and table.idle
        others = clockwise(table.players, bidder)[1:] if idle else table.opponents(bidder)
        transfers, step = _payments([(bidder, others)], priced, self.source)
        steps = (step, Step("idle-paid", {"names": idle}, self.source)) if idle else (step,)
        return by_transfers(table.players, transfers, steps)

    def thrown_in(self, record: HandRecord, table: Table) -> Settled:  # noqa: ARG002
        """Nothing moves."""
        return by_transfers(table.players, ())


@dataclass(frozen=True, slots=True)
class GangSplit:
    """The gang settles with caller and partner: the caller with the larger half, the partner with the rest.

    Of g gang players the first ⌈g/2⌉ clockwise from the caller are the caller's; that the halves are
    formed clockwise is decided in the rules sheet, the extra one for the caller is 002's. A caller who
    plays alone settles with all.
    """

    source: str

    def settle(self, priced: Priced) -> Settled:
        """Settle a played hand."""
        table, bidder = priced.table, priced.undertaking.bidder
        partner = priced.undertaking.partner
        if not priced.amount:
            return by_transfers(table.players, ())
        gang = tuple(seat for seat in table.opponents(bidder) if seat != partner)
        if partner is None:
            pairs = [(bidder, gang)]
        else:
            half = (len(gang) + 1) // 2
            pairs = [(bidder, gang[:half]), (partner, gang[half:])]
        transfers, step = _payments(pairs, priced, self.source)
        return by_transfers(table.players, transfers, (step,))

    def thrown_in(self, record: HandRecord, table: Table) -> Settled:  # noqa: ARG002
        """Nothing moves."""
        return by_transfers(table.players, ())
