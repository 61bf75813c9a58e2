"""``solo-ledger export``: write a club's archive."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import click

from ledger.cli.books import books, owner
from ledger.cli.hand_files import exit_if_unwritten, write
from ledger.cli.progress import bar
from ledger.cli.settings import settings
from ledger.keeping import known_keys
from ledger.keeping.archive.export import NotExported, archive
from ledger.runtime.files import give_name, private, to_disk
from ledger.words.problems import Unreachable


@click.command(epilog='Example: solo-ledger export "Thursday club" -o thursday.solo.gz')
@click.argument("club")
@click.option(
    "-o",
    "--output",
    required=True,
    metavar="FILE",
    type=click.Path(dir_okay=False, allow_dash=True, path_type=Path),
    help="File to write; - is the standard output.",
)
@click.option("--replace", is_flag=True, help="Replace FILE if it exists.")
def export(club: str, output: Path, replace: bool) -> None:
    """Write an archive of CLUB and print its name: all hands, entries, evenings and players of one moment.

    Others may save meanwhile. The archive holds no passcode, link, device or token. Other programs can read
    it, too: .docs/ARCHIVE.md describes it.
    """
    to_stdout = output == Path("-")
    if to_stdout and sys.stdout.isatty():
        raise click.UsageError(
            "An archive is compressed, nothing to read on a terminal: name a file."
        )
    if not to_stdout and os.path.lexists(output):
        if not replace:
            raise click.ClickException(f"There is already {output}; --replace replaces it.")
        if output.is_symlink() or not output.is_file():
            raise click.ClickException(f"{output} is a link or a device: only a file is replaced.")
    with books() as database, bar("entries", counted=True) as advance:
        club_id = owner(database, club, here=False).club_id
        pieces = archive(database, club_id, known_keys.from_settings(settings()), advance)
        try:
            if to_stdout:
                with exit_if_unwritten("The archive"):
                    for piece in pieces:
                        write(piece)
            else:
                _write(output, pieces, replace=replace)
        except NotExported as error:
            raise click.ClickException(str(error)) from error
        except Unreachable as problem:
            reason = f"The club was not read to its end: {problem.why}"
            raise click.ClickException(reason) from problem


def _write(file: Path, pieces: Iterator[bytes], *, replace: bool) -> None:
    """Write a file that only its owner can read and print its name; after a failure nothing of it is left."""
    partial = file.with_name(f".solo-ledger-{os.getpid()}.partial")
    try:
        private(partial)
        try:
            with partial.open("wb") as stream:
                stream.writelines(pieces)
            to_disk(partial)
            if replace:
                partial.replace(file)
            else:
                give_name(partial, file)
            to_disk(file.parent)
        finally:
            partial.unlink(missing_ok=True)
    except OSError as error:
        raise click.ClickException(f"Can't write {file}: {error.strerror}.") from error
    click.echo(str(file))
