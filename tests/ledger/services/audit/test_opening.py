"""Opening books to look at them: read-only, wherever they are, and as they are."""

import os
import shutil
import sqlite3
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from ledger.books.transactions import Database
from ledger.cli import main
from ledger.database import revisions
from ledger.database.access import Access
from ledger.keeping import migrate
from ledger.runtime.config import Settings
from tests.ledger import table


@pytest.fixture
def file(
    database: Database, club: Access, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> Path:
    """The file of an evening of two hands, with no other file."""
    played = table.start(database, club)
    table.record(database, club, played, table.HEARTS_74)
    table.record(database, club, played, table.ALONE_85)
    database.close()
    monkeypatch.setenv("LEDGER_DATA_DIR", str(settings.data_dir))
    return Path(settings.database_url.removeprefix("sqlite:///"))


def verify(*arguments: object) -> Result:
    """Verify a file in this process."""
    return CliRunner().invoke(main, ["verify", "--jobs", "1", *map(str, arguments)])


def all_there(folder: Path) -> dict[str, bytes]:
    """Return the content of a folder without SQLite's list of readers."""
    files = [each for each in folder.iterdir() if each.is_file() and "-shm" not in each.name]
    return {
        each.name: each.read_bytes()
        for each in files
        if each.stat().st_size and each.suffix[-4:] != "-shm"
    }


def test_looking_changes_nothing(file: Path) -> None:
    """Not the file, no key is made, and writes of others in the meantime stay in its log."""
    before = all_there(file.parent)
    assert verify(file).exit_code == 0
    assert all_there(file.parent) == before
    assert not (file.parent / "signing-key").exists()


def test_older_books_are_looked_at_in_a_copy(file: Path, database: Database) -> None:
    """Their migration is named; they stay there."""
    migrate.downgrade(database, "0014")
    database.close()
    before = file.read_bytes()
    answer = verify(file)
    assert answer.exit_code == 0, answer.output
    assert f"it stands at migration 0014, and this version's is {revisions.NEWEST}" in answer.stderr
    assert file.read_bytes() == before


def test_newer_books_are_refused_in_a_sentence(file: Path) -> None:
    """Their status is not that of books with a difference."""
    with sqlite3.connect(file) as books:
        books.execute("UPDATE alembic_version SET version_num = '9999'")
    books.close()
    answer = verify(file)
    assert answer.exit_code == 3
    assert "a newer version of Solo Ledger wrote it" in answer.stderr


@pytest.mark.parametrize("waiting", [False, True])
def test_a_place_where_nothing_can_be_made_is_read_as_well(file: Path, waiting: bool) -> None:
    """SQLite's list of readers has no room there, as on a read-only mount; the rest of the log is read."""
    if waiting:
        writing = sqlite3.connect(file)
        writing.execute("UPDATE account SET balance = balance + 1 WHERE seat_id = 1")
        writing.commit()
        shutil.copy(file, f"{file}.copy")
        shutil.copy(f"{file}-wal", f"{file}.copy-wal")
        writing.close()
        file = Path(f"{file}.copy")
    for end in ("-shm",) if waiting else ("-shm", "-wal"):
        Path(f"{file}{end}").unlink(missing_ok=True)
        os.mkdir(f"{file}{end}")
    answer = verify(file)
    assert answer.exit_code == int(waiting), answer.output
    assert ("account seat/1: it says 71" in answer.stdout) == waiting


@pytest.mark.parametrize("content", [b"", b"no ledger at all, but some text", b"SQLite format 3\0"])
def test_what_is_no_ledger_is_not_in_order(file: Path, content: bytes) -> None:
    """An empty file, or another one."""
    file.write_bytes(content)
    assert verify(file).exit_code in (1, 3)


def test_a_text_that_cannot_be_printed_is_told_all_the_same(file: Path) -> None:
    """Bytes that are no letters in any language."""
    with sqlite3.connect(file) as books:
        books.execute("UPDATE play_session SET title = CAST(x'ff41' AS TEXT)")
    books.close()
    answer = verify(file)
    assert answer.exit_code == 1
    assert "play_session 1: its title" in answer.stdout
