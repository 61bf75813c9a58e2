"""Pages of a session's hands, with running totals.

A running total after hand ``n`` sums up the standing hands 1 to ``n``, as corrected until now, and the other
entries written before hand ``n + 1``. Chips and scores have separate totals; a hand shows those of its unit.
The total after a page's last hand is computed from the nearer end of the session: from its beginning, or
back from the present totals. So the oldest page costs as much as the newest.
"""

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from sqlalchemy import bindparam
from sqlmodel import col, func, select

from engine.rules.sheet import CHIPS, SCORE
from ledger.database.models import Hand, HandState, HandVersionTable, PlayerResult
from ledger.database.scope import Built, ScopedSession
from ledger.services.reads import other_entries
from ledger.services.reads.hand_line import PlayerColumns, line
from ledger.services.reads.summary import HandLine, OtherEntry
from ledger.services.session.hand_versions import ALL_VERSIONS, HandVersion
from ledger.services.session.view import SessionView

_VERSIONS = Built(
    HandVersion,
    ALL_VERSIONS.where(Hand.session_id == bindparam("session"))
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
_Totals = dict[str, list[int]]
"""Each player's total, by unit."""


class HandWithTotals(NamedTuple):
    """A hand's current version, its older ones, oldest first, its payments and the totals after it.

    ``deltas`` and ``totals`` have one figure per player, in the hand's ``unit``; ``totals_by_unit`` are those
    in chips and in scores.
    """

    latest: HandVersion
    older: Sequence[HandVersion]
    unit: str
    deltas: tuple[int, ...]
    totals_by_unit: Mapping[str, tuple[int, ...]]

    @property
    def totals(self) -> tuple[int, ...]:
        """The totals after the hand, in its unit."""
        return self.totals_by_unit[self.unit]


def lines(
    session: ScopedSession, view: SessionView, first: int = 1, last: int | None = None
) -> list[HandLine]:
    """Return the lines of hands ``first`` to ``last``, both included, or to the last one dealt.

    Void hands are included; a range beyond the last hand is cut off.
    """
    columns = PlayerColumns.of(view)
    return [
        line(hand.latest, hand.older, columns, hand.totals)
        for hand in with_totals(session, view, first, last)
    ]


def with_totals(
    session: ScopedSession, view: SessionView, first: int = 1, last: int | None = None
) -> list[HandWithTotals]:
    """Return hands ``first`` to ``last``, both included, or to the last, with the totals after each.

    Void hands are included, and change no total.
    """
    last = view.hands_dealt if last is None else min(last, view.hands_dealt)
    # One hand more is read: its first entry separates the other entries before and after it.
    hands: dict[int, list[HandVersion]] = {}
    for version in session.ask(_VERSIONS, session=view.id, first=first, last=last + 1):
        hands.setdefault(version.number, []).append(version)
    following = hands.pop(last + 1, None)
    if not hands:
        return []
    columns = PlayerColumns.of(view)
    next_entry = None if following is None else _first_entry(following)
    if last < view.hands_dealt - last:
        others = _winnings(session, view, 0, next_entry)
        totals = _hand_totals(session, view, columns, 0, last)
        for entry in others:
            _add(totals[CHIPS], entry.amounts)
    else:
        others = _winnings(session, view, _first_entry(hands[first]) if first > 1 else 0)
        end = math.inf if next_entry is None else next_entry
        totals = {unit: list(columns.won(unit)) for unit in (CHIPS, SCORE)}
        for unit, later in _hand_totals(session, view, columns, last, view.hands_dealt).items():
            _add(totals[unit], later, -1)
        for entry in others:
            if entry.entry > end:
                _add(totals[CHIPS], entry.amounts, -1)
    page: list[HandWithTotals] = []
    for versions in reversed(hands.values()):
        *older, latest = versions
        unit, deltas = latest.unit, columns.figures(latest.deltas)
        after = {key: tuple(figures) for key, figures in totals.items()}
        page.append(HandWithTotals(latest, older, unit, deltas, after))
        if latest.state == HandState.STANDING:
            _add(totals[unit], deltas, -1)
        first_entry = _first_entry(versions)
        for entry in others:
            if first_entry < entry.entry and (next_entry is None or entry.entry < next_entry):
                _add(totals[CHIPS], entry.amounts, -1)
        next_entry = first_entry
    return page[::-1]


def _first_entry(versions: Sequence[HandVersion]) -> int:
    """Return the id of the entry that first recorded a hand, given all its versions; 0 without one."""
    return versions[0].entry_id or 0


def _winnings(
    session: ScopedSession, view: SessionView, since: int, until: int | None = None
) -> list[OtherEntry]:
    """Return the other entries after entry ``since`` and before ``until`` by which chips were won or lost."""
    entries = other_entries.of_session(session, view, since=since, until=until)
    return [entry for entry in entries if entry.counts]


def _hand_totals(
    session: ScopedSession, view: SessionView, columns: PlayerColumns, after: int, until: int
) -> _Totals:
    """Return each player's sum over the hands numbered above ``after`` and up to ``until``, by unit."""
    by_seat: dict[str, dict[int, int]] = {CHIPS: {}, SCORE: {}}
    if after < until:
        for unit, seat_id, amount in session.ask(_WON, session=view.id, after=after, until=until):
            by_seat[unit][seat_id] = amount
    return {unit: list(columns.figures(amounts)) for unit, amounts in by_seat.items()}


def _add(totals: list[int], figures: Sequence[int], sign: int = 1) -> None:
    """Add figures, times ``sign``, to the totals in place."""
    for place, figure in enumerate(figures):
        totals[place] += sign * figure
