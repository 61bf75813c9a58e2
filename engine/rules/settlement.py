"""Settlements: the payments between seats, which sum to zero.

A game of scores (German Solo) has no payments, and its deltas need not sum to zero.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from engine.errors import Violation
from engine.record import HandRecord, Pots
from engine.record.incidents import Transfer
from engine.rules.bids import Undertaking
from engine.rules.seating import SeatingTable, clockwise
from engine.rules.tariffs import Price
from engine.rules.verdict import Outcome, Step


class Payout(NamedTuple):
    """The result of a settlement: each seat's delta, the payments, the pots afterwards, and the steps."""

    deltas: Mapping[str, int]
    transfers: tuple[Transfer, ...] = ()
    pots: Pots | None = None
    steps: tuple[Step, ...] = ()

    def times(self, amount: int) -> "Payout":
        """Return the payout with deltas, payments and amounts of steps multiplied, and the same pots.

        For 0 it has only deltas of 0, without payments, pots or steps.
        """
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
    """Turns an amount into payments or, if `pays` is false, into scores."""

    pays: ClassVar[bool] = True

    def problems(self, record: HandRecord) -> list[Violation]:  # noqa: ARG002
        """Return violations for record keys that the settlement needs; empty unless the game has pots."""
        return []

    @abstractmethod
    def terms(self, table: SeatingTable, undertaking: Undertaking, outcome: Outcome) -> Payout:
        """Return deltas, payments and steps for a price of 1, without pots.

        Every outcome but won is paid like a loss; doubled opponents count 2, redoubled ones 4.
        """

    def settle(
        self,
        terms: Payout,
        price: Price,
        undertaking: Undertaking,  # noqa: ARG002
        pots: Pots | None,  # noqa: ARG002
    ) -> Payout:
        """Return the terms multiplied by the price's amount; a game with pots adds these.

        `pots` are those before the antes.
        """
        return terms.times(price.amount)

    def thrown_in(self, pots: Pots | None, table: SeatingTable) -> Payout:  # noqa: ARG002
        """Return the payout of an all-pass: deltas of 0; a game with pots collects the antes."""
        return Payout(dict.fromkeys(table.players, 0))


Sides = tuple[tuple[str, tuple[str, ...]], ...]
"""Each principal with the opponents who pay them for a win and are paid for a loss."""


def _pay(
    table: SeatingTable, undertaking: Undertaking, outcome: Outcome, sides: Sides, source: str
) -> Payout:
    """Return the payout in which each principal is paid by their opponents, or pays them unless won.

    For each opponent the amount is 1, doubled 2, redoubled 4. `source` is that of the step.
    """
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
    step = _payment_step("won" if won else "lost", sides, source)
    return Payout(deltas, tuple(transfers), None, (*_doubles(undertaking), step))


def multiplier(opponent: str, doubled: tuple[str, ...], redoubled: tuple[str, ...]) -> int:
    """Return the multiplier of an opponent's payment: 2 if doubled, 4 if redoubled, else 1 (000).

    >>> [multiplier(name, ("Bob", "Cyd"), ("Cyd",)) for name in ("Ann", "Bob", "Cyd")]
    [1, 2, 4]
    """
    if opponent in redoubled:
        return 4
    return 2 if opponent in doubled else 1


def _payment_step(key: str, sides: Sides, source: str) -> Step:
    """Return the step that names one or two principals and their opponents; `key` is `won` or `lost`."""
    (principal, others), *more = sides
    values: dict[str, object] = {"principal": principal, "others": others}
    if not more:
        return Step(key, values, source)
    ((second, rest),) = more
    return Step(f"{key}-both", {**values, "second": second, "rest": rest}, source)


def _doubles(undertaking: Undertaking) -> Iterable[Step]:
    """Yield a step for each opponent who doubled: `redoubled` if they were redoubled, else `doubled`."""
    for name in undertaking.doubled:
        times = multiplier(name, undertaking.doubled, undertaking.redoubled)
        values = {"name": name, "times": times, "amount": times}
        yield Step("redoubled" if times == 4 else "doubled", values, "000")


def _idle_paid(idle: tuple[str, ...], source: str) -> Step:
    """Return the step that names the idle seats which are paid, too."""
    return Step("idle-paid" if len(idle) == 1 else "idle-all-paid", {"names": idle}, source)


@dataclass(frozen=True, slots=True)
class BidderAgainstAll(Settlement):
    """Each active opponent pays for a win; for a loss the bidder pays everyone at the table.

    With `idle_paid_on_loss` off, idle players are not paid (000 and the rules sheet).
    """

    idle_paid_on_loss: bool
    source: str

    def terms(self, table: SeatingTable, undertaking: Undertaking, outcome: Outcome) -> Payout:
        """Return payments of 1 to the bidder after a win, or by the bidder after a loss; more if doubled.

        With `idle_paid_on_loss` a loss is paid to the idle seats, too.
        """
        bidder, idle = undertaking.bidder, table.idle
        if not (idle and self.idle_paid_on_loss and outcome is Outcome.LOST):
            sides = ((bidder, table.opponents(bidder)),)
            return _pay(table, undertaking, outcome, sides, self.source)
        sides = ((bidder, clockwise(table.players, bidder)[1:]),)
        paid = _pay(table, undertaking, outcome, sides, self.source)
        return paid._replace(steps=(*paid.steps, _idle_paid(idle, self.source)))


@dataclass(frozen=True, slots=True)
class GangSplit(Settlement):
    """Caller and partner each settle with half of the gang.

    Of g gang players the first ⌈g/2⌉ clockwise from the caller settle with the caller, the others with the
    partner. The extra player for the caller is from 002, the order clockwise is decided in the rules sheet. A
    caller who plays alone settles with all.
    """

    source: str

    def terms(self, table: SeatingTable, undertaking: Undertaking, outcome: Outcome) -> Payout:
        """Return payments of 1 between the caller and one half of the gang, the partner and the other half.

        A caller without a partner settles with all.
        """
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
    """Declarer and partner each score or lose the amount; the defenders score nothing (003)."""

    pays: ClassVar[bool] = False

    source: str

    def terms(self, table: SeatingTable, undertaking: Undertaking, outcome: Outcome) -> Payout:
        """Return scores of 1 or -1 for declarer and partner and 0 for the others, without payments."""
        bidder, partner = undertaking.bidder, undertaking.partner
        side = (bidder,) if partner is None else (bidder, partner)
        won = outcome is Outcome.WON
        scores = dict.fromkeys(side, 1 if won else -1)
        single, shared = ("scores", "score-each") if won else ("loses", "lose-each")
        step = Step(
            single if partner is None else shared, {"names": side, "amount": 1}, self.source
        )
        return Payout(dict.fromkeys(table.players, 0) | scores, steps=(step,))
