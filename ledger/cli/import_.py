"""``solo-ledger import``: add the club in an archive to the ledger."""

from typing import BinaryIO

import click

from ledger.cli import link
from ledger.cli.books import books
from ledger.cli.progress import bar
from ledger.cli.settings import settings
from ledger.keeping.archive.importing import import_club
from ledger.runtime.jobs import WorkerLost, cores
from ledger.services.club.clubs import NameTaken


@click.command("import", epilog="Example: solo-ledger import thursday.solo.gz")
@click.argument("file", type=click.File("rb"))
@click.option("--name", default="", help="The club's name here, if another club has its name.")
def import_(file: BinaryIO, name: str) -> None:
    """Add the club in the archive FILE ("-": standard input), and print a link for its owner.

    The archive is verified first, and a faulty one changes nothing. If the club was imported before and
    nothing was written in it here, the entries that it lacks are added.
    """
    chosen = settings()
    with books(new=True) as database, bar("entries") as advance:
        try:
            club = import_club(
                database, file, chosen.secret_key, name=name, progress=advance, jobs=cores()
            )
        except NameTaken as problem:
            raise click.ClickException(
                f"{problem.message} --name gives this one another."
            ) from problem
        except WorkerLost as error:
            raise click.ClickException(f"The archive was not verified: {error}") from error
    if not club.entries:
        click.echo(
            f"“{club.name}” is here with all entries of the archive: nothing was added.", err=True
        )
        return
    new = "1 entry" if club.entries == 1 else f"{club.entries:,} entries"
    if club.key is None:
        click.echo(f"Added {new} to “{club.name}”.", err=True)
        return
    click.echo(
        f"Added {new} to “{club.name}”. This link opens it for an owner, within 12 hours:", err=True
    )
    link.show(chosen, club.key)
