"""The states of sessions, seats and hands, and the actions that create a hand's version."""

from enum import StrEnum


class SessionState(StrEnum):
    """Which entries can be written in a session: all while open, no hands while paused, none once closed."""

    OPEN = "open"
    PAUSED = "paused"
    CLOSED = "closed"


class HandState(StrEnum):
    """Whether a hand counts in balances and sums, or is void."""

    STANDING = "standing"
    VOID = "void"


class HandAction(StrEnum):
    """The action that created a version of a hand.

    ``FOLLOWED``: an earlier hand changed, and with it the pots of this hand.
    """

    RECORDED = "recorded"
    CORRECTED = "corrected"
    VOIDED = "voided"
    RESTORED = "restored"
    FOLLOWED = "followed"


class SeatState(StrEnum):
    """Whether a seat is dealt in. A seat that left has cashed out, and its account is closed."""

    PLAYING = "playing"
    SITTING_OUT = "sitting-out"
    LEFT = "left"


class Side(StrEnum):
    """The side of a player in a hand; an idle player sat at the table without cards."""

    BIDDER = "bidder"
    PARTNER = "partner"
    OPPONENT = "opponent"
    IDLE = "idle"


ENDS = ("won", "lost", "tied")
"""The ways a contract ends; a tally counts the contract's end for every side."""
