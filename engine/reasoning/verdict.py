"""What scoring answers: the outcome, who pays whom, who deals next, and why."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, NamedTuple

from engine.reasoning.english import ENGLISH
from engine.reasoning.language import Language
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
        """The reasoning in English, one sentence per step."""
        return tuple(step.text for step in self.steps)

    def to_mapping(self) -> dict[str, object]:
        """Write the answer to a scored hand, its reasoning in English."""
        return {**self._figures(), "explanation": list(self.explanation)}

    def to_kept(self) -> dict[str, object]:
        """Write what the ledger keeps: the reasoning as steps; `in_words` turns it into the answer."""
        return {**self._figures(), "steps": [step.to_mapping() for step in self.steps]}

    def _figures(self) -> dict[str, object]:
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
        return mapping


def in_words(kept: Mapping[str, Any], language: Language = ENGLISH) -> dict[str, Any]:
    """Return a kept verdict as an answer, its reasoning in the words of a language.

    Older books kept English sentences instead of steps; these are told as they are.
    """
    answer = dict(kept)
    if "steps" in answer:
        steps = map(Step.from_mapping, answer.pop("steps"))
        answer["explanation"] = [step.spoken(language) for step in steps]
    return answer
