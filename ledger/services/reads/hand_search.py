"""Search a session's hands: a player's, those of a bid, those lost or changed."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

from sqlalchemy import bindparam
from sqlmodel import col, select

from engine.record import PASS
from engine.rules.verdict import Outcome
from ledger.database.models import Hand, HandAction, HandState, HandVersionTable
from ledger.database.scope import Built, ScopedSession
from ledger.services.reads.hand_line import PlayerColumns
from ledger.services.session.view import SessionView


@dataclass(frozen=True, slots=True)
class HandFilter:
    """The conditions of a search, of which a hand must meet all; an empty one matches every hand.

    ``player`` is a current name, and matches bidder and partner. ``bid`` is a slug; that of a pass matches
    every hand without a bidder. ``lost`` matches no void hand. ``changed`` matches hands that were corrected,
    voided or restored. ``state`` is a ``HandState``.
    """

    player: str = ""
    bid: str = ""
    lost: bool = False
    changed: bool = False
    state: str = ""

    @property
    def is_empty(self) -> bool:
        """Whether there is no condition."""
        return not (self.player or self.bid or self.lost or self.changed or self.state)


class _Candidate(NamedTuple):
    number: int
    state: str
    players: list[str]
    seat_ids: list[int]
    bid: str | None
    bidder: str | None
    partner: str | None
    outcome: str
    is_changed: bool


_is_changed: Any = (
    select(HandVersionTable.id)
    .where(HandVersionTable.hand_id == Hand.id)
    .where(
        HandVersionTable.action != HandAction.RECORDED,
        HandVersionTable.action != HandAction.FOLLOWED,
    )
    .correlate(Hand)
    .exists()
)
_record: Any = HandVersionTable.record
_verdict: Any = HandVersionTable.verdict
_columns: Any = (
    *(Hand.number, Hand.state, _record["players"], HandVersionTable.seat_ids),
    *(_record["contract"]["bid"].as_string(), _verdict["bidder"].as_string()),
    *(_verdict["partner"].as_string(), _verdict["outcome"].as_string(), _is_changed),
)


_HANDS = Built(
    _Candidate,
    select(*_columns)
    .where(HandVersionTable.hand_id == Hand.id, HandVersionTable.version == Hand.version)
    .where(Hand.session_id == bindparam("session"))
    .order_by(col(Hand.number).desc()),
)


def numbers(session: ScopedSession, view: SessionView, hand_filter: HandFilter) -> list[int]:
    """Return the numbers of the matching hands, void ones included, from the highest down.

    Reads one row for every hand of the session, some milliseconds per thousand hands.
    """
    columns = PlayerColumns.of(view)
    own = {
        seat.id
        for name, seats in zip(columns.names, columns.seats, strict=True)
        for seat in seats
        if name == hand_filter.player
    }
    hands = session.ask(_HANDS, session=view.id)
    return [hand.number for hand in hands if _matches(hand, hand_filter, own)]


def _matches(hand: _Candidate, hand_filter: HandFilter, own_seats: set[int]) -> bool:
    seat_of = dict(zip(hand.players, hand.seat_ids, strict=True))
    sides = (seat_of.get(name or "") for name in (hand.bidder, hand.partner))
    bid = PASS if hand.bidder is None else hand.bid
    return (
        (not hand_filter.player or any(seat in own_seats for seat in sides))
        and (not hand_filter.bid or bid == hand_filter.bid)
        and (
            not hand_filter.lost or (hand.outcome, hand.state) == (Outcome.LOST, HandState.STANDING)
        )
        and (not hand_filter.changed or hand.is_changed)
        and (not hand_filter.state or hand.state == hand_filter.state)
    )


def runs(falling: Iterable[int]) -> list[tuple[int, int]]:
    """Group falling numbers into runs of consecutive ones, each as a pair of its lowest and highest number.

    >>> runs([9, 8, 7, 4, 2, 1])
    [(7, 9), (4, 4), (1, 2)]
    """
    numbers = list(falling)
    ends = [place for place, (high, low) in enumerate(pairwise(numbers), 1) if high - low > 1]
    bounds = pairwise([0, *ends, len(numbers)]) if numbers else ()
    return [(numbers[end - 1], numbers[start]) for start, end in bounds]
