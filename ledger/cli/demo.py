"""``solo-ledger demo``: serve a made-up club from a folder of its own."""

import os
import shutil
from pathlib import Path

import click
from platformdirs import user_data_path

from ledger import server
from ledger.cli.demo_club import club, year
from ledger.cli.serve import address_of, run, show_code
from ledger.keeping.migrate import CannotOpen
from ledger.runtime.clock import today
from ledger.runtime.config import BadSetting
from ledger.words.problems import Unreachable

NAME = "solo-ledger-demo"
MARK = "made-by-solo-ledger-demo"
"""The file in the demo's folder that shows it may be removed."""


@click.command(epilog="Example: solo-ledger demo --fresh")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8000,
    show_default=True,
    help="Port to listen on; 0 takes a free one.",
)
@click.option("--lan", is_flag=True, help="Listen on the local network and show a QR code.")
@click.option(
    "--fresh", is_flag=True, help="Write the club again, without what you tried out in it."
)
@click.option(
    "--folder",
    type=click.Path(file_okay=False, path_type=Path),
    default=None,
    help=f"Where to keep the demo's folder, {NAME}.  [default: your data folder]",
)
def demo(port: int, lan: bool, fresh: bool, folder: Path | None) -> None:
    """Serve a made-up club with a year of evenings, in a folder of its own.

    Your own ledger is neither read nor changed, and LEDGER_ settings have no effect. The first start writes
    the club; later starts serve it again with what you changed, or replace it with --fresh.
    """
    place = (folder.absolute() if folder else user_data_path().absolute()) / NAME
    host = server.EVERYWHERE if lan else "127.0.0.1"
    try:
        server.must_be_free(host, port)
        _prepare(place, fresh=fresh)
        settings = club.settings_of(place)
        key = club.owner_key(settings)
        running = server.listen(settings, host, port)
    except server.CannotListen as error:
        raise click.ClickException(str(error)) from error
    except (CannotOpen, BadSetting) as error:
        raise click.ClickException(
            f"The demo in {place} can't be opened. Write it again with --fresh."
        ) from error
    except OSError as error:
        raise _cannot_write(place, error.strerror or error) from error
    address = f"{address_of(running, host)}v/{key}"
    click.echo(f"Demo:    “{year.CLUB}”, a made-up club. Nobody's real data is read or changed.")
    click.echo(f"Folder:  {place}   (remove it when you are done)")
    click.echo(f"Address: {address}")
    click.echo(f"         It opens the club as its owner for 12 hours. Passcode: {year.PASSCODE}")
    if lan:
        show_code(address)
    run(running)


def _prepare(place: Path, *, fresh: bool) -> None:
    """Write the club into the demo's folder if it is missing or ``fresh``, replacing a folder with the mark.

    Raises ``ClickException`` for a folder without it.

    The club is written beside its place and moved there when it is complete, so an interrupted start leaves
    nothing that a later one would serve.
    """
    if place.exists() and not (place / MARK).exists():
        raise click.ClickException(
            f"{place} was not made by the demo, so it is left alone. Move it away, or name another "
            "folder with --folder."
        )
    if place.exists() and not fresh:
        return
    click.echo("Writing a year of evenings; this takes a few seconds.")
    draft = place.with_name(f".{NAME}-{os.getpid()}")
    draft.mkdir(mode=0o700, parents=True)
    try:
        club.create(draft, today())
        (draft / MARK).touch()
        shutil.rmtree(place, ignore_errors=True)
        draft.rename(place)
    except Unreachable as error:
        raise _cannot_write(place, error.why) from error
    except CannotOpen as error:
        raise _cannot_write(place, "its database can't be created") from error
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def _cannot_write(place: Path, reason: object) -> click.ClickException:
    """Return an error: the demo can't be written in this folder."""
    return click.ClickException(
        f"Can't write the demo in {place}: {reason}. Name another folder with --folder."
    )
