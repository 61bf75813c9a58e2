"""``solo-ledger prune``: delete old stored responses and free their space."""

import click

from ledger.cli.books import books
from ledger.keeping.prune import prune as pruning
from ledger.words.problems import counted

MEGABYTE = 1_000_000


@click.command(epilog="Example: solo-ledger prune --days 30")
@click.option(
    "--days",
    type=click.IntRange(1, 36_500),
    default=30,
    show_default=True,
    help="Forget answers older than this.",
)
@click.option(
    "--rewrite",
    is_flag=True,
    help="Write an older SQLite file again, smaller; nobody can save meanwhile.",
)
def prune(days: int, rewrite: bool) -> None:
    """Forget the answers to old writes, which are kept so that a retry writes nothing twice.

    Hands, money and the history stay as they are. Others may save meanwhile. PostgreSQL gives back only what
    is at the table's end, and uses the rest for what is saved next.
    """
    with books() as database:
        pruned = pruning(database, days, rewrite=rewrite)
    freed = pruned.given_back / MEGABYTE
    click.echo(f"{counted(pruned.answers, 'answer')} forgotten, {freed:.1f} MB given back.")
    if pruned.inside:
        click.echo(
            f"{pruned.inside / MEGABYTE:.1f} MB more are free inside the file for what is saved next; "
            "to give them back, run it once with --rewrite while nobody plays."
        )
