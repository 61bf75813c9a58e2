"""Torn pages: for any half-written page of a file, verify reports it and goes on."""

import random
import shutil
import sqlite3
from pathlib import Path

import pytest
from sqlalchemy.engine import URL

from ledger.books.transactions import Database
from ledger.keeping.opening import NotVerified, as_they_are
from ledger.runtime.config import Settings
from ledger.services.audit import verify
from ledger.services.club import clubs
from tests.ledger.services.audit.books import an_evening

TORN = 50


@pytest.fixture
def whole(database: Database, settings: Settings) -> Path:
    """A file with a club's evening in all of its pages."""
    access, _ = clubs.create(database, name="Ours", passcode="four aces")
    an_evening(database, access)
    database.close()
    file = Path(settings.database_url.removeprefix("sqlite:///"))
    with sqlite3.connect(file) as books:
        books.execute("PRAGMA journal_mode = DELETE")
        books.execute("PRAGMA page_size = 512")
        books.execute("VACUUM")
    books.close()
    return file


def used(file: Path) -> list[int]:
    """Return where the pages begin in which something stands at the end, where rows are put first."""
    pages = file.read_bytes()
    return [at for at in range(0, len(pages), 512) if any(pages[at + 256 : at + 512])]


def test_no_file_with_a_torn_page_is_in_order(whole: Path, tmp_path: Path) -> None:
    """Fifty, each with the second half of a page gone, or full of something else; and no traceback."""
    remarks: list[str] = []
    draw = random.Random(12)  # noqa: S311 - the same pages every time
    file = tmp_path / "torn.sqlite"
    for page in draw.sample(used(whole), TORN):
        shutil.copy(whole, file)
        with file.open("r+b") as torn:
            torn.seek(page + 256)
            torn.write(draw.choice([bytes(256), draw.randbytes(256)]))
        try:
            with as_they_are(URL.create("sqlite", database=str(file)), remarks.append) as database:
                assert list(map(str, verify(database))), f"page {page // 512} is torn"
        except NotVerified:
            continue
