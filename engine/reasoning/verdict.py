"""What scoring answers: the outcome, who pays whom, who deals next, and why."""

from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple

from engine.reasoning.steps import Step
from engine.record import Pots


class Outcome(StrEnum):
    """How the hand ended for the bidding side."""

    WON = "won"
    LOST = "lost"
    TIED = "tied"
    PASSED_OUT = "passed-out"


class Transfer(NamedTuple):
    """One payment between two seats; the amount is positive."""

    payer: str
    payee: str
    amount: int


class Next(NamedTuple):
    """Who deals the next hand, and who is on the lead then."""

    dealer: str
    lead: str


class Verdict(NamedTuple):
    """The scored hand. `deltas` covers every seat; `amount` is what one opponent pays or is paid.

    `points` is as the record states them: `None` when the hand was thrown in or given up uncounted.
    """

    outcome: Outcome
    bidder: str | None
    partner: str | None
    points: int | None
    amount: int
    deltas: Mapping[str, int]
    transfers: tuple[Transfer, ...]
    pots: Pots | None
    next: Next
    steps: tuple[Step, ...]

    @property
    def explanation(self) -> tuple[str, ...]:
        """The reasoning in English, a sentence a step."""
        return tuple(step.text for step in self.steps)

    def to_mapping(self) -> dict[str, object]:
        """Write the answer to a scored hand."""
        mapping: dict[str, object] = {
            "ok": True,
            "outcome": str(self.outcome),
            "bidder": self.bidder,
            "partner": self.partner,
            "points": self.points,
            "amount": self.amount,
            "deltas": dict(self.deltas),
            "transfers": [
                {"from": payer, "to": payee, "amount": amount}
                for payer, payee, amount in self.transfers
            ],
        }
        if self.pots is not None:
            mapping["pots"] = self.pots.to_mapping()
        mapping["next"] = {"dealer": self.next.dealer, "lead": self.next.lead}
        mapping["explanation"] = [step.text for step in self.steps]
        return mapping
