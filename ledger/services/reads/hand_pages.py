"""The hands of a session, a page at a time, with the running totals.

A running balance after hand ``n`` is what everybody had won (or lost) by the next hand: by what the books
say today of hands 1 to ``n``, corrections among them, and by what was adjusted or shared out before hand
``n + 1`` was written. Chips and scores run apart; a hand shows those it was played for. After a page's last
hand it is found from the nearer end of the session: what came before, or what everybody has won so far less
what came later. So the oldest page costs what the newest does.
"""

import math
from collections.abc import Mapping, Sequence

from sqlalchemy import bindparam
from sqlmodel import col, func, select

from engine.rules.sheet import CHIPS, SCORE
from ledger.database.models import Hand, HandState, HandVersionTable, PlayerResult
from ledger.database.scope import Built, ScopedSession
from ledger.services.hands.stored import Written
from ledger.services.reads import other_entries
from ledger.services.reads.hand_line import PlayerColumns, line
from ledger.services.reads.summary import HandLine, OtherEntry
from ledger.services.session.stored import EVERY_VERSION, StoredHand, StoredVersion, pair
from ledger.services.session.view import SessionView

_VERSIONS = Built(
    pair,
    EVERY_VERSION.where(Hand.session_id == bindparam("session"))
    .where(Hand.number >= bindparam("first"), Hand.number <= bindparam("last"))
    .order_by(col(Hand.number), col(HandVersionTable.version)),
)
_WON = Built(
    lambda unit, seat_id, amount: (str(unit), int(seat_id), int(amount)),
    select(PlayerResult.unit, PlayerResult.seat_id, func.sum(PlayerResult.amount))
    .join(Hand, col(Hand.id) == PlayerResult.hand_id)
    .where(Hand.session_id == bindparam("session"))
    .where(Hand.number > bindparam("after"), Hand.number <= bindparam("until"))
    .group_by(col(PlayerResult.seat_id), col(PlayerResult.unit)),
)
_Running = Mapping[str, list[int]]
"""What everybody has won so far, by what it is counted in."""


def lines(
    session: ScopedSession, view: SessionView, first: int = 1, last: int | None = None
) -> list[HandLine]:
    """Return the lines of hands ``first`` to ``last`` (both among them; None: to the end), in order."""
    last = view.hands_dealt if last is None else min(last, view.hands_dealt)
    # One hand more than is shown: what it was written by says what belongs to the hands before it.
    found: dict[int, tuple[StoredHand, list[StoredVersion]]] = {}
    for hand, version in session.ask(_VERSIONS, session=view.id, first=first, last=last + 1):
        found.setdefault(hand.number, (hand, []))[1].append(version)
    following = found.pop(last + 1, None)
    if not found:
        return []
    columns = PlayerColumns.of(view)
    written_next = None if following is None else _written(following[1])
    if last < view.hands_dealt - last:
        others = _other_wins(session, view, 0, written_next)
        left = _won(session, view, columns, 0, last)
        for each in others:
            _add(left[CHIPS], each.amounts)
    else:
        others = _other_wins(session, view, _written(found[min(found)][1]))
        end = math.inf if written_next is None else written_next
        left = {unit: list(columns.won(unit)) for unit in (CHIPS, SCORE)}
        for unit, since in _won(session, view, columns, last, view.hands_dealt).items():
            _subtract(left[unit], since)
        for each in others:
            if each.entry > end:
                _subtract(left[CHIPS], each.amounts)
    made: list[HandLine] = []
    for hand, versions in reversed(found.values()):
        *older, latest = versions
        unit = Written.of(latest).unit
        made.append(line(hand, latest, older, columns, tuple(left[unit])))
        if hand.state == HandState.STANDING:
            _subtract(left[unit], made[-1].deltas)
        written = _written(versions)
        for each in others:
            if written < each.entry and (written_next is None or each.entry < written_next):
                _subtract(left[CHIPS], each.amounts)
        written_next = written
    return made[::-1]


def _written(versions: Sequence[StoredVersion]) -> int:
    """Return the entry a hand was first written by."""
    return versions[0].entry_id or 0


def _other_wins(
    session: ScopedSession, view: SessionView, since: int, until: int | None = None
) -> list[OtherEntry]:
    """Return the other entries by which chips were won or lost, after one entry and before another."""
    found = other_entries.of_session(session, view, since=since, until=until)
    return [each for each in found if each.counts]


def _won(
    session: ScopedSession, view: SessionView, columns: PlayerColumns, after: int, until: int
) -> _Running:
    """Return what everybody won in the hands after one number up to another."""
    by_seat: dict[str, dict[int, int]] = {CHIPS: {}, SCORE: {}}
    if after < until:
        for unit, seat_id, amount in session.ask(_WON, session=view.id, after=after, until=until):
            by_seat[unit][seat_id] = amount
    return {unit: list(columns.figures(won)) for unit, won in by_seat.items()}


def _add(left: list[int], figures: Sequence[int]) -> None:
    for place, figure in enumerate(figures):
        left[place] += figure


def _subtract(left: list[int], figures: Sequence[int]) -> None:
    for place, figure in enumerate(figures):
        left[place] -= figure
