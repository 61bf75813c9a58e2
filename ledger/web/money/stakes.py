"""The stakes in a form: the starting chips, and the value of chips in money."""

from collections.abc import Mapping
from dataclasses import dataclass

from werkzeug.datastructures import MultiDict

from ledger.services.session.view import Rate
from ledger.web.frame.figures import chips_of, money_of
from ledger.web.frame.filters import typed
from ledger.words.currencies import decimals

INPUTS: Mapping[str, str] = {
    "starting_stack": "stack",
    "rate": "rate_money",
    "rate.chips": "rate_chips",
    "rate.money": "rate_money",
}
"""The inputs by field of the services' errors."""


@dataclass(frozen=True, slots=True)
class Stakes:
    """The typed stakes. ``stack`` is the game's default until another one is typed."""

    stack: str
    proposed: str
    currency: str
    rate_chips: str = ""
    rate_money: str = ""

    @classmethod
    def read(cls, form: MultiDict[str, str], currency: str, stack: int = 0) -> "Stakes":
        """Parse the submitted form; an unchanged stack becomes the game's default, ``stack``."""
        proposed = str(stack)
        typed_stack = form.get("stack")
        touched = typed_stack is not None and typed_stack.strip() != form.get("stack_proposed")
        return cls(
            (typed_stack or "").strip() if touched else proposed,
            proposed,
            currency,
            form.get("rate_chips", "").strip(),
            form.get("rate_money", "").strip(),
        )

    @classmethod
    def of_rate(cls, rate: Rate | None, currency: str) -> "Stakes":
        """Build the stakes for changing a session's rate, with empty inputs if it has none."""
        if rate is None:
            return cls("", "", currency)
        return cls("", "", currency, str(rate.chips), typed(rate.money, currency))

    @property
    def example(self) -> str:
        """An example of an amount in the form in which it is typed."""
        return typed(10 ** decimals(self.currency), self.currency)

    @property
    def starting_stack(self) -> int:
        """The starting chips, 0 for an empty text; -1, which the service rejects, if it is not a number."""
        if not self.stack:
            return 0
        chips = chips_of(self.stack)
        return -1 if chips == 0 and self.stack.strip("0") else chips

    @property
    def for_money(self) -> bool:
        """Whether any part of the rate was typed."""
        return bool(self.rate_chips or self.rate_money)

    @property
    def rate(self) -> Rate | None:
        """The rate, or None if both inputs are empty and the table plays for chips.

        Raises ``Invalid`` at ``rate.money`` for a text that is not an amount.
        """
        if not self.for_money:
            return None
        return Rate(
            chips_of(self.rate_chips), money_of(self.rate_money, self.currency, "rate.money")
        )
