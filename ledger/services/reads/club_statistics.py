"""Statistics of a club: its players' standings, the games and contracts played, the best and worst hand.

Computed from stored sums only. Chips and scores are never added up.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from sqlmodel import bindparam, col, func, select

from engine.record import PASS
from engine.rules.sheet import CHIPS, SCORE
from ledger.database.models import Player, PlayerResult, PlayerTally, Side
from ledger.database.scope import Built, ScopedSession
from ledger.services.reads.player_sums import game_info
from ledger.services.reads.statistics import Extreme, first_hand


@dataclass(frozen=True, slots=True)
class Standing:
    """A player's total over all evenings in one unit, and the number of hands, without those sat out."""

    id: int
    name: str
    total: int
    hands: int


@dataclass(frozen=True, slots=True)
class GameCount:
    """A game with the numbers of contracts played and made."""

    game: str
    title: str
    contracts: int
    made: int


@dataclass(frozen=True, slots=True)
class PlayerExtreme:
    """A best or worst hand with its player."""

    player: str
    hand: Extreme


@dataclass(frozen=True, slots=True)
class UnitStats:
    """The standings in one unit, best first, and the best and worst hand of all."""

    unit: str
    standings: tuple[Standing, ...]
    best: PlayerExtreme | None
    worst: PlayerExtreme | None


@dataclass(frozen=True, slots=True)
class ClubStats:
    """A club's statistics for each unit played for, and its games, most played first."""

    units: tuple[UnitStats, ...]
    games: tuple[GameCount, ...]


class _Sum(NamedTuple):
    """A tally with its player."""

    player_id: int
    name: str
    game: str
    bid: str
    side: str
    hands: int
    won: int
    total: int


_COLUMNS: list[Any] = [getattr(PlayerTally, name) for name in _Sum._fields[2:]]
_SUMS = Built(
    _Sum,
    select(Player.id, Player.name)
    .add_columns(*_COLUMNS)
    .join(PlayerTally, col(PlayerTally.player_id) == Player.id)
    .where(col(PlayerTally.hands) > 0),
)


def of_club(session: ScopedSession) -> ClubStats:
    """Return the club's statistics, of archived players, too; a unit that nobody played for is left out."""
    sums = session.ask(_SUMS)
    units = (_in_unit(session, sums, unit) for unit in (CHIPS, SCORE))
    return ClubStats(tuple(unit for unit in units if unit.standings), tuple(_games(sums)))


def _in_unit(session: ScopedSession, sums: Iterable[_Sum], unit: str) -> UnitStats:
    names: dict[int, str] = {}
    totals, hands = Counter[int](), Counter[int]()
    for row in sums:
        if game_info(row.game).unit == unit:
            names[row.player_id] = row.name
            totals[row.player_id] += row.total
            hands[row.player_id] += row.hands if row.side != Side.IDLE else 0
    order = sorted(names, key=lambda player_id: (-totals[player_id], names[player_id]))
    standings = tuple(Standing(key, names[key], totals[key], hands[key]) for key in order)
    best, worst = (_extreme(session, names, unit, is_best) for is_best in (True, False))
    return UnitStats(unit, standings, best, worst)


def _games(sums: Sequence[_Sum]) -> Iterable[GameCount]:
    """Yield the games, most played first, by their bidders' tallies; a game without contracts is left out."""
    contracts, made = Counter[str](), Counter[str]()
    for row in sums:
        if row.side == Side.BIDDER and row.bid != PASS:
            contracts[row.game] += row.hands
            made[row.game] += row.won
    for game, number in contracts.most_common():
        yield GameCount(game, game_info(game).title, number, made[game])


def _extremes(*, is_best: bool) -> Any:
    """Return a query for each player's best or worst amount, 0 without hands; it is at an index's end."""
    order = col(PlayerResult.amount).desc() if is_best else col(PlayerResult.amount).asc()
    own = (
        select(PlayerResult.amount)
        .where(PlayerResult.player_id == Player.id, PlayerResult.unit == bindparam("unit"))
        .order_by(order)
        .limit(1)
        .correlate(Player)
        .scalar_subquery()
    )
    return select(Player.id, func.coalesce(own, 0))


_BEST, _WORST = _extremes(is_best=True), _extremes(is_best=False)


def _extreme(
    session: ScopedSession, names: Mapping[int, str], unit: str, is_best: bool
) -> PlayerExtreme | None:
    """Return the hand with the largest win or loss of all players; None if nobody won or lost anything."""
    query, sign = (_BEST, 1) if is_best else (_WORST, -1)
    rows: Sequence[Any] = session.exec(query, params={"unit": unit}).all()
    amount, player_id = max(
        ((sign * int(result), -key) for key, result in rows if key in names), default=(0, 0)
    )
    if amount <= 0:
        return None
    hand = first_hand(session, -player_id, unit, sign * amount)
    return PlayerExtreme(names[-player_id], hand)
