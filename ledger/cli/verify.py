"""``solo-ledger verify``: recompute the ledger and print the differences."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import Never

import click
from sqlalchemy.engine import URL, make_url

from ledger.cli.progress import bar
from ledger.cli.settings import settings
from ledger.keeping import heads, known_keys
from ledger.keeping.opening import NotVerified, as_they_are
from ledger.runtime import signing
from ledger.runtime.config import Settings
from ledger.runtime.jobs import WorkerLost, cores
from ledger.runtime.signing import SigningKey
from ledger.services import audit as verifying
from ledger.services.audit import Difference, Outside
from ledger.words.problems import Problem, Unreachable, counted

NOT_VERIFIED = 3
"""The exit status if the ledger could not be read completely."""


@click.command(epilog="Example: solo-ledger verify && echo all is well")
@click.argument("file", required=False, type=click.Path(path_type=Path, dir_okay=False))
@click.option(
    "--expect",
    multiple=True,
    metavar="HEAD",
    help="A head that was printed, or a PDF or backup with one: it must be in the books. Repeatable.",
)
@click.option("--key", multiple=True, metavar="KEY", help="A public key that signed. Repeatable.")
@click.option(
    "--jobs",
    type=click.IntRange(1),
    default=cores(),
    help="Processes that score hands.  [default: one per core]",
)
def verify(file: Path | None, expect: tuple[str, ...], key: tuple[str, ...], jobs: int) -> None:
    """Recompute every verdict, entry, balance and sum, and check the chain of entries and their signatures.

    The ledger is the one in use, or FILE. It is opened read-only; an older one is migrated in a copy. Prints
    each difference, a line each. Exit status: 0 when there is none, 1 when there is one, 3 when the books
    could not be read to their end.
    """
    chosen, differences = settings(make=False), 0
    url = URL.create("sqlite", database=str(file)) if file else make_url(chosen.database_url)
    place = str(file) if file else chosen.database_place
    knowledge, findings = outside(chosen, file, expect, key)
    with (
        _failures_as_sentences(place),
        as_they_are(url, _remark) as database,
        bar("entries", counted=True) as advance,
    ):
        recomputed = verifying.verify(database, advance, jobs, knowledge, _remark)
        for difference in chain(findings, recomputed):
            differences += 1
            click.echo(str(difference))
    if differences:
        click.echo(f"{counted(differences, 'difference')}.", err=True)
        sys.exit(1)
    click.echo(f"The books in {place} are in order.", err=True)


def outside(
    chosen: Settings, file: Path | None = None, expect: Sequence[str] = (), keys: Sequence[str] = ()
) -> tuple[Outside, list[Difference]]:
    """Return the keys and heads from outside the ledger, and a difference if the backup's can't be read.

    Raises ``UsageError`` for a faulty argument. A file is not compared with the backups.
    """
    findings = []
    try:
        named = [SigningKey.from_public(key) for key in keys]
        expected = [head for argument in expect for head in heads.read(argument)]
    except (signing.NotAKey, heads.NoHead) as error:
        raise click.UsageError(str(error)) from error
    try:
        expected += [] if file else heads.of_newest(chosen)
    except heads.NoHead as error:
        findings.append(Difference("The books", "heads of the newest backup", f"{error}. {_GIVE}"))
    signed = [*chosen.trusted_keys, *(key.public for key in named)]
    remedy = known_keys.remedy(chosen)
    if file:
        remedy += "; or name it in --key for this check alone"
    return Outside(
        [*known_keys.from_settings(chosen), *named], expected, signed, file is None, remedy
    ), findings


_GIVE = (
    "Without them nobody knows whether entries were removed since. Run verify as their owner, or give them "
    "to the user that runs the service: chown"
)


def _remark(text: str) -> None:
    click.echo(text, err=True)


@contextmanager
def _failures_as_sentences(place: str) -> Iterator[None]:
    """End the process with a sentence and status ``NOT_VERIFIED`` if the ledger can't be read completely."""
    try:
        yield
    except NotVerified as error:
        _end(f"Can't verify the ledger in {place}: {error}")
    except Unreachable as problem:
        _end(f"The books were not read to their end: {problem.why}")
    except Problem as problem:
        _end(problem.message)
    except WorkerLost as error:
        _end(f"The books were not read to their end: {error}")


def _end(message: str) -> Never:
    click.echo(f"Error: {message}", err=True)
    sys.exit(NOT_VERIFIED)
