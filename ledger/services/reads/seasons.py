"""The table of a season from the club's evenings, and its changes since the season was closed."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Annotated, Any

from sqlmodel import col, select

from engine.rules.sheet import CHIPS, SCORE
from engine.words.sentences import later, say
from ledger.database.kinds.seasons import ScoringMethod
from ledger.database.models import Season
from ledger.database.scope import ScopedSession
from ledger.services.club import players, seasons
from ledger.services.club.seasons import SeasonView
from ledger.services.money import currency
from ledger.services.reads import sessions
from ledger.services.reads.evening_sums import EVERY_EVENING
from ledger.services.reads.player_sums import game_info
from ledger.services.reads.season_table import CountedEvening, SeasonStanding, season_table
from ledger.services.reads.sessions import Evening
from ledger.services.session import session_filter
from ledger.words.problems import Conflict

POINTS, EVENINGS_WON = "points", "wins"


@dataclass(frozen=True, slots=True)
class SeasonChange:
    """A player with another place or total than at the closing; null if they are not in that table."""

    id: Annotated[int, "The player's id."]
    name: str
    place_before: int | None
    total_before: int | None
    place: Annotated[int | None, "Their place now."]
    total: Annotated[int | None, "Their total now."]


@dataclass(frozen=True, slots=True)
class SeasonTable:
    """A season with its table; that of a closed season is the one at its closing."""

    season: SeasonView
    unit: Annotated[
        str,
        "The unit of the totals: `chips`, `score`, `points`, `wins`, or the currency in minor units.",
    ]
    amount_unit: Annotated[str, "The unit of `best` and `amount`."]
    evenings: Annotated[int, "The number of evenings that count."]
    waiting: Annotated[int, "Evenings for money that count once they are cashed in."]
    standings: Annotated[tuple[SeasonStanding, ...], "Best first."]
    changes: Annotated[
        tuple[SeasonChange, ...],
        "The changes by corrections since the closing; empty while it is open.",
    ]

    @property
    def winners(self) -> tuple[SeasonStanding, ...]:
        """The players in the first place."""
        return tuple(row for row in self.standings if row.place == 1)


@dataclass(frozen=True, slots=True)
class SeasonLine:
    """A season in the list; a closed one with the players in the first place at its closing."""

    season: SeasonView
    winners: tuple[str, ...]


class NoWinner(Conflict):
    """Raised when the poster is asked for of a season that is open, or in which nobody has a place."""

    sentence = later("“{name}” has no winner: close it once its last evening is over.")


def list_lines(session: ScopedSession) -> list[SeasonLine]:
    """Return the club's seasons, the latest first by their last day."""
    latest_first = (col(Season.last_day).desc(), col(Season.id).desc())
    lines = []
    for row in session.exec(select(Season).order_by(*latest_first)):
        places = row.closing["standings"] if row.closing else ()
        first = tuple(line["name"] for line in places if line["place"] == 1)
        lines.append(SeasonLine(seasons.view(row), first))
    return lines


def show(session: ScopedSession, season_id: int) -> SeasonTable:
    """Return a season's table. Raises ``NotFound``."""
    return of_season(session, seasons.find(session, season_id))


def won(session: ScopedSession, season_id: int) -> SeasonTable:
    """Return the table of a closed season with its winners. Raises ``NotFound`` and ``NoWinner``."""
    table = show(session, season_id)
    if table.season.closed_at is None:
        raise NoWinner(name=table.season.name)
    if not table.winners:
        sentence = later("“{name}” has no winner: nobody has a place in its table.")
        raise NoWinner(say(sentence, name=table.season.name))
    return table


def evenings_of(session: ScopedSession, season: SeasonView) -> list[Evening]:
    """Return the evenings of a season's days and game, newest first."""
    return sessions.of_club(session, session_filter.of_season(season), limit=EVERY_EVENING)


