"""How seasons are scored, and how they order players with equal totals."""

from enum import StrEnum


class ScoringMethod(StrEnum):
    """The figure that a season adds up over its evenings."""

    CHIPS = "chips"
    MONEY = "money"
    RANKS = "ranks"
    WINS = "wins"


class TieBreak(StrEnum):
    """A further figure of a player, of which more is better."""

    WINS = "wins"
    EVENINGS = "evenings"
    BEST = "best"
    AMOUNT = "amount"
