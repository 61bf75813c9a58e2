"""The tallies of a club's players: all-time from stored sums, those of a period from its results.

Both have the same rows, so statistics are computed from either in the same way. Evenings scored on paper add
a row for each player and game, without hands.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from datetime import date
from typing import Any, NamedTuple

from sqlalchemy import BindParameter, Date
from sqlmodel import asc, bindparam, case, col, desc, func, or_, select

from ledger.database.kinds.states import ENDS
from ledger.database.models import (
    Account,
    Hand,
    Player,
    PlayerResult,
    PlayerTally,
    PlaySession,
    Seat,
)
from ledger.database.models.play import LISTED, ON_PAPER, WON_IN_CHIPS
from ledger.database.scope import Built, ScopedSession
from ledger.services.club import players
from ledger.services.reads.player_sums import TallyRow, game_info
from ledger.services.session.session_filter import SessionFilter


class NamedTally(NamedTuple):
    """A tally with its player, and in a period with their best and worst amount in it."""

    player_id: int
    name: str
    game: str
    bid: str
    side: str
    hands: int
    won: int
    lost: int
    tied: int
    total: int
    best: int = 0
    worst: int = 0

    @property
    def unit(self) -> str:
        """The unit of the amounts."""
        return game_info(self.game).unit

    @property
    def row(self) -> TallyRow:
        """The tally alone."""
        return TallyRow._make(self[2 : 2 + len(TallyRow._fields)])


_STORED_COLUMNS: list[Any] = [getattr(PlayerTally, name) for name in TallyRow._fields]
_STORED = Built(
    NamedTally,
    select(Player.id, Player.name)
    .add_columns(*_STORED_COLUMNS)
    .join(PlayerTally, col(PlayerTally.player_id) == Player.id)
    .where(col(PlayerTally.hands) > 0),
)

_NAMES: Built[tuple[int, str]] = Built(lambda *row: row, select(Player.id, Player.name))
_KEY: tuple[Any, ...] = (
    *(PlayerResult.player_id, PlayerResult.game, PlayerResult.bid, PlayerResult.side),
)
_FIGURES: tuple[Any, ...] = (
    func.count(),
    *(func.sum(case((col(PlayerResult.outcome) == end, 1), else_=0)) for end in ENDS),
    *(function(PlayerResult.amount) for function in (func.sum, func.max, func.min)),
)
IN_PERIOD = (
    col(PlaySession.started_on) >= bindparam("first", type_=Date),
    col(PlaySession.started_on) <= bindparam("last", type_=Date),
)
"""The conditions for sessions of a period, with the parameters of ``days``."""

_player: BindParameter[int] = bindparam("player")
_OF_PERIOD: Built[tuple[Any, ...]] = Built(
    lambda *row: row,
    select(*_KEY)
    .add_columns(*_FIGURES)
    .select_from(PlaySession)
    .join(Hand, col(Hand.session_id) == PlaySession.id)
    .join(PlayerResult, col(PlayerResult.hand_id) == Hand.id)
    .where(*IN_PERIOD, or_(_player == 0, PlayerResult.player_id == _player))
    .group_by(*_KEY),
)
"""The names are not joined: the planner would begin with the players, and read all results of each."""


def _own(order: Callable[[Any], Any]) -> Any:
    """Return a subquery for a player's highest or lowest amount in a unit, at the end of an index."""
    game: BindParameter[str] = bindparam("game")
    mine = (PlayerResult.player_id == Player.id, PlayerResult.unit == bindparam("unit"))
    amounts = select(PlayerResult.amount).where(*mine, or_(game == "", PlayerResult.game == game))
    return amounts.order_by(order(PlayerResult.amount)).limit(1).correlate(Player).scalar_subquery()


_EXTREMES: Built[tuple[int, int, int]] = Built(
    lambda *row: row,
    select(Player.id, func.coalesce(_own(desc), 0), func.coalesce(_own(asc), 0)),
)


_ON_PAPER: Built[tuple[Any, ...]] = Built(
    lambda *row: row,
    select(col(Seat.player_id), col(PlaySession.game), WON_IN_CHIPS)
    .select_from(PlaySession)
    .join(Seat, col(Seat.session_id) == PlaySession.id)
    .join(Account, col(Account.seat_id) == Seat.id)
    .where(ON_PAPER, LISTED, *IN_PERIOD),
)
"""The chips won in evenings scored on paper, which have no stored sums: a partial index finds them.

They are neither named nor added up here: the planner would begin with the players.
"""


def on_paper(session: ScopedSession, chosen: SessionFilter) -> list[NamedTally]:
    """Return the tallies of evenings in the period that were scored on paper, without hands, bid and side."""
    totals = Counter[tuple[int, str]]()
    for player_id, game, won in session.ask(_ON_PAPER, **days(chosen)):
        totals[player_id, game] += won
    names = dict(session.ask(_NAMES)) if totals else {}
    return [
        NamedTally(player_id, names[player_id], game, "", "", 0, 0, 0, 0, total)
        for (player_id, game), total in totals.items()
    ]


def days(chosen: SessionFilter) -> dict[str, date]:
    """Return the first and last day of a period as parameters; a missing one is the first or last of all."""
    return {"first": chosen.first_day or date.min, "last": chosen.last_day or date.max}


def of_club(session: ScopedSession, chosen: SessionFilter) -> list[NamedTally]:
    """Return the tallies of all players in the period, the game and of the player of a filter.

    ``game`` is the game of the hands. Raises ``Invalid`` at ``player``.
    """
    only = players.by_name(session, chosen.player, "player").id if chosen.player else 0
    rows = _of_period(session, chosen, only or 0) if chosen.is_dated else session.ask(_STORED)
    rows = [*rows, *on_paper(session, chosen)]
    return [row for row in rows if chosen.game in (None, row.game) and only in (0, row.player_id)]


def _of_period(session: ScopedSession, chosen: SessionFilter, only: int) -> list[NamedTally]:
    """Return the tallies of a period, of one player or, if ``only`` is 0, of all."""
    names = dict(session.ask(_NAMES))
    return [
        NamedTally(player_id, names[player_id], game, bid, side, *map(int, figures))
        for player_id, game, bid, side, *figures in session.ask(
            _OF_PERIOD, player=only, **days(chosen)
        )
    ]


def extremes(
    session: ScopedSession, tallies: Sequence[NamedTally], unit: str, chosen: SessionFilter
) -> dict[int, tuple[int, int]]:
    """Map the players who have tallies in a unit to their best and worst amount in it."""
    rows = [row for row in tallies if row.unit == unit and row.hands]
    if not rows:
        return {}
    found: dict[int, tuple[int, int]] = {}
    if chosen.is_dated:
        for row in rows:
            best, worst = found.get(row.player_id, (row.best, row.worst))
            found[row.player_id] = max(best, row.best), min(worst, row.worst)
        return found
    mine = {row.player_id for row in rows}
    amounts = session.ask(_EXTREMES, unit=unit, game=chosen.game or "")
    return {player_id: (best, worst) for player_id, best, worst in amounts if player_id in mine}
