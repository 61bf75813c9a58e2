"""Statistics of a club: its players' standings, the games and contracts played, the best and worst hand.

Computed from stored sums only. Chips and scores are never added up.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Any, NamedTuple, TypeVar

from sqlmodel import bindparam, col, func, select

from engine.record import PASS
from engine.rules.sheet import CHIPS, SCORE
from ledger.database.models import Player, PlayerResult, PlayerTally, Side
from ledger.database.scope import Built, ScopedSession
from ledger.services.reads.player_sums import game_info
from ledger.services.reads.statistics import UNIT, Extreme, first_hand


@dataclass(frozen=True, slots=True, kw_only=True)
class ContractCount:
    """The numbers of contracts bid and made."""

    contracts: Annotated[int, "The number of contracts bid."] = 0
    made: Annotated[int, "The number of these that were made."] = 0

    @property
    def share(self) -> int:
        """The percentage of contracts that were made; 0 without any."""
        return round(100 * self.made / self.contracts) if self.contracts else 0


@dataclass(frozen=True, slots=True)
class Standing(ContractCount):
    """A player's total in one unit, the number of hands, without those sat out, and the contracts bid."""

    id: Annotated[int, "The player's id."]
    name: str
    total: Annotated[int, "What all hands came to, in the unit."]
    hands: Annotated[int, "The number of hands played, without those sat out."]

    @property
    def average(self) -> Fraction:
        """The total per hand; 0 without hands."""
        return Fraction(self.total, self.hands) if self.hands else Fraction(0)


@dataclass(frozen=True, slots=True)
class BidCount(ContractCount):
    """One bid of a game, by its slug."""

    bid: Annotated[str, "Its slug."]


@dataclass(frozen=True, slots=True)
class GameCount(ContractCount):
    """A game, and its bids, most frequent first."""

    game: str
    title: str
    bids: Annotated[tuple[BidCount, ...], "Most frequent first."]


@dataclass(frozen=True, slots=True)
class PlayerExtreme:
    """A best or worst hand with its player."""

    player: str
    hand: Extreme


@dataclass(frozen=True, slots=True)
class UnitStats:
    """The standings in one unit, best first, and the best and worst hand of all."""

    unit: Annotated[str, UNIT]
    standings: Annotated[tuple[Standing, ...], "Best first."]
    best: Annotated[PlayerExtreme | None, "The largest win in one hand."]
    worst: Annotated[PlayerExtreme | None, "The largest loss in one hand."]


@dataclass(frozen=True, slots=True)
class ClubStats:
    """A club's statistics for each unit played for, and its games, most played first."""

    units: Annotated[tuple[UnitStats, ...], "Chips and scores are never added up."]
    games: Annotated[tuple[GameCount, ...], "Most played first."]


C = TypeVar("C", bound=ContractCount)


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
    rows: dict[int, list[_Sum]] = {}
    for row in sums:
        if game_info(row.game).unit == unit:
            rows.setdefault(row.player_id, []).append(row)
    standings = sorted(map(_standing, rows.values()), key=lambda line: (-line.total, line.name))
    names = {line.id: line.name for line in standings}
    best, worst = (_extreme(session, names, unit, is_best) for is_best in (True, False))
    return UnitStats(unit, tuple(standings), best, worst)


def _standing(sums: Sequence[_Sum]) -> Standing:
    """Return a player's standing from their tallies in one unit."""
    return Standing(
        sums[0].player_id,
        sums[0].name,
        sum(row.total for row in sums),
        sum(row.hands for row in sums if row.side != Side.IDLE),
        **_contracts(sums),
    )


def _contracts(sums: Iterable[_Sum]) -> dict[str, int]:
    """Return the fields of a ``ContractCount``, by the tallies of bidders."""
    bid = [row for row in sums if row.side == Side.BIDDER and row.bid != PASS]
    return {"contracts": sum(row.hands for row in bid), "made": sum(row.won for row in bid)}


def _games(sums: Sequence[_Sum]) -> Sequence[GameCount]:
    """Return the games, most played first; a game without contracts is left out."""
    by_bid: dict[str, dict[str, list[_Sum]]] = {}
    for row in sums:
        by_bid.setdefault(row.game, {}).setdefault(row.bid, []).append(row)
    games = []
    for game, bids in by_bid.items():
        counts = [BidCount(bid, **_contracts(rows)) for bid, rows in bids.items()]
        played = tuple(_most_first(count for count in counts if count.contracts))
        all_of_it = _contracts(row for rows in bids.values() for row in rows)
        games.append(GameCount(game, game_info(game).title, played, **all_of_it))
    return _most_first(game for game in games if game.contracts)


def _most_first(counts: Iterable[C]) -> list[C]:
    return sorted(counts, key=lambda count: -count.contracts)


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
