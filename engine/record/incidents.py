"""The events of a hand that its cards do not show: a claim, a spread hand, and irregularities."""

from typing import NamedTuple

from engine.cards.cards import Card
from engine.record.results import RESULT

SIDES = RESULT["conceded"].words
"""The words for the two sides of a hand; as the claimer they take precedence over a seat's name."""

REVOKE, EXPOSED, MISDEAL, OUT_OF_TURN = WHAT = ("revoke", "exposed", "misdeal", "out-of-turn")
"""The kinds of irregularities."""

PLAY_ON, REPLAYED, VOID, LOST, AGREED = SETTLED = ("play-on", "replayed", "void", "lost", "agreed")
"""The settlements of an irregularity."""
DECIDING = (VOID, LOST, AGREED)
"""The settlements that decide the hand, whatever its cards."""

MOST_IRREGULAR = 36
"""The most irregularities of a record: one for each card."""

MOST_TRANSFERS = 132
"""The most agreed payments of one irregularity: one from each of twelve seats to each other."""


class Transfer(NamedTuple):
    """A payment between two seats, or a seat and a pot; the amount is positive."""

    payer: str
    payee: str
    amount: int


class Claim(NamedTuple):
    """An accepted claim, by a seat or a side, of tricks or card points after `after` complete tricks.

    The claimer's side gets `tricks` of the remaining tricks and `points` of the remaining card points; all of
    them if neither is stated. `shown` are cards that the claimer showed.
    """

    by: str
    after: int
    tricks: int | None = None
    points: int | None = None
    shown: tuple[Card, ...] | None = None


class Spread(NamedTuple):
    """The card after which the bidder's hand was laid open."""

    after: Card


class Irregularity(NamedTuple):
    """A breach of the rules in a hand and how the table settled it; `transfers` are agreed payments."""

    what: str
    settled: str
    seat: str | None = None
    trick: int | None = None
    card: Card | None = None
    transfers: tuple[Transfer, ...] | None = None


def decision(irregular: tuple[Irregularity, ...] | None) -> Irregularity | None:
    """Return the first irregularity settled as void, lost or agreed, which decides the hand; else `None`."""
    return next((one for one in irregular or () if one.settled in DECIDING), None)
