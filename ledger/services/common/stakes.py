"""Limits of a table's stakes: the starting stack, the rate, the values of chips, the hands to confirm."""

from collections.abc import Sequence

from engine.words.sentences import later, say
from ledger.words import currencies
from ledger.words.currencies import MOST_MONEY
from ledger.words.problems import Invalid

MOST_CHIPS = 1_000_000_000
"""The most chips in one input; the database could store far more."""
MOST_DENOMINATIONS = 12
MOST_WORTH = 1_000_000


def check_stack(chips: int) -> int:
    """Return ``chips`` if it is a valid starting stack; 0 means none.

    Raises ``Invalid`` at ``starting_stack``.
    """
    return _check_chips(chips, "starting_stack", _STACK)


def check_confirm_from(chips: int) -> int:
    """Return ``chips`` if hands can be confirmed from this amount on; 0 means none. Raises ``Invalid``."""
    return _check_chips(chips, "confirm_from", _CONFIRM_FROM)


_STACK = later("A player starts with 0 to {most_chips:,} chips.")
_CONFIRM_FROM = later("Write an amount of 0 to {most_chips:,}.")


def _check_chips(chips: int, field: str, message: str) -> int:
    """Return ``chips`` from 0 to ``MOST_CHIPS``. Raises ``Invalid`` at ``field`` for any other number."""
    if not 0 <= chips <= MOST_CHIPS:
        raise Invalid.at(field, "chips-out-of-range", say(message, most_chips=MOST_CHIPS))
    return chips


def check_rate(chips: int, money: int, currency: str) -> tuple[int, int]:
    """Return ``chips`` and ``money`` if they are a valid rate; the money is in minor units.

    Raises ``Invalid`` at ``rate.chips`` or ``rate.money`` for 0, a negative number or too large a one.
    """
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
    """Return the values of a club's chips sorted, the smallest first.

    Raises ``Invalid`` at ``denominations`` if there are too many or none, or one is repeated or out of range.
    """
    distinct = sorted(set(values))
    if (
        not 0 < len(distinct) == len(values) <= MOST_DENOMINATIONS
        or distinct[0] < 1
        or distinct[-1] > MOST_WORTH
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
    return distinct
