"""Two neighbouring clubs, built once and copied for each test."""

import shutil
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import pytest

from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.runtime.config import Settings
from ledger.services.club import clubs
from tests.ledger.conftest import PASSCODE, with_neighbour


class TwoClubs(NamedTuple):
    """A file with two clubs, and the access to each."""

    file: Path
    clubs: tuple[Access, Access]


@pytest.fixture(scope="session")
def two_clubs(tmp_path_factory: pytest.TempPathFactory, empty_books: Path) -> TwoClubs:
    """The file to copy; nothing is changed in it."""
    file = Path(shutil.copy(empty_books, tmp_path_factory.mktemp("two-clubs")))
    with closing(Database(f"sqlite:///{file}")) as database:
        ours, _ = clubs.create(database, name="Kitchen Table", passcode=PASSCODE, author="Sue")
        return TwoClubs(file, with_neighbour(database, ours))


@pytest.fixture
def neighbours(
    settings: Settings, database: Database, two_clubs: TwoClubs
) -> tuple[Access, Access]:
    """Both clubs in the books of ``settings``."""
    database.close()
    shutil.copy(two_clubs.file, settings.database_url.removeprefix("sqlite:///"))
    return two_clubs.clubs
