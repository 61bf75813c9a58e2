"""What scoring answers: the outcome, who pays whom, who deals next, and why.

Why is told by the arithmetic as values: each step has a key, its numbers and names, and a source. Its words
are made when they are asked for, by a language (`engine.words`) from the same values; so the
ledger keeps the values, and a sentence can be improved without touching what is kept.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, NamedTuple, Self

from engine.record import Pots
from engine.words.language import ENGLISH, Language, Values
from engine.words.steps import STEPS


class Step(NamedTuple):
    """One line of the reasoning. `source` is a source text's number, or `sheet` for a decision."""

    key: str
    values: Values
    source: str

    @property
    def text(self) -> str:
        """The step in English."""
        return self.spoken(ENGLISH)

    def times(self, amount: int) -> Self:
        """Tell the same of so many times the amount that it names, if it names one."""
        if "amount" not in self.values:
            return self
        return self._replace(values={**self.values, "amount": self.values["amount"] * amount})

    def spoken(self, language: Language) -> str:
        """Put the step into words.

        >>> Step("over-half", {"points": 74, "off": 14, "half": 60}, "002").spoken(ENGLISH)
        '74 card points, 14 over 60'
        """
        return language.render(STEPS[self.key], self.values)

    @property
    def kept(self) -> Mapping[str, object]:
        """The step as it is kept: no word of any language."""
        return {"key": self.key, "values": self.values, "source": self.source}

    @classmethod
    def from_mapping(cls, kept: Mapping[str, Any]) -> Self:
        """Read a step as it is kept; lists of names become tuples again, as the engine made them."""
        values = {
            name: tuple(value) if isinstance(value, list) else value
            for name, value in kept["values"].items()
        }
        return cls(kept["key"], values, kept["source"])


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
        mapping = self._figures()
        mapping["explanation"] = [step.text for step in self.steps]
        return mapping

    def to_kept(self) -> dict[str, object]:
        """Write what the ledger keeps: the reasoning as steps; `in_words` turns it into the answer."""
        mapping = self._figures()
        mapping["steps"] = [step.kept for step in self.steps]
        return mapping

    def _figures(self) -> dict[str, object]:
        outcome, bidder, partner, points, amount, deltas, transfers, pots, (dealer, lead), _ = self
        mapping: dict[str, object] = {
            "ok": True,
            "outcome": str(outcome),
            "bidder": bidder,
            "partner": partner,
            "points": points,
            "amount": amount,
            "deltas": deltas,
            "transfers": [
                {"from": payer, "to": payee, "amount": owed} for payer, payee, owed in transfers
            ],
        }
        if pots is not None:
            mapping["pots"] = pots.to_mapping()
        mapping["next"] = {"dealer": dealer, "lead": lead}
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