def of_season(
    session: ScopedSession, row: Season, evenings: Sequence[Evening] | None = None
) -> SeasonTable:
    """Return the table of a season's row; ``evenings`` are its own, if they have been read already."""
    season = seasons.view(row)
    now = present(session, season, evenings)
    if row.closing is None:
        return now
    standings = tuple(SeasonStanding(**line) for line in row.closing["standings"])
    return SeasonTable(
        season,
        now.unit,
        now.amount_unit,
        row.closing["evenings"],
        now.waiting,
        standings,
        tuple(_changes(standings, now.standings)),
    )


def closing(table: SeasonTable) -> Mapping[str, Any]:
    """Return the values of its table that a season stores when it is closed."""
    return {"evenings": table.evenings, "standings": [asdict(row) for row in table.standings]}


def present(
    session: ScopedSession, season: SeasonView, evenings: Sequence[Evening] | None = None
) -> SeasonTable:
    """Return the table of a season from the evenings as they are now."""
    if evenings is None:
        evenings = evenings_of(session, season)
    ids = {player.name: player.id for player in players.everyone(session)}
    unit = _amount_unit(session, season)
    counted = [
        _counted(evening, ids, season, unit) for evening in evenings if _counts(evening, season)
    ]
    is_money = season.method == ScoringMethod.MONEY
    waiting = [
        evening
        for evening in evenings
        if evening.for_money and _was_played(evening) and not evening.is_cashed_in
    ]
    units = {ScoringMethod.RANKS: POINTS, ScoringMethod.WINS: EVENINGS_WON}
    return SeasonTable(
        season,
        units.get(ScoringMethod(season.method), unit),
        unit,
        len(counted),
        len(waiting) if is_money else 0,
        season_table(
            counted,
            season.method,
            season.least_evenings,
            season.tie_breaks,
            {number: name for name, number in ids.items()},
        ),
        (),
    )


def _amount_unit(session: ScopedSession, season: SeasonView) -> str:
    """Return the unit in which a season adds up evenings."""
    if season.method == ScoringMethod.MONEY:
        return currency.show(session).currency
    return game_info(season.game).unit if season.game else CHIPS


def _counts(evening: Evening, season: SeasonView) -> bool:
    """Return whether an evening counts: something was played, in the unit that the method adds up."""
    if season.method == ScoringMethod.MONEY and not evening.is_cashed_in:
        return False
    if season.method == ScoringMethod.CHIPS and not season.game and evening.unit == SCORE:
        return False
    return _was_played(evening)


def _was_played(evening: Evening) -> bool:
    """Return whether an evening has hands or a result."""
    return evening.hands > 0 or any(seat.won or seat.scored for seat in evening.seats)


def _counted(
    evening: Evening, ids: Mapping[str, int], season: SeasonView, unit: str
) -> CountedEvening:
    """Return an evening's figures by player id; chips and scores are never added up."""
    won, amounts = {}, {}
    for seat in evening.seats:
        player_id = ids[seat.player]
        won[player_id] = seat.won
        if season.method == ScoringMethod.MONEY:
            amounts[player_id] = seat.money
        elif unit == SCORE:
            amounts[player_id] = seat.scored
        else:
            amounts[player_id] = seat.won if evening.unit == CHIPS else 0
    return CountedEvening(won, amounts)


def _changes(
    before: Sequence[SeasonStanding], now: Sequence[SeasonStanding]
) -> Iterator[SeasonChange]:
    """Yield the players with another place or total, in the order of their present places."""
    old, new = ({row.id: row for row in rows} for rows in (before, now))
    for player_id in dict.fromkeys([*new, *old]):
        rows = old.get(player_id), new.get(player_id)
        (place_before, total_before), (place, total) = (
            (row.place, row.total) if row else (None, None) for row in rows
        )
        if (place_before, total_before) != (place, total):
            name = next(row.name for row in reversed(rows) if row)
            yield SeasonChange(player_id, name, place_before, total_before, place, total)
