"""``solo-ledger report``: write the PDF of a session, a period, a season, or a player's money."""

from datetime import datetime
from pathlib import Path

import click

from ledger.cli.books import books
from ledger.cli.period import days, period_options, with_season
from ledger.database.scope import ScopedSession
from ledger.report import (
    PAPER_SIZES,
    PaperSize,
    period_file_name,
    poster_pdf,
    render,
    render_hand,
    render_period,
    render_score_sheet,
    season_pdf,
    statement_pdf,
)
from ledger.runtime.clock import now_at_the_table
from ledger.services.club import clubs, players, seasons
from ledger.services.reads import session as reads_session
from ledger.services.reads.hand_sheet import hand_sheet
from ledger.services.reads.period_summary import of_period
from ledger.services.session.load import load
from ledger.services.session.session_filter import SessionFilter
from ledger.services.table import start


@click.command(
    epilog='Example: solo-ledger report "Thursday club" 12 -o thursday.pdf; or, for a year: '
    'solo-ledger report "Thursday club" --from 2026-01-01 --to 2026-12-31 -o year.pdf'
)
@click.argument("club")
@click.argument("session", type=int, required=False)
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    help="File to write.  [default: session-N.pdf, or the club or player with the days]",
)
@click.option(
    "--paper",
    type=click.Choice([*PAPER_SIZES]),
    default="a4",
    show_default=True,
    help="Paper to print on.",
)
@click.option("--hand", type=int, help="Write the sheet of this hand instead of the summary.")
@click.option("--score-sheet", is_flag=True, help="Write the score sheet instead of the summary.")
@click.option("--blank", is_flag=True, help="Write a score sheet with empty rows.")
@period_options
@click.option("--player", help="Write the statement of this player's money.")
@click.option(
    "--poster", is_flag=True, help="Write the poster of the winners of a closed --season."
)
def report(
    club: str,
    session: int | None,
    output: Path | None,
    paper: str,
    hand: int | None,
    score_sheet: bool,
    blank: bool,
    first: datetime | None,
    last: datetime | None,
    game: str | None,
    season: str | None,
    player: str | None,
    poster: bool,
) -> None:
    """Write the PDF of SESSION of CLUB and print its name.

    Without SESSION, write the report of a --season, or of the evenings that --from, --to and --game choose,
    or with -o alone of all; with --player the player's statement. Without any of these, list the sessions.
    """
    chosen, on = SessionFilter(*days(first, last), game), PAPER_SIZES[paper]
    of_session = hand is not None or score_sheet or blank
    if session is None and of_session:
        raise click.UsageError("Name a SESSION for --hand, --score-sheet and --blank.")
    if session is not None and not (chosen.is_empty and season is None and player is None):
        raise click.UsageError("Days, a game, a season or a player are chosen without a SESSION.")
    if poster and (season is None or player is not None):
        raise click.UsageError("A --poster is of a --season, without a player.")
    if player is not None and game is not None:
        raise click.UsageError("A statement has all games: choose no --game.")
    with books() as database, database.read() as reading:
        clubs.by_name(reading, club)
        chosen = with_season(reading, chosen, season)
        if session is not None:
            pdf = _of_session(reading, session, on, hand, blank=blank, grid=score_sheet or blank)
            name = f"session-{session}.pdf"
        elif player is not None:
            pdf, name = statement_pdf(
                reading,
                players.by_name(reading, player, "player").id,
                clubs.show(reading).name,
                (chosen.first_day, chosen.last_day),
                printed_at=now_at_the_table(),
                paper_size=on,
            )
        elif season is not None:
            printed = poster_pdf if poster else season_pdf
            season_id = seasons.by_name(reading, season, "season").id
            pdf, name = printed(reading, season_id, printed_at=now_at_the_table(), paper_size=on)
        elif output is not None or not chosen.is_empty:
            summary = of_period(reading, chosen)
            pdf = render_period(summary, printed_at=now_at_the_table(), paper_size=on)
            name = period_file_name(summary)
        else:
            _list(reading)
            return
    target = output or Path(name)
    try:
        target.write_bytes(pdf)
    except OSError as error:
        raise click.ClickException(f"Can't write {target}: {error.strerror}.") from error
    click.echo(str(target))


def _of_session(
    transaction: ScopedSession,
    session: int,
    on: PaperSize,
    hand: int | None,
    *,
    grid: bool,
    blank: bool,
) -> bytes:
    """Return the PDF of a session, of one of its hands, or as a score sheet's grid."""
    at = now_at_the_table()
    if hand is not None:
        view = load(transaction, session)
        sheet = hand_sheet(transaction, view, hand)
        return render_hand(sheet, view, clubs.show(transaction).name, printed_at=at, paper_size=on)
    summary = reads_session.summary(transaction, session)
    if grid:
        return render_score_sheet(summary, printed_at=at, paper_size=on, blank=blank)
    return render(summary, printed_at=at, paper_size=on)


def _list(transaction: ScopedSession) -> None:
    """Print the club's sessions: number, day, hands and title."""
    for line in start.list_all(transaction):
        hands = "hand " if line.hands_dealt == 1 else "hands"
        click.echo(f"{line.id:>6}  {line.started_on}  {line.hands_dealt:>4} {hands}  {line.title}")
