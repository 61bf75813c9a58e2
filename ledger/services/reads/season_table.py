"""The table of a season, as a pure function of its evenings."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, NamedTuple

from ledger.database.kinds.seasons import ScoringMethod, TieBreak


class CountedEvening(NamedTuple):
    """An evening of a season, by player id.

    ``won`` decides the winners and the ranks: chips, or scores in an evening played for nothing else.
    ``amounts`` are added up: the same, or the money that the chips came to.
    """

    won: Mapping[int, int]
    amounts: Mapping[int, int]


@dataclass(frozen=True, slots=True)
class SeasonStanding:
    """A player in the table of a season."""

    id: Annotated[int, "The player's id."]
    name: str
    place: Annotated[int | None, "Players who are equal share it; null below the fewest evenings."]
    total: Annotated[int, "The sum by the season's method, in its unit."]
    evenings: Annotated[int, "The number of evenings attended."]
    wins: Annotated[int, "The evenings that nobody else did better in, unless all were even."]
    best: Annotated[
        int, "The best evening: its chips or score, or the money with the method `money`."
    ]
    amount: Annotated[int, "The sum of all evenings in the same."]


def season_table(
    evenings: Iterable[CountedEvening],
    method: str,
    least_evenings: int = 0,
    tie_breaks: Sequence[str] = (),
    names: Mapping[int, str] | None = None,
) -> tuple[SeasonStanding, ...]:
    """Return the players of evenings, best first; those with too few evenings come last, without a place.

    Args:
        evenings: The evenings that count.
        method: The ``ScoringMethod``. ``ranks`` gives a point for each player with a smaller result.
        least_evenings: The fewest evenings for a place.
        tie_breaks: The ``TieBreak`` that order equal totals; players equal in all share a place.
        names: The players' names by id, which order those with the same place.
    """
    names = names or {}
    figures: dict[int, list[_Figures]] = defaultdict(list)
    for evening in evenings:
        most = max(evening.won.values(), default=0)
        for player_id, won in evening.won.items():
            behind = sum(other < won for other in evening.won.values())
            is_best = won == most and behind > 0
            figures[player_id].append(_Figures(evening.amounts[player_id], behind, is_best))
    rows = [_standing(player_id, own, method, names) for player_id, own in figures.items()]
    key = _order(tie_breaks)
    rows.sort(key=lambda row: (row.evenings < least_evenings, *key(row), row.name, row.id))
    placed: list[SeasonStanding] = []
    for number, row in enumerate(rows, 1):
        if row.evenings < least_evenings:
            placed.append(row)
        elif placed and key(placed[-1]) == key(row):
            placed.append(replace(row, place=placed[-1].place))
        else:
            placed.append(replace(row, place=number))
    return tuple(placed)


class _Figures(NamedTuple):
    """A player's figures of one evening."""

    amount: int
    points: int
    is_best: bool


def _standing(
    player_id: int, own: Sequence[_Figures], method: str, names: Mapping[int, str]
) -> SeasonStanding:
    """Return a player's row without a place, from their evenings."""
    amount = sum(evening.amount for evening in own)
    wins = sum(evening.is_best for evening in own)
    points = sum(evening.points for evening in own)
    totals = {ScoringMethod.RANKS: points, ScoringMethod.WINS: wins}
    return SeasonStanding(
        id=player_id,
        name=names.get(player_id, ""),
        place=None,
        total=totals.get(ScoringMethod(method), amount),
        evenings=len(own),
        wins=wins,
        best=max(evening.amount for evening in own),
        amount=amount,
    )


def _order(tie_breaks: Sequence[str]) -> Callable[[SeasonStanding], tuple[int, ...]]:
    """Return the key of rows that is smaller for a better one, and equal for those with the same place."""
    figures = ["total", *(TieBreak(name).value for name in tie_breaks)]
    return lambda row: tuple(-getattr(row, name) for name in figures)
