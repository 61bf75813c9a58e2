"""``solo-ledger standings``: print the standings of a club's players, of all evenings or of a period."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

import click

from engine.rules.sheet import CHIPS
from ledger.api.schemas.base import ResponseShape
from ledger.api.schemas.seasons import SeasonTableSchema
from ledger.api.schemas.stats import ClubRecordSchema, ClubStatsSchema, GameRatingsSchema
from ledger.cli.books import books
from ledger.cli.period import days, period_options, with_season
from ledger.database.kinds.seasons import ScoringMethod
from ledger.database.scope import ScopedSession
from ledger.services.club import clubs, players, seasons
from ledger.services.reads import club_statistics, ratings, records
from ledger.services.reads import seasons as season_reads
from ledger.services.reads.club_statistics import UnitStats
from ledger.services.reads.ratings import GameRatings
from ledger.services.reads.records import RECORDS, ClubRecord
from ledger.services.reads.seasons import SeasonTable
from ledger.services.session.session_filter import SessionFilter
from ledger.words import currencies
from ledger.words.problems import counted


@click.command(
    epilog='Example: solo-ledger standings "Thursday club" --from 2026-01-01 --to 2026-12-31'
)
@click.argument("club")
@period_options
@click.option("--player", help="Only this player.")
@click.option("--records", "kind", flag_value="records", help="Print the club's records instead.")
@click.option(
    "--ratings", "kind", flag_value="ratings", help="Print the rating list of each game instead."
)
@click.option("--json", "as_json", is_flag=True, help="Print the API's JSON.")
def standings(
    club: str,
    first: datetime | None,
    last: datetime | None,
    game: str | None,
    season: str | None,
    player: str | None,
    kind: str | None,
    as_json: bool,
) -> None:
    """Print the standings of CLUB, best first: in chips, and in scores for games that nobody pays.

    With --season it is the season's table, scored by its own method.
    """
    chosen = SessionFilter(*days(first, last), game, player=player)
    shape: ResponseShape
    found: Any
    with books() as database, database.read() as reading:
        clubs.by_name(reading, club)
        chosen = with_season(reading, chosen, season)
        if kind == "records":
            found, shape = records.of_club(reading, chosen), ClubRecordSchema(many=True)
        elif kind == "ratings":
            found, shape = ratings.of_club(reading, chosen), GameRatingsSchema(many=True)
        elif season is not None:
            found, shape = _of_season(reading, season, player), SeasonTableSchema()
        else:
            found, shape = club_statistics.of_club(reading, chosen), ClubStatsSchema()
    if as_json:
        click.echo(json.dumps(shape.dump(found), ensure_ascii=False, indent=2))
        return
    if isinstance(found, SeasonTable):
        _print_season(found)
        return
    lines: Sequence[Any] = found if kind else found.units
    if not lines:
        click.echo("No hand yet." if chosen.is_empty else "No hand in this period.")
    print_line: Callable[[Any], None] = _PRINTS.get(kind, _print)
    for line in lines:
        print_line(line)


def _of_season(session: ScopedSession, name: str, player: str | None) -> SeasonTable:
    """Return a season's table, with one player only if there is a name."""
    table = season_reads.show(session, seasons.by_name(session, name, "season").id)
    if player is None:
        return table
    only = players.by_name(session, player, "player").id
    return replace(
        table,
        standings=tuple(line for line in table.standings if line.id == only),
        changes=tuple(line for line in table.changes if line.id == only),
    )


def _print_season(table: SeasonTable) -> None:
    """Print a season's table, and its changes since the closing."""
    season = table.season
    state = "closed" if season.closed_at else "open"
    evenings = counted(table.evenings, "evening")
    click.echo(f"{season.name}, {season.first_day} to {season.last_day}, {state}, {evenings}")
    for line in table.standings:
        place = "-" if line.place is None else line.place
        click.echo(
            f"{place:>4}  {_figure(table, line.total):>12}  {counted(line.evenings, 'evening'):>12}  "
            f"{line.wins:>4} won  {line.name}"
        )
    for change in table.changes:
        before, now = (
            "not in it" if total is None else f"place {place or '-'}, {_figure(table, total)}"
            for place, total in (
                (change.place_before, change.total_before),
                (change.place, change.total),
            )
        )
        click.echo(f"Changed since: {change.name}: {before}; now {now}")


def _figure(table: SeasonTable, total: int) -> str:
    """Return a total in the unit of a season, money with its currency."""
    if table.season.method == ScoringMethod.MONEY:
        return f"{currencies.write(total, table.unit)} {table.unit}"
    return f"{total:,}"


def _print(part: UnitStats) -> None:
    """Print the standings in one unit as a table."""
    click.echo("Chips" if part.unit == CHIPS else "Scores")
    for place, line in enumerate(part.standings, 1):
        hands = "hand " if line.hands == 1 else "hands"
        click.echo(
            f"{place:>4}  {line.total:>+10,}  {line.hands:>6,} {hands}  "
            f"{line.made:>4} of {line.contracts:<4} made  {line.name}"
        )


def _print_record(record: ClubRecord) -> None:
    """Print a record on a line."""
    place = f"{record.session_title}, {record.played_on}" if record.session_id else ""
    at = f"{place}, hand {record.hand}" if record.hand else place
    players = ", ".join(record.players)
    amount = f"{record.amount:,}" if record.unit == "count" else f"{record.amount:+,}"
    click.echo(f"{RECORDS[record.kind]:<34}  {amount:>8}  {': '.join(filter(None, (players, at)))}")


def _print_ratings(game: GameRatings) -> None:
    """Print the rating list of a game as a table."""
    click.echo(f"{game.title}, {game.evenings} rated evening{'s' * (game.evenings != 1)}")
    for place, line in enumerate(game.players, 1):
        mark = "  provisional" if line.provisional else ""
        click.echo(
            f"{place:>4}  {line.rating:>6,}  {line.strength:>6,} ± {line.uncertainty:<3}  "
            f"{line.evenings:>5,} evenings  {line.name}{mark}"
        )


_PRINTS: Mapping[str | None, Callable[[Any], None]] = {
    "records": _print_record,
    "ratings": _print_ratings,
}
