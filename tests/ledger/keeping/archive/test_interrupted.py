"""An import that is killed leaves nothing in the ledger, and others save while one runs."""

import os
import random
import signal
import sqlite3
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.database.prepared import DriverConnection
from ledger.keeping.archive import importing, staging
from ledger.keeping.archive.copying import copy_rows
from ledger.keeping.archive.importing import import_club
from ledger.runtime.files import STALE_AFTER
from ledger.services.audit import Difference, differences, verify
from ledger.services.club import clubs
from tests.benchmarks.filling import Filler, found
from tests.ledger import table
from tests.ledger.conftest import empty
from tests.ledger.evenings import CardClub
from tests.ledger.keeping.archive.archives import exported
from tests.support import nursery

HANDS, KILLS = 1_500, 6


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory, empty_books: Path) -> Path:
    """The archive of a club with so many hands that copying takes a while."""
    folder = tmp_path_factory.mktemp("origin")
    (folder / "ledger.sqlite").write_bytes(empty_books.read_bytes())
    with closing(Database(f"sqlite:///{folder / 'ledger.sqlite'}")) as database:
        club = found(database, "Club that is killed")
        Filler(database, club).fill(HANDS)
        (folder / "club.jsonl.gz").write_bytes(exported(database, club.club_id))
    return folder / "club.jsonl.gz"


def wait_until_copying(wal: Path, life: nursery.Life) -> None:
    """Return once an import has begun to write to the ledger, or has ended."""
    before = wal.stat().st_size if wal.exists() else 0
    until = time.monotonic() + 120
    while life.poll() is None and time.monotonic() < until:
        if wal.exists() and wal.stat().st_size > before:
            return
        time.sleep(0.002)


def test_a_killed_import_leaves_nothing_behind(
    database: Database, club: Access, archive: Path, tmp_path: Path
) -> None:
    """Killed at any moment, most often while it copies; the club is absent or complete, and others save."""
    evening = table.start(database, club)
    place = database.url.database
    environment = {
        **os.environ,
        "LEDGER_DATABASE_URL": f"sqlite:///{place}",
        "LEDGER_DATA_DIR": str(tmp_path),
        "TMPDIR": str(tmp_path),
    }
    chance = random.Random("when to kill")  # noqa: S311 - no secret
    killed = 0
    for number in range(KILLS):
        log = tmp_path / f"log-{number}"
        life = nursery.begin(["import", str(archive)], tmp_path, log, environment)
        if number:
            wait_until_copying(Path(f"{place}-wal"), life)
        time.sleep(chance.uniform(0, 0.2))
        life.kill()
        killed += life.wait(60) == -signal.SIGKILL
        table.record(database, club, evening, table.HEARTS_74)
        with closing(sqlite3.connect(place or "")) as rows:
            count = rows.execute("SELECT count(*) FROM hand WHERE club_id > 1").fetchone()[0]
            clubs = rows.execute("SELECT count(*) FROM club").fetchone()[0]
        assert (clubs, count) in {(1, 0), (2, HANDS)}, log.read_text()
        assert [str(difference) for difference in verify(database)] == []
    assert killed > KILLS // 2
    with archive.open("rb") as file:
        import_club(database, file, table.SECRET)
    assert len(list(verify(database))) == 0
    assert table.row_counts(database)["club"] == 2


def test_the_folders_of_killed_imports_are_removed_after_a_day(
    database: Database, archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not that of an import that may still be running, nor any other folder."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    old, new, other = (tmp_path / f"solo-ledger-{name}" for name in ("import-1", "import-2", "x"))
    for folder in (old, new, other):
        folder.mkdir()
        (folder / "staging.sqlite").touch()
    before = time.time() - STALE_AFTER - 60
    for folder in (old, other):
        os.utime(folder, (before, before))
    with archive.open("rb") as file:
        import_club(database, file, table.SECRET)
    assert (old.exists(), new.exists(), other.exists()) == (False, True, True)
    assert {path.name for path in tmp_path.glob("solo-ledger-*")} == {new.name, other.name}


@pytest.mark.parametrize("is_lost", [False, True], ids=["fails", "connection lost"])
def test_an_import_after_one_that_failed_while_copying_succeeds(
    database: Database, archive: Path, monkeypatch: pytest.MonkeyPatch, *, is_lost: bool
) -> None:
    """Its connection is given back without the staging ledger, or discarded with it."""

    def fail(
        source: sqlite3.Connection, driver: DriverConnection, *rest: Any, **named: Any
    ) -> None:
        copy_rows(source, driver, *rest, **named)
        if is_lost:
            driver.connection.invalidate()
        raise InterruptedError

    monkeypatch.setattr(importing, "copy_rows", fail)
    with archive.open("rb") as file, pytest.raises(InterruptedError):
        import_club(database, file, table.SECRET)
    assert table.row_counts(database)["club"] == 0
    monkeypatch.undo()
    with archive.open("rb") as file:
        import_club(database, file, table.SECRET)
    assert table.row_counts(database)["club"] == 1
    with database.engine.connect() as connection:
        attached = [name for _, name, _ in connection.exec_driver_sql("PRAGMA database_list")]
    assert attached == ["main"]


def test_others_save_while_an_archive_is_verified(
    any_club: CardClub, archive: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On either database: nothing is locked until it is copied."""
    evening = any_club.start()

    def verify_meanwhile(*arguments: Any) -> Iterator[Difference]:
        evening.record(table.ALL_PASS)
        yield from differences(*arguments)

    monkeypatch.setattr(staging, "differences", verify_meanwhile)
    with archive.open("rb") as file:
        import_club(any_club.db, file, table.SECRET)
    assert evening.view.hands_dealt == 1
    any_club.must_verify()


@pytest.mark.postgres
def test_other_clubs_save_while_one_is_copied_on_postgres(
    postgres_books: Database, archive: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the middle of the import's transaction; the new club is not there yet."""
    empty(postgres_books)
    access, _ = clubs.create(postgres_books, name="At home", passcode="four aces")
    at_home = CardClub(postgres_books, access)
    evening = at_home.start()

    def copy_meanwhile(*arguments: Any, **options: Any) -> None:
        copy_rows(*arguments, **options)
        evening.record(table.ALL_PASS)
        assert table.row_counts(postgres_books)["club"] == 1

    monkeypatch.setattr(importing, "copy_rows", copy_meanwhile)
    with archive.open("rb") as file:
        import_club(postgres_books, file, table.SECRET)
    assert table.row_counts(postgres_books)["club"] == 2
    at_home.must_verify()
