"""The actions of players as values, and the violation of an action that is not allowed."""

from collections.abc import Callable
from enum import StrEnum
from typing import NamedTuple, TypeVar

from engine.cards.cards import Card, Suit
from engine.errors import Refused, Violation
from engine.record import Call
from engine.record.results import RESULT, ResultKey

A = TypeVar("A")


class DealtCard(NamedTuple):
    """A card dealt to a place: a seat, `widow`, or `spit` for the pile laid aside."""

    place: str
    card: Card


class DrawnCard(NamedTuple):
    """A seat shows a card that is to be removed and draws one of those spit aside."""

    seat: str
    shown: Card
    card: Card


class HandPart(StrEnum):
    """The parts of a hand, in order."""

    DEAL = "deal"
    AUCTION = "auction"
    NAMING = "naming"
    EXCHANGE = "exchange"
    PLAY = "play"


class Ending(StrEnum):
    """An end of a hand before its last trick."""

    STOPPED = "stopped"
    """The side that has won the first tricks stops (german-solo, 003)."""
    BIDDER = "bidder"
    """The bidder gives the hand up (decided in the rules sheet)."""
    OPPONENTS = "opponents"
    """The opponents give it up."""

    @property
    def key(self) -> ResultKey:
        """The result key that records it: `stopped`, or `conceded` for both sides."""
        return RESULT["stopped" if self is Ending.STOPPED else "conceded"]


class Announcement(StrEnum):
    """An announcement of the declarer in German Solo (003)."""

    TOUT = "tout"
    """Announced with the bid: every trick is the aim. Said before the first card."""
    PARTNER = "partner?"
    """Asked from the fifth trick on, while the called card is out; then no slam counts."""

    @property
    def key(self) -> ResultKey:
        """The result key that records it: `announced_tout` or `asked_partner`."""
        return RESULT["announced_tout" if self is Announcement.TOUT else "asked_partner"]


Action = DealtCard | DrawnCard | Call | Suit | Card | Ending | Announcement


def problem_of(step: Callable[[A], object], action: A) -> Violation | None:
    """Return the first violation of the `Refused` that `step(action)` raises; `None` if it does not."""
    try:
        step(action)
    except Refused as refused:
        return refused.violations[0]
    return None
