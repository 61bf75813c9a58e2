"""``solo-ledger verify``: recompute the ledger, and say where it differs."""

import sys

import click

from ledger.cli.books import books, settings
from ledger.cli.progress import bar
from ledger.jobs import WorkerLost, cores
from ledger.problems import counted
from ledger.services import audit as verifying


@click.command(epilog="Example: solo-ledger verify && echo all is well")
@click.option(
    "--jobs",
    type=click.IntRange(1),
    default=cores(),
    help="Processes that score hands.  [default: one per core]",
)
def verify(jobs: int) -> None:
    """Recompute every hand's verdict, every entry, balance and sum, and the chain over the entries.

    Prints each difference, a line each. Exit status: 0 when there is none, 1 when there is one.
    """
    differences = 0
    try:
        with books() as database, bar("entries", counted=True) as advance:
            for difference in verifying.verify(database, advance, jobs):
                differences += 1
                click.echo(str(difference))
    except WorkerLost as error:
        raise click.ClickException(f"The books were not read to their end: {error}") from error
    if differences:
        click.echo(f"{counted(differences, 'difference')}.", err=True)
        sys.exit(1)
    click.echo(f"The books in {settings().database_place} are in order.", err=True)
