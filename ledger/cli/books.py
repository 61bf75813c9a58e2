"""Opening the ledger and a club for a command, with failures as sentences."""

from collections.abc import Iterator
from contextlib import contextmanager

import click

from ledger.books.transactions import Database
from ledger.cli.settings import settings
from ledger.database.access import Access, Role
from ledger.keeping import migrate
from ledger.services.club import clubs
from ledger.services.club.live import must_not_have_left
from ledger.words.problems import Problem


@contextmanager
def books(*, new: bool = False) -> Iterator[Database]:
    """Yield the ledger, migrated, created if missing and ``new``, and close it at the end.

    A ledger that can't be opened, or a problem raised in the block, ends the command with its sentence.
    """
    try:
        database = migrate.open_books(settings(), new=new)
    except migrate.CannotOpen as error:
        raise click.ClickException(str(error)) from error
    try:
        yield database
    except Problem as problem:
        raise click.ClickException(problem.message) from problem
    finally:
        database.close()


def owner(database: Database, club: str, *, here: bool = True) -> Access:
    """Return the command line's access, as an owner, to the club with this name.

    Raises ``NotFound``, and ``Moved`` if the club has left, unless it need not be ``here``.
    """
    with database.read() as session:
        access = Access(clubs.by_name(session, club).id, Role.OWNER, "command line")
        if here:
            must_not_have_left(session)
    return access
