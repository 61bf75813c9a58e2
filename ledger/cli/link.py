"""``solo-ledger link``: create a link into a club, for example if an owner's phone is lost."""

import click

from ledger.cli.books import books, owner
from ledger.cli.settings import settings
from ledger.database.access import Role
from ledger.keeping import address
from ledger.runtime.config import Settings
from ledger.services.club import links


@click.command(epilog='Example: solo-ledger link "Thursday club" --role owner')
@click.argument("club")
@click.option(
    "--role",
    type=click.Choice([role.value for role in Role]),
    default=Role.OWNER.value,
    show_default=True,
    help="What whoever opens it may do.",
)
@click.option(
    "--lasts",
    type=click.Choice(list(links.LASTS)),
    default="hour",
    show_default=True,
    help="For how long it opens the club.",
)
def link(club: str, role: str, lasts: str) -> None:
    """Make a link into CLUB and print it; it lets in everybody who opens it, with the role."""
    chosen = settings()
    with books() as database:
        access = owner(database, club)
        key, _ = links.make(database, access, chosen.secret_key, role=Role(role), lasts=lasts)
    show(chosen, key)


def show(chosen: Settings, key: str) -> None:
    """Print the address of a link, with advice if others can't open it."""
    service = address.last(chosen)
    click.echo(f"{service or ''}/v/{key}")
    if service is None:
        click.echo(
            "The address of the service is not known here: type it before this. Links show it once "
            "solo-ledger serve has run, or LEDGER_PUBLIC_URL is set to it.",
            err=True,
        )
    elif address.is_of_this_machine(service):
        click.echo(
            "This opens on this machine only, as the service was last started. For phones start it with "
            "--lan, or set LEDGER_PUBLIC_URL to the address that people type.",
            err=True,
        )
