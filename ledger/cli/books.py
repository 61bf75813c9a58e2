"""Opening the ledger for a command, with failures as sentences."""

from collections.abc import Iterator
from contextlib import contextmanager

import click

from ledger.books.transactions import Database
from ledger.cli.settings import settings
from ledger.keeping import migrate
from ledger.words.problems import Problem


@contextmanager
def books() -> Iterator[Database]:
    """Open the existing ledger, migrated; a problem inside ends the command with its sentence."""
    try:
        database = migrate.open_books(settings(), new=False)
    except migrate.CannotOpen as error:
        raise click.ClickException(str(error)) from error
    try:
        yield database
    except Problem as problem:
        raise click.ClickException(problem.message) from problem
    finally:
        database.close()
