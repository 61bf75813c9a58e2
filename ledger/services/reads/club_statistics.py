"""Statistics of a club: its players' standings, the games and contracts played, the best and worst hand.

Computed from tallies: stored ones, or those of a period. Chips and scores are never added up.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, TypeVar

from engine.record import PASS
from engine.rules.sheet import CHIPS, SCORE
from ledger.database.kinds.states import Side
from ledger.database.scope import ScopedSession, asked_once
from ledger.services.reads import tallies
from ledger.services.reads.player_sums import game_info
from ledger.services.reads.statistics import UNIT, Extreme, first_hand
from ledger.services.reads.tallies import NamedTally
from ledger.services.session.session_filter import EVERY_SESSION, SessionFilter


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
    total: Annotated[int, "What all hands and evenings on paper came to, in the unit."]
    hands: Annotated[int, "The number of hands played, without those sat out."]
    on_paper: Annotated[int, "The part of the total from evenings scored on paper."] = 0

    @property
    def average(self) -> Fraction:
        """The total per hand, without evenings on paper; 0 without hands."""
        return Fraction(self.total - self.on_paper, self.hands) if self.hands else Fraction(0)


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


@asked_once
def of_club(session: ScopedSession, chosen: SessionFilter = EVERY_SESSION) -> ClubStats:
    """Return the club's statistics, of archived players, too; a unit that nobody played for is left out.

    A filter limits them to the hands of a period, a game and a player. Raises ``Invalid`` at ``player``.
    """
    sums = tallies.of_club(session, chosen)
    units = (_in_unit(session, sums, unit, chosen) for unit in (CHIPS, SCORE))
    return ClubStats(tuple(unit for unit in units if unit.standings), tuple(_games(sums)))


def _in_unit(
    session: ScopedSession, sums: Sequence[NamedTally], unit: str, chosen: SessionFilter
) -> UnitStats:
    rows: dict[int, list[NamedTally]] = {}
    for row in sums:
        if row.unit == unit:
            rows.setdefault(row.player_id, []).append(row)
    standings = sorted(map(_standing, rows.values()), key=lambda line: (-line.total, line.name))
    names = {line.id: line.name for line in standings}
    amounts = tallies.extremes(session, sums, unit, chosen)

    def extreme(place: int, sign: int) -> PlayerExtreme | None:
        """Return the largest win or loss of all players; None if nobody won or lost anything."""
        largest = max(
            ((sign * own[place], -player_id) for player_id, own in amounts.items()), default=(0, 0)
        )
        amount, player_id = sign * largest[0], -largest[1]
        if largest[0] <= 0:
            return None
        return PlayerExtreme(names[player_id], first_hand(session, player_id, unit, amount, chosen))

    return UnitStats(unit, tuple(standings), extreme(0, 1), extreme(1, -1))


def _standing(sums: Sequence[NamedTally]) -> Standing:
    """Return a player's standing from their tallies in one unit."""
    return Standing(
        sums[0].player_id,
        sums[0].name,
        sum(row.total for row in sums),
        sum(row.hands for row in sums if row.side != Side.IDLE),
        sum(row.row.on_paper for row in sums),
        **_contracts(sums),
    )


def _contracts(sums: Iterable[NamedTally]) -> dict[str, int]:
    """Return the fields of a ``ContractCount``, by the tallies of bidders."""
    bid = [row for row in sums if row.side == Side.BIDDER and row.bid != PASS]
    return {"contracts": sum(row.hands for row in bid), "made": sum(row.won for row in bid)}


def _games(sums: Sequence[NamedTally]) -> Sequence[GameCount]:
    """Return the games, most played first; a game without contracts is left out."""
    by_bid: dict[str, dict[str, list[NamedTally]]] = {}
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
