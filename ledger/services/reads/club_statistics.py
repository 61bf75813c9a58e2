"""Statistics of a club: who won most, what was played and how often it was made, the best and worst hand.

From the sums alone, as a player's are. Chips and scores are never added up.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from sqlmodel import bindparam, col, func, select

from engine.record import PASS
from engine.rules.sheet import CHIPS, SCORE
from ledger.database.models import Player, PlayerResult, PlayerTally, Side
from ledger.database.scope import ScopedSession
from ledger.services.reads.statistics import Extreme, found_first, game_info

_OF_A_SUM: tuple[Any, ...] = (
    *(Player.id, Player.name, PlayerTally.game, PlayerTally.bid, PlayerTally.side),
    *(PlayerTally.hands, PlayerTally.won, PlayerTally.total),
)
_SUMS = (
    select(*_OF_A_SUM)
    .join(PlayerTally, col(PlayerTally.player_id) == Player.id)
    .where(PlayerTally.hands > 0)
)


@dataclass(frozen=True, slots=True)
class Standing:
    """What a player won over all evenings in one unit, and in how many hands, without those sat out."""

    id: int
    name: str
    total: int
    hands: int


@dataclass(frozen=True, slots=True)
class GameCount:
    """A game: how many contracts were played, and how many of them were made."""

    game: str
    title: str
    contracts: int
    made: int


@dataclass(frozen=True, slots=True)
class Theirs:
    """A best or worst hand, and whose it was."""

    player: str
    hand: Extreme


@dataclass(frozen=True, slots=True)
class InUnit:
    """What was won in one unit: by everybody, best first, and the best and worst hand of all."""

    unit: str
    standings: tuple[Standing, ...]
    best: Theirs | None
    worst: Theirs | None


@dataclass(frozen=True, slots=True)
class ClubStats:
    """A club's statistics: of chips, of scores, of whatever was played for; ``games`` most played first."""

    units: tuple[InUnit, ...]
    games: tuple[GameCount, ...]


class _Sum(NamedTuple):
    """A tally with whose it is."""

    player_id: int
    name: str
    game: str
    bid: str
    side: str
    hands: int
    won: int
    total: int


def of_club(session: ScopedSession) -> ClubStats:
    """Return what a club won and played."""
    rows: Sequence[Any] = session.exec(_SUMS).all()
    sums = [_Sum(*row) for row in rows]
    units = (_in_unit(session, sums, unit) for unit in (CHIPS, SCORE))
    return ClubStats(tuple(each for each in units if each.standings), tuple(_games(sums)))


def _in_unit(session: ScopedSession, sums: Iterable[_Sum], unit: str) -> InUnit:
    names: dict[int, str] = {}
    totals, hands = Counter[int](), Counter[int]()
    for each in sums:
        if game_info(each.game).unit == unit:
            names[each.player_id] = each.name
            totals[each.player_id] += each.total
            hands[each.player_id] += each.hands if each.side != Side.IDLE else 0
    order = sorted(names, key=lambda who: (-totals[who], names[who]))
    standings = tuple(Standing(who, names[who], totals[who], hands[who]) for who in order)
    best, worst = (_theirs(session, names, unit, most) for most in (True, False))
    return InUnit(unit, standings, best, worst)


def _games(sums: Sequence[_Sum]) -> Iterable[GameCount]:
    """Yield the games, the most played first: each contract was bid by one player."""
    contracts, made = Counter[str](), Counter[str]()
    for each in sums:
        if each.side == Side.BIDDER and each.bid != PASS:
            contracts[each.game] += each.hands
            made[each.game] += each.won
    for game, number in contracts.most_common():
        yield GameCount(game, game_info(game).title, number, made[game])


def _of_each(*, most: bool) -> Any:
    """Ask each player's best hand, or worst; an index has it at its end."""
    order = col(PlayerResult.amount).desc() if most else col(PlayerResult.amount).asc()
    own = (
        select(PlayerResult.amount)
        .where(PlayerResult.player_id == Player.id, PlayerResult.unit == bindparam("unit"))
        .order_by(order)
        .limit(1)
        .correlate(Player)
        .scalar_subquery()
    )
    return select(Player.id, func.coalesce(own, 0))


_BEST, _WORST = _of_each(most=True), _of_each(most=False)


def _theirs(session: ScopedSession, names: dict[int, str], unit: str, most: bool) -> Theirs | None:
    """Find the hand that brought most, or cost most, of all; nothing where no hand brought or cost any."""
    every: Sequence[Any] = session.exec(_BEST if most else _WORST, params={"unit": unit}).all()
    sign = 1 if most else -1
    amount, player_id = max(
        ((sign * int(found), -who) for who, found in every if who in names), default=(0, 0)
    )
    if amount <= 0:
        return None
    hand = found_first(session, -player_id, unit, sign * amount)
    return Theirs(names[-player_id], hand)
