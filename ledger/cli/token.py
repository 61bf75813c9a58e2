"""``solo-ledger token``: create a bearer token for a club."""

import click

from ledger.cli.books import books, owner
from ledger.database.access import Role
from ledger.services.club import tokens


@click.command(
    epilog='Example: solo-ledger token "Thursday club" --label "kitchen tablet" --expires 30'
)
@click.argument("club")
@click.option("--label", default="command line", show_default=True, help="What the token is for.")
@click.option(
    "--role",
    type=click.Choice([role.value for role in Role]),
    default=Role.SCORER.value,
    show_default=True,
    help="A viewer only reads, a scorer writes, an owner does what is an owner's.",
)
@click.option("--expires", type=int, help="End after so many days.  [default: when it is revoked]")
def token(club: str, label: str, role: str, expires: int | None) -> None:
    """Make a bearer token for the API of CLUB and print it, this once."""
    with books() as database:
        access = owner(database, club)
        secret, _ = tokens.issue(database, access, label=label, role=Role(role), days=expires)
    click.echo(secret)
