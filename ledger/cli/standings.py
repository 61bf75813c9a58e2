"""``solo-ledger standings``: print the standings of a club's players, of all evenings or of a period."""

import json
from datetime import datetime

import click

from engine.rules.sheet import CHIPS
from ledger.api.schemas.stats import ClubStatsSchema
from ledger.cli.books import books
from ledger.cli.period import days, period_options
from ledger.services.club import clubs
from ledger.services.reads import club_statistics
from ledger.services.reads.club_statistics import UnitStats
from ledger.services.session.session_filter import SessionFilter


@click.command(
    epilog='Example: solo-ledger standings "Thursday club" --from 2026-01-01 --to 2026-12-31'
)
@click.argument("club")
@period_options
@click.option("--player", help="Only this player.")
@click.option("--json", "as_json", is_flag=True, help="Print the API's JSON.")
def standings(
    club: str,
    first: datetime | None,
    last: datetime | None,
    game: str | None,
    player: str | None,
    as_json: bool,
) -> None:
    """Print the standings of CLUB, best first: in chips, and in scores for games that nobody pays."""
    chosen = SessionFilter(*days(first, last), game, player=player)
    with books() as database, database.read() as reading:
        clubs.by_name(reading, club)
        stats = club_statistics.of_club(reading, chosen)
    if as_json:
        payload = ClubStatsSchema().dump(stats)
        click.echo(json.dumps(payload, ensure_ascii=False, indent=2))
        return
    if not stats.units:
        click.echo("No hand yet." if chosen.is_empty else "No hand in this period.")
    for part in stats.units:
        _print(part)


def _print(part: UnitStats) -> None:
    """Print the standings in one unit as a table."""
    click.echo("Chips" if part.unit == CHIPS else "Scores")
    for place, line in enumerate(part.standings, 1):
        hands = "hand " if line.hands == 1 else "hands"
        click.echo(
            f"{place:>4}  {line.total:>+10,}  {line.hands:>6,} {hands}  "
            f"{line.made:>4} of {line.contracts:<4} made  {line.name}"
        )
