"""``solo-ledger move``: copy the whole ledger into another database."""

import os
import sqlite3
from contextlib import closing

import click
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import DBAPIError

from ledger.books.transactions import Database
from ledger.cli.progress import bar
from ledger.cli.settings import settings
from ledger.cli.verify import outside
from ledger.database.revisions import NotMigrated
from ledger.keeping.move import LedgerCopy, NotMoved, copy_files, files_to_copy
from ledger.keeping.opening import NotVerified, as_they_are
from ledger.runtime import config
from ledger.runtime.config import BadSetting, Settings
from ledger.runtime.jobs import WorkerLost, cores
from ledger.services import audit
from ledger.words.problems import Problem, counted


@click.command(
    epilog="Example: solo-ledger move --to postgresql+psycopg://ledger:secret@localhost/ledger"
)
@click.option(
    "--to", required=True, metavar="PLACE", help="A new file, or the URL of an empty database."
)
def move(to: str) -> None:
    """Copy the whole ledger into a new PLACE, from SQLite to PostgreSQL or back, and verify the copy.

    The ledger in use is only read. Stop its service first: the copy is not completed if anything is saved
    meanwhile. The same command goes on after an interruption; until the copy is complete, nothing opens it.
    Exit status: 0 when it is complete, 1 when it is not.
    """
    source, target = settings(make=False), _target(to)
    if _is_same(source.database_place, target.database_place):
        raise click.ClickException(
            f"{target.database_place} is the ledger in use; name a new place."
        )
    copy: LedgerCopy | None = None
    try:
        with (
            closing(Database(target.database_url)) as new,
            as_they_are(make_url(source.database_url), _remark, older=False) as old,
        ):
            files = files_to_copy(source, target)
            with old.one_moment() as moment:
                copy = LedgerCopy(moment, new)
                with bar("copying", counted=True) as advance:
                    copy.fill(advance)
                with bar("comparing", counted=True) as advance:
                    copy.compare(advance)
            _verify(source, new)
            copy_files(files)
            copy.complete(old)
    except (*_FAILURES, KeyboardInterrupt) as error:
        present = f"{copy.present:,} of {counted(copy.total, 'row')}" if copy else ""
        raise click.ClickException(
            f"{source.database_place} was not moved to {target.database_place}: {_reason(error)}. "
            + (
                f"{present} were copied; the same command goes on. "
                if copy
                else "Nothing was copied. "
            )
            + "The old ledger is unchanged."
        ) from error
    click.echo(
        f"Moved to {target.database_place}: {counted(copy.total, 'row')}, each compared with the original, "
        "and the books are in order."
    )
    if files:
        click.echo(f"Copied with it: {', '.join(map(str, files))}.")
    click.echo(
        f"{source.database_place} is unchanged. Now set LEDGER_DATABASE_URL={_url(target)} and start "
        "solo-ledger serve, with the new one only: nothing saved in the old one gets into it any more."
    )


_FAILURES = (
    OSError,
    sqlite3.Error,
    DBAPIError,
    NotMigrated,
    NotMoved,
    NotVerified,
    Problem,
    WorkerLost,
    TypeError,
    ValueError,
)
"""The last two are raised for a time in the source that is none, changed by hand."""


def _verify(source: Settings, new: Database) -> None:
    """Recompute everything in the copy, and print each difference. Raises ``NotMoved`` for any."""
    knowledge, findings = outside(source)
    with bar("verifying", counted=True) as advance:
        differences = [*findings, *audit.verify(new, advance, cores(), knowledge, _remark)]
    for difference in differences:
        click.echo(str(difference))
    if differences:
        raise NotMoved(
            f"{counted(len(differences), 'difference')} in it. Each row is as in the original, so mend there "
            "what solo-ledger verify reports"
        )


def _target(to: str) -> Settings:
    """Return the settings with the ledger at a file or URL. Ends the command with a sentence."""
    try:
        url = to if "://" in to else str(URL.create("sqlite", database=os.path.abspath(to)))
        target = config.load({**os.environ, "LEDGER_DATABASE_URL": url}, make=False)
    except BadSetting as error:
        raise click.ClickException(str(error).replace("LEDGER_DATABASE_URL", "--to")) from error
    except UnicodeEncodeError as error:
        raise click.ClickException("--to is not in UTF-8.") from error
    if make_url(url).get_backend_name() == "sqlite" and not target.folder.is_dir():
        raise click.ClickException(f"There is no folder {target.folder}.")
    if os.path.isdir(target.database_place):
        raise click.ClickException(f"{target.database_place} is a folder; name a file in it.")
    return target


def _is_same(place: str, other: str) -> bool:
    """Return whether two places are one, also by different names of a file."""
    return place == other or (
        all(map(os.path.exists, (place, other))) and os.path.samefile(place, other)
    )


def _url(target: Settings) -> str:
    """Return the URL of a place for people, without its password."""
    place = target.database_place
    return place if "://" in place else f"sqlite:///{place}"


def _reason(error: BaseException) -> str:
    """Return the reason of a failure as the end of a sentence, without its full stop."""
    if isinstance(error, KeyboardInterrupt):
        return "it was interrupted"
    if isinstance(error, NotVerified):
        return f"it can't be read: {error}".rstrip(".")
    reason = getattr(error, "why", "") or getattr(error, "orig", "") or error
    return " ".join(str(reason).split()).rstrip(".?")


def _remark(text: str) -> None:
    click.echo(text, err=True)
