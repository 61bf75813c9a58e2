"""``solo-ledger doctor``: examine an installation and name remedies."""

import sys

import click

from ledger.keeping.doctor import examine


@click.command(epilog="Example: solo-ledger doctor")
def doctor() -> None:
    """Look at Python, settings, disk, database, standbys, keys, owners, clock, certificates, fonts, backups.

    Exit status: 0 when all is well or only warned of, 1 when something is to be mended.
    """
    all_well = True
    for finding in examine():
        all_well = all_well and finding.is_well
        click.echo(f"{finding.state:<6}{finding.part:<12}{finding.text}")
    sys.exit(int(not all_well))
