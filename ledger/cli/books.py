"""What the commands share: the settings and the ledger, with failures said plainly."""

from collections.abc import Iterator
from contextlib import contextmanager

import click

from ledger import migrate
from ledger.config import BadSetting, Settings, load
from ledger.db import Database
from ledger.problems import Problem


def settings(*, make: bool = True) -> Settings:
    """Return the settings; a bad one ends the command with its sentence. ``make`` as in ``load``."""
    try:
        return load(make=make)
    except BadSetting as error:
        raise click.ClickException(str(error)) from error


@contextmanager
def books() -> Iterator[Database]:
    """Open the existing ledger, migrated; a named failure inside ends the command with its sentence."""
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
