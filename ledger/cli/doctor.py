"""``solo-ledger doctor``: look at each part of an installation, and say how to mend what is ill."""

import sys

import click

from ledger.keeping.doctor import examine


@click.command(epilog="Example: solo-ledger doctor")
def doctor() -> None:
    """Look at settings, disk, database, its integrity, migrations, key, clock, fonts, backups; a line each.

    Exit status: 0 when all is well, 1 when something is to be mended.
    """
    ill = False
    for finding in examine():
        ill = ill or not finding.well
        click.echo(f"{'ok' if finding.well else 'MEND':<6}{finding.what:<12}{finding.says}")
    sys.exit(int(ill))
