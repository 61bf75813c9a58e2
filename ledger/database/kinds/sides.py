"""The sides of a hand, as the sums beside the books tell them apart."""

from enum import StrEnum


class Side(StrEnum):
    """On which side of a hand a player was; idle: they sat at the table and had no cards."""

    BIDDER = "bidder"
    PARTNER = "partner"
    OPPONENT = "opponent"
    IDLE = "idle"


ENDS = ("won", "lost", "tied")
"""How a contract ended; of a tally they say what became of the contract, whichever side it is of."""
