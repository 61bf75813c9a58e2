"""``solo-ledger report``: write a session's PDF."""

from pathlib import Path

import click

from ledger.cli.books import books
from ledger.report import PAPER_SIZES, render, render_hand, render_score_sheet
from ledger.runtime.clock import now_at_the_table
from ledger.services.club import clubs
from ledger.services.reads import session as reads_session
from ledger.services.reads.hand_sheet import hand_sheet
from ledger.services.session.load import load
from ledger.services.table import start


@click.command(epilog='Example: solo-ledger report "Thursday club" 12 -o thursday.pdf')
@click.argument("club")
@click.argument("session", type=int, required=False)
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    help="File to write.  [default: session-N.pdf]",
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
def report(
    club: str,
    session: int | None,
    output: Path | None,
    paper: str,
    hand: int | None,
    score_sheet: bool,
    blank: bool,
) -> None:
    """Write the PDF of SESSION of CLUB and print its name; without SESSION, list the club's sessions."""
    with books() as database, database.read() as reading:
        clubs.by_name(reading, club)
        if session is None:
            for line in start.list_all(reading):
                click.echo(
                    f"{line.id:>6}  {line.started_on}  {line.hands_dealt:>4} "
                    f"{'hand ' if line.hands_dealt == 1 else 'hands'}  {line.title}"
                )
            return
        at, on = now_at_the_table(), PAPER_SIZES[paper]
        if hand is not None:
            view = load(reading, session)
            sheet = hand_sheet(reading, view, hand)
            pdf = render_hand(sheet, view, clubs.show(reading).name, printed_at=at, paper_size=on)
        elif score_sheet or blank:
            evening = reads_session.summary(reading, session)
            pdf = render_score_sheet(evening, printed_at=at, paper_size=on, blank=blank)
        else:
            pdf = render(reads_session.summary(reading, session), printed_at=at, paper_size=on)
    target = output or Path(f"session-{session}.pdf")
    try:
        target.write_bytes(pdf)
    except OSError as error:
        raise click.ClickException(f"Can't write {target}: {error.strerror}.") from error
    click.echo(str(target))
