"""``solo-ledger export``: write a club's archive, or a file for another program."""

import os
import sys
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Final

import click

from ledger.books.transactions import Database
from ledger.cli.books import books, owner
from ledger.cli.hand_files import exit_if_unwritten, write
from ledger.cli.period import days, period_options, with_season
from ledger.cli.progress import bar
from ledger.cli.settings import settings
from ledger.database.access import Access
from ledger.keeping import known_keys
from ledger.keeping.archive.export import NotExported, archive
from ledger.keeping.exports import formats
from ledger.keeping.exports.csv_text import DIALECTS
from ledger.keeping.exports.formats import FORMATS
from ledger.runtime.files import write_whole
from ledger.services.session.session_filter import SessionFilter
from ledger.words.problems import Unreachable

ARCHIVE: Final = "archive"


@click.command(
    epilog='Example: solo-ledger export "Thursday club" -o thursday.solo.gz; or, for a '
    'spreadsheet: solo-ledger export "Thursday club" --format csv-hands --from 2026-01-01 -o hands.csv'
)
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
@click.option(
    "--format",
    "slug",
    type=click.Choice([ARCHIVE, *FORMATS]),
    default=ARCHIVE,
    show_default=True,
    help="What to write; .docs/EXPORTS.md describes each.",
)
@click.option(
    "--dialect",
    type=click.Choice([*DIALECTS]),
    default=next(iter(DIALECTS)),
    show_default=True,
    help="How CSV is written; excel-de has semicolons and decimal commas.",
)
@period_options
@click.option("--session", type=click.IntRange(1, 2**63 - 1), help="The id of the only evening.")
def export(
    club: str,
    output: Path,
    replace: bool,
    slug: str,
    dialect: str,
    first: datetime | None,
    last: datetime | None,
    game: str | None,
    season: str | None,
    session: int | None,
) -> None:
    """Write a file with the hands, entries, evenings and players of CLUB at one moment, and print its name.

    Others may save meanwhile. By default it is an archive, which holds no passcode, link, device or token,
    and which solo-ledger import reads. Other formats are for spreadsheets, accounting programs and scripts.
    """
    chosen = SessionFilter(*days(first, last), game, session_id=session)
    if slug == ARCHIVE and not (chosen.is_empty and season is None):
        raise click.UsageError("An archive is always of the whole club: choose no days or game.")
    to_stdout = output == Path("-")
    if to_stdout and slug == ARCHIVE and sys.stdout.isatty():
        raise click.UsageError(
            "An archive is compressed, nothing to read on a terminal: name a file."
        )
    if not to_stdout and os.path.lexists(output):
        if not replace:
            raise click.ClickException(f"There is already {output}; --replace replaces it.")
        if output.is_symlink() or not output.is_file():
            raise click.ClickException(f"{output} is a link or a device: only a file is replaced.")
    with books() as database, bar("entries", counted=True) as advance:
        access = owner(database, club, here=False)
        with database.read(access) as reading:
            chosen = with_season(reading, chosen, season)
        if slug == ARCHIVE:
            keys = known_keys.from_settings(settings())
            pieces = archive(database, access.club_id, keys, advance)
        else:
            pieces = _text(database, access, slug, chosen, dialect)
        try:
            if to_stdout:
                with exit_if_unwritten("The archive" if slug == ARCHIVE else "The export"):
                    for piece in pieces:
                        write(piece)
            else:
                _write(output, pieces, replace=replace)
        except NotExported as error:
            raise click.ClickException(str(error)) from error
        except Unreachable as problem:
            reason = f"The club was not read to its end: {problem.why}"
            raise click.ClickException(reason) from problem


def _text(
    database: Database, access: Access, slug: str, chosen: SessionFilter, dialect: str
) -> Iterator[bytes]:
    """Yield a file of text, read in one transaction."""
    with database.read(access) as session:
        for piece in formats.pieces(session, slug, chosen, dialect):
            yield piece.encode()


def _write(file: Path, pieces: Iterator[bytes], *, replace: bool) -> None:
    """Write a file that only its owner can read and print its name; after a failure nothing of it is left."""
    try:
        write_whole(file, pieces, replace=replace)
    except OSError as error:
        raise click.ClickException(f"Can't write {file}: {error.strerror}.") from error
    click.echo(str(file))
