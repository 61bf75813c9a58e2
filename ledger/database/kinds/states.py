"""In what state sessions, seats and hands can be, and what makes a version of a hand."""

from enum import StrEnum


class SessionState(StrEnum):
    """Whether hands may still be written."""

    OPEN = "open"
    PAUSED = "paused"
    CLOSED = "closed"


class HandState(StrEnum):
    """Whether a hand counts."""

    STANDING = "standing"
    VOID = "void"


class HandAction(StrEnum):
    """What made a version of a hand.

    ``FOLLOWED``: an earlier hand was changed, and with it the pots this hand was played for.
    """

    RECORDED = "recorded"
    CORRECTED = "corrected"
    VOIDED = "voided"
    RESTORED = "restored"
    FOLLOWED = "followed"


class SeatState(StrEnum):
    """Whether a seat is dealt in. A player who has left has cashed out, and their account is closed."""

    PLAYING = "playing"
    SITTING_OUT = "sitting-out"
    LEFT = "left"
