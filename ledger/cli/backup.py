"""``solo-ledger backup``: copy the ledger in use, and check the copy."""

import click

from ledger.cli.settings import settings
from ledger.keeping.backup import Backups, NoBackup


@click.command(epilog="Example: solo-ledger backup")
def backup() -> None:
    """Copy the ledger into the folder of backups, check the copy, and print its name.

    Others may save meanwhile. LEDGER_BACKUP_DIR names the folder, LEDGER_BACKUPS_KEPT says how many stay.
    """
    try:
        click.echo(Backups.of(settings(make=False)).make().file)
    except NoBackup as error:
        raise click.ClickException(str(error)) from error
