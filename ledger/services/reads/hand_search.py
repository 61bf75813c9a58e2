"""Which hands of a session somebody looks for: a player's, those of a bid, those lost or changed."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from sqlalchemy import bindparam
from sqlmodel import col, select

from engine.record import PASS
from engine.rules.verdict import Outcome
from ledger.database.models import Hand, HandAction, HandState, HandVersionTable
from ledger.database.scope import Built, ScopedSession
from ledger.services.reads.hand_line import PlayerColumns
from ledger.services.session.view import SessionView


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is looked for; what is left empty may be anything.

    ``player`` goes by today's name and played the contract, as bidder or partner. ``bid`` is a slug, or that
    of a pass where all passed. A void hand was neither won nor lost.
    """

    player: str = ""
    bid: str = ""
    lost: bool = False
    changed: bool = False

    @property
    def is_empty(self) -> bool:
        """Whether nothing is looked for."""
        return not (self.player or self.bid or self.lost or self.changed)


@dataclass(frozen=True, slots=True)
class _Found:
    number: int
    state: str
    players: list[str]
    seat_ids: list[int]
    bid: str | None
    sides: tuple[str | None, str | None]
    outcome: str
    changed: bool


_earlier: Any = (
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
    *(_verdict["partner"].as_string(), _verdict["outcome"].as_string(), _earlier),
)


def _found(*row: Any) -> _Found:
    number, state, players, seat_ids, bid, bidder, partner, outcome, changed = row
    return _Found(number, state, players, seat_ids, bid, (bidder, partner), outcome, changed)


_HANDS = Built(
    _found,
    select(*_columns)
    .where(HandVersionTable.hand_id == Hand.id, HandVersionTable.version == Hand.version)
    .where(Hand.session_id == bindparam("session"))
    .order_by(col(Hand.number).desc()),
)


def numbers(session: ScopedSession, view: SessionView, wanted: Wanted) -> list[int]:
    """Return the numbers of the hands that are looked for, newest first.

    It reads a line of every hand of the session: some milliseconds a thousand hands.
    """
    columns = PlayerColumns.of(view)
    own = {
        seat.id
        for name, seats in zip(columns.names, columns.seats, strict=True)
        for seat in seats
        if name == wanted.player
    }
    return [
        found.number
        for found in session.ask(_HANDS, session=view.id)
        if _is_wanted(found, wanted, own)
    ]


def _is_wanted(found: _Found, wanted: Wanted, own: set[int]) -> bool:
    seat_of = dict(zip(found.players, found.seat_ids, strict=True))
    return (
        (not wanted.player or any(seat_of.get(name or "") in own for name in found.sides))
        and (not wanted.bid or (found.bid or PASS) == wanted.bid)
        and (not wanted.lost or (found.outcome, found.state) == (Outcome.LOST, HandState.STANDING))
        and (not wanted.changed or found.changed)
    )


def runs(falling: Iterable[int]) -> list[tuple[int, int]]:
    """Put falling numbers together where one follows another, each run by its first and last.

    >>> runs([9, 8, 7, 4, 2, 1])
    [(7, 9), (4, 4), (1, 2)]
    """
    every = list(falling)
    ends = [place for place, (high, low) in enumerate(pairwise(every), 1) if high - low > 1]
    bounds = pairwise([0, *ends, len(every)]) if every else ()
    return [(every[end - 1], every[start]) for start, end in bounds]
