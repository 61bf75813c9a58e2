"""``solo-ledger serve``: listen, migrate, and print the address."""

from typing import TYPE_CHECKING

import click

from ledger import server
from ledger.cli.settings import settings
from ledger.keeping import address as kept_address
from ledger.keeping.migrate import CannotOpen
from ledger.runtime import config

if TYPE_CHECKING:
    from ledger.server.home_https import HomeHttps


@click.command(epilog="Example: solo-ledger serve --lan   (the phones at the table scan the code)")
@click.option("--host", default=None, help="Address to listen on.  [default: 127.0.0.1]")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=None,
    help="Port to listen on; 0 takes a free one.  [default: 8000]",
)
@click.option(
    "--lan", is_flag=True, help="Listen on the local network and show a QR code of the address."
)
@click.option(
    "--https",
    is_flag=True,
    help="With --lan: also serve HTTPS, with a certificate that each phone trusts once.",
)
@click.option(
    "--https-port",
    type=click.IntRange(0, 65535),
    default=8443,
    show_default=True,
    help="Port for HTTPS; 0 takes a free one.",
)
def serve(host: str | None, port: int | None, lan: bool, https: bool, https_port: int) -> None:
    """Serve the pages and the API.

    The database is created or upgraded first. Stop with Ctrl-C. Ends with status 1 if a setting is
    wrong, the database can't be opened, or the address can't be listened on.
    """
    if https and not lan:
        raise click.UsageError("--https is for the local network: add --lan.")
    chosen = settings()
    if misspelt := config.unknown():  # a misspelt LEDGER_SIGN_UP would leave sign-up open
        click.echo(f"{', '.join(misspelt)}: no such setting; the README lists them.", err=True)
    host = host or (server.EVERYWHERE if lan else chosen.host)
    try:
        running = server.listen(
            chosen, host, chosen.port if port is None else port, https_port if https else None
        )
    except (server.CannotListen, CannotOpen) as error:
        raise click.ClickException(str(error)) from error
    address = address_of(running, host)
    kept_address.store(chosen, address)
    click.echo(f"Books:   {chosen.database_place}")
    click.echo(f"Address: {address}")
    if running.https:
        _show_trust(running.https, address)
    elif lan:
        show_code(address)
        click.echo("Scan to open it on a phone; with the club's passcode that phone can score.")
    run(running)


def _show_trust(https: "HomeHttps", address: str) -> None:
    """Print the addresses under HTTPS, and the way for a phone to trust them."""
    certificates, port = https.home.certificates, https.home.https_port
    for name in certificates.names:
        click.echo(f"HTTPS:   {server.url(name, port, 'https')}")
    click.echo(f"Key:     {certificates.folder}   (who has it can pass for this server)")
    click.echo("SHA-256 fingerprint of the certificate that phones are to trust:")
    groups = certificates.authority.fingerprint.split()
    for at in range(0, len(groups), 4):
        click.echo(f"         {' '.join(groups[at : at + 4])}")
    for notice in https.notices:
        click.echo(notice)
    show_code(f"{address}trust")
    click.echo(
        "Scan to use it on a phone: the page explains how to trust the certificate, once, and leads"
    )
    click.echo("to the clubs over HTTPS. Compare the fingerprint. Plain HTTP keeps working.")


def address_of(running: server.HttpServer, host: str) -> str:
    """Return the URL to open; for a server on all addresses that of the machine in the local network."""
    everywhere = host in {server.EVERYWHERE, "::"}
    return server.url(server.lan_address() if everywhere else host, running.effective_port)


def show_code(address: str) -> None:
    """Print a QR code of an address."""
    import segno  # imports much that serving does without

    click.echo()
    segno.make(address, error="l").terminal(compact=True)


def run(running: server.HttpServer) -> None:
    """Run a server until it is stopped, also by Ctrl-C, and close it."""
    click.echo("Ctrl-C stops.")
    try:
        running.run()
    except KeyboardInterrupt:
        click.echo()
    finally:
        running.close()
