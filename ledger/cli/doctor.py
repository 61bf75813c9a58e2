"""``solo-ledger doctor``: look at each part of an installation, and say how to mend what is ill."""

import sys

import click

from ledger.keeping.doctor import examine


@click.command(epilog="Example: solo-ledger doctor")
def doctor() -> None:
    """Look at Python, settings, disk, database, integrity, migrations, key, owners, clock, fonts and backups.

    Exit status: 0 when all is well or only warned of, 1 when something is to be mended.
    """
    ill = False
    for finding in examine():
        ill = ill or not finding.is_well
        click.echo(f"{finding.state:<6}{finding.part:<12}{finding.text}")
    sys.exit(int(ill))
