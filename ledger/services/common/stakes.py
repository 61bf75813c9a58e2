"""What a table may be played for: the stack it starts with, what chips are worth, which chips there are."""

from collections.abc import Sequence

from engine.words.sentences import say
from ledger.words import currencies
from ledger.words.currencies import MOST_MONEY
from ledger.words.problems import Invalid

MOST_CHIPS = 1_000_000_000
"""More than any table has, and far from what the database can't hold."""
MOST_DENOMINATIONS = 12
MOST_WORTH = 1_000_000


def check_stack(chips: int) -> int:
    """Return a starting stack; 0 is none. Raises ``Invalid``."""
    if not 0 <= chips <= MOST_CHIPS:
        raise Invalid.at(
            "starting_stack",
            "chips-out-of-range",
            say("A player starts with 0 to {most_chips:,} chips.", most_chips=MOST_CHIPS),
        )
    return chips


def check_rate(chips: int, money: int, currency: str) -> tuple[int, int]:
    """Return how many chips are worth how many minor units of money. Raises ``Invalid``."""
    most = currencies.payable(currency)
    for field, number in (("chips", chips), ("money", money)):
        if not 0 < number <= (MOST_CHIPS if field == "chips" else MOST_MONEY):
            raise Invalid.at(
                f"rate.{field}",
                "rate-out-of-range",
                say(
                    "The rate says how many chips are worth how much money: 1 to {most_chips:,} "
                    "chips, {most}.",
                    most_chips=MOST_CHIPS,
                    most=most,
                ),
            )
    return chips, money


def check_denominations(values: Sequence[int]) -> list[int]:
    """Return what a club's chips are worth, smallest first. Raises ``Invalid`` at ``denominations``."""
    found = sorted(set(values))
    if (
        not 0 < len(found) == len(values) <= MOST_DENOMINATIONS
        or found[0] < 1
        or found[-1] > MOST_WORTH
    ):
        raise Invalid.at(
            "denominations",
            "no-such-chips",
            say(
                "Give 1 to {most_denominations} different chip values, each from 1 to "
                "{most_worth:,}.",
                most_denominations=MOST_DENOMINATIONS,
                most_worth=MOST_WORTH,
            ),
        )
    return found
