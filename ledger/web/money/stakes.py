"""What is played for, as a value: the chips each starts with, and what chips are worth in money."""

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
"""Which input of the form a field of the services belongs to."""


@dataclass(frozen=True, slots=True)
class Stakes:
    """What was typed. ``stack`` follows the game until somebody types another."""

    stack: str
    proposed: str
    currency: str
    rate_chips: str = ""
    rate_money: str = ""

    @classmethod
    def read(cls, form: MultiDict[str, str], currency: str, stack: int = 0) -> "Stakes":
        """Read what was sent; a stack nobody touched is the one that the game begins with."""
        proposed = str(stack)
        sent = form.get("stack")
        touched = sent is not None and sent.strip() != form.get("stack_proposed")
        return cls(
            (sent or "").strip() if touched else proposed,
            proposed,
            currency,
            form.get("rate_chips", "").strip(),
            form.get("rate_money", "").strip(),
        )

    @classmethod
    def of_rate(cls, rate: Rate | None, currency: str) -> "Stakes":
        """Make the stakes of a session whose rate may be changed."""
        if rate is None:
            return cls("", "", currency)
        return cls("", "", currency, str(rate.chips), typed(rate.money, currency))

    @property
    def example(self) -> str:
        """A sum of money as it is typed."""
        return typed(10 ** decimals(self.currency), self.currency)

    @property
    def starting_stack(self) -> int:
        """The chips each starts with; what is not a number is less than none, and refused."""
        if not self.stack:
            return 0
        chips = chips_of(self.stack)
        return -1 if chips == 0 and self.stack.strip("0") else chips

    @property
    def for_money(self) -> bool:
        """Whether something was said of what chips are worth, right or wrong."""
        return bool(self.rate_chips or self.rate_money)

    @property
    def rate(self) -> Rate | None:
        """What chips are worth; None where both are left empty: the table plays for chips.

        Raises ``Invalid`` at ``rate.money`` for what is not an amount of money.
        """
        if not self.for_money:
            return None
        return Rate(
            chips_of(self.rate_chips), money_of(self.rate_money, self.currency, "rate.money")
        )
