"""``solo-ledger token``: a bearer token for a club, made by whoever runs the service."""

import click

from ledger.access import Access, Role
from ledger.cli.books import books
from ledger.services.club import clubs, tokens


@click.command(epilog='Example: solo-ledger token "Thursday club" --label "kitchen tablet"')
@click.argument("club")
@click.option("--label", default="command line", show_default=True, help="What the token is for.")
@click.option(
    "--role",
    type=click.Choice([role.value for role in Role]),
    default=Role.SCORER.value,
    show_default=True,
    help="A scorer writes, a viewer only reads.",
)
def token(club: str, label: str, role: str) -> None:
    """Make a bearer token for the API of CLUB and print it, this once."""
    with books() as database:
        with database.read() as reading:
            found = clubs.by_name(reading, club)
        keeper = Access(found.id, Role.SCORER, "command line")
        secret, _ = tokens.issue(database, keeper, label=label, role=Role(role))
    click.echo(secret)
