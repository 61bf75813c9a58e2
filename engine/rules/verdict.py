"""The verdict: the result of scoring a hand, with its explanation as steps.

A step is a key with values and a source. A language (`engine.words`) renders it on request, so the ledger
stores values, and the wording of an explanation can improve for stored hands.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, NamedTuple, Self

from engine.record import Pots
from engine.record.fields import to_mapping
from engine.record.incidents import Transfer
from engine.words.language import ENGLISH, Language, Values
from engine.words.steps import STEPS


class Step(NamedTuple):
    """One line of a verdict's explanation; `key` is that of its English template in `STEPS`.

    `source` is a source text's number, or `sheet` for a decision.
    """

    key: str
    values: Values
    source: str

    @property
    def text(self) -> str:
        """The step rendered in English."""
        return self.render(ENGLISH)

    def times(self, amount: int) -> Self:
        """Return the step with its value `amount` multiplied; unchanged if it has none."""
        if "amount" not in self.values:
            return self
        return self._replace(values={**self.values, "amount": self.values["amount"] * amount})

    def render(self, language: Language) -> str:
        """Return the step as text in a language, from its template and values.

        >>> Step("over-half", {"points": 74, "off": 14, "half": 60}, "002").render(ENGLISH)
        '74 card points, 14 over 60'
        """
        return language.render(STEPS[self.key], self.values)

    @property
    def stored(self) -> Mapping[str, object]:
        """The key, values and source, as the ledger stores a step."""
        return {"key": self.key, "values": self.values, "source": self.source}

    @classmethod
    def from_mapping(cls, stored: Mapping[str, Any]) -> Self:
        """Build a step from its stored key, values and source; lists become tuples again."""
        values = {
            name: tuple(value) if isinstance(value, list) else value
            for name, value in stored["values"].items()
        }
        return cls(stored["key"], values, stored["source"])


class Outcome(StrEnum):
    """The result of a hand for the bidding side."""

    WON = "won"
    LOST = "lost"
    TIED = "tied"
    PASSED_OUT = "passed-out"


class NextTurn(NamedTuple):
    """The dealer and the lead of the next hand."""

    dealer: str
    lead: str


class Verdict(NamedTuple):
    """A scored hand. `deltas` has every seat; `amount` is the payment of one opponent, 0 after an agreement.

    `points` is `None` if the hand was thrown in or void, or given up before points were counted. A void hand
    is passed out.
    """

    outcome: Outcome
    bidder: str | None
    partner: str | None
    points: int | None
    amount: int
    deltas: Mapping[str, int]
    transfers: tuple[Transfer, ...]
    pots: Pots | None
    next: NextTurn
    steps: tuple[Step, ...]

    @property
    def explanation(self) -> tuple[str, ...]:
        """The text of each step in English, in order."""
        return tuple(step.text for step in self.steps)

    def to_mapping(self) -> dict[str, object]:
        """Return the response to a scored hand with the explanation as English sentences.

        `pots` is there only in a game with pots.
        """
        mapping = self._figures()
        mapping["explanation"] = [step.text for step in self.steps]
        return mapping

    def to_stored(self) -> dict[str, object]:
        """Return the verdict as the ledger stores it: like `to_mapping`, with `steps` for the explanation."""
        mapping = self._figures()
        mapping["steps"] = [step.stored for step in self.steps]
        return mapping

    def _figures(self) -> dict[str, object]:
        """Return the part of a response and of a stored verdict that both have: all but the explanation."""
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
            mapping["pots"] = to_mapping(pots)
        mapping["next"] = {"dealer": dealer, "lead": lead}
        return mapping


def verdict_in_words(stored: Mapping[str, Any], language: Language = ENGLISH) -> dict[str, Any]:
    """Return a stored verdict as a response: its steps are replaced by the explanation in a language.

    Older ledgers stored English sentences instead of steps; these are returned unchanged.
    """
    response = dict(stored)
    if "steps" in response:
        steps = map(Step.from_mapping, response.pop("steps"))
        response["explanation"] = [step.render(language) for step in steps]
    return response
