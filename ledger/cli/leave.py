"""``solo-ledger leave``: close a club that has moved to another installation, or open it again."""

import shlex

import click

from ledger.cli.books import books, owner
from ledger.services.club import moving


@click.command(epilog='Example: solo-ledger leave "Thursday club" --to https://cards.example.org')
@click.argument("club")
@click.option(
    "--to", metavar="ADDRESS", help="The address of the service that keeps it from now on."
)
@click.option("--stay", is_flag=True, help="Open it here again.")
def leave(club: str, to: str | None, stay: bool) -> None:
    """Close CLUB here: its links and devices get the address that it has moved to.

    Write its archive afterwards, with solo-ledger export: then nothing can be saved here that the archive
    lacks. Its devices, links and tokens work again if it is opened again.
    """
    if stay == bool(to):
        raise click.UsageError("Give either --to ADDRESS or --stay.")
    with books() as database:
        access = owner(database, club, here=False)
        if stay:
            moving.come_back(database, access)
            click.echo(f"“{club}” is open here.", err=True)
            return
        moving.leave(database, access, to or "")
    click.echo(
        f"“{club}” is closed here. Write its archive now and import it there: "
        f"solo-ledger export {shlex.quote(club)} -o FILE",
        err=True,
    )
