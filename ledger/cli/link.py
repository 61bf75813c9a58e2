"""``solo-ledger link``: a link into a club, as for an owner whose phone is lost."""

import click

from ledger import server
from ledger.access import Access, Role
from ledger.cli.books import books
from ledger.cli.settings import settings
from ledger.services.club import clubs, links


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
    """Make a link into CLUB and print it: whoever opens it is let in."""
    chosen = settings()
    with books() as database:
        with database.read() as reading:
            found = clubs.by_name(reading, club)
        keeper = Access(found.id, Role.OWNER, "command line")
        key, _ = links.make(database, keeper, chosen.secret_key, role=Role(role), lasts=lasts)
    address = chosen.public_url or server.url(chosen.host, chosen.port).rstrip("/")
    click.echo(f"{address}/v/{key}")
