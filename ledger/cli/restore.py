"""``solo-ledger restore``: put a verified backup into a new place."""

from pathlib import Path

import click
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

from ledger.keeping.restore import NotRestored
from ledger.keeping.restore import restore as restoring
from ledger.runtime import config
from ledger.runtime.config import BadSetting
from ledger.runtime.signing import SigningKey


@click.command(
    epilog="Example: solo-ledger restore ledger-20260131T023000Z-….sqlite --to new.sqlite"
)
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--to", required=True, metavar="PLACE", help="A file, or the URL of an empty database."
)
def restore(file: Path, to: str) -> None:
    """Put the backup FILE into a new PLACE, after every hand, entry and balance in it was recomputed.

    It never replaces anything. LEDGER_DATABASE_URL then names the new place to serve from.
    """
    try:
        url = make_url(to) if "://" in to else URL.create("sqlite", database=to)
        config.must_have_driver(url)
        key = config.load(make=False).signing_key
        restoring(file, url, SigningKey.from_text(key) if key else None)
    except (ArgumentError, BadSetting, ImportError, NotRestored) as error:
        raise click.ClickException(str(error)) from error
    click.echo(f"Restored to {url.render_as_string()}.", err=True)
    click.echo(
        "Its entries are signed by a key that no backup holds: before it is served, put the file signing-key "
        "from beside the old ledger beside this one, or name its public key in LEDGER_TRUSTED_KEYS.",
        err=True,
    )
