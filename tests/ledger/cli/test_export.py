"""``solo-ledger export``: a private file that is complete or absent, or a stream."""

import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import IO

import pytest
from click.testing import CliRunner, Result

from ledger.books.transactions import Database
from ledger.cli import export as command
from ledger.cli import main
from ledger.database.access import Access
from ledger.keeping.archive import lines
from ledger.runtime.config import Settings
from tests.ledger import table
from tests.ledger.evenings import CardClub

Run = Callable[..., Result]
CLUB = "Kitchen Table"


@pytest.fixture
def run(
    settings: Settings,
    database: Database,
    club: Access,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> Run:
    """Run a command against a ledger with one hand, in an empty folder."""
    CardClub(database, club).start().record(table.HEARTS_74)
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.setenv("LEDGER_DATABASE_URL", settings.database_url)
    monkeypatch.setenv("LEDGER_DATA_DIR", str(tmp_path))
    monkeypatch.chdir(folder)
    return lambda *arguments: CliRunner().invoke(main, list(arguments))


def kinds(file: Path) -> set[str]:
    """Return the types of lines of an archive."""
    with file.open("rb") as stream:
        return {line.kind for line in lines.read(stream)}


def test_an_archive_is_a_private_file_whose_name_is_printed(run: Run) -> None:
    """Nothing else is left in its folder."""
    result = run("export", "kitchen TABLE", "-o", "club.solo.gz")
    assert (result.exit_code, result.stdout) == (0, "club.solo.gz\n")
    file = Path("club.solo.gz")
    assert {"header", "hand", "entry", "result", "end"} <= kinds(file)
    assert file.stat().st_mode & 0o777 == 0o600
    assert os.listdir() == ["club.solo.gz"]


def test_an_existing_file_is_replaced_only_by_request(run: Run) -> None:
    """A link counts as a file, even if it leads nowhere; no link or device is ever replaced."""
    file = Path("club.solo.gz")
    for make in (lambda: file.write_text("mine"), lambda: file.symlink_to("nowhere")):
        make()
        refused = run("export", CLUB, "-o", file.name)
        assert refused.exit_code == 1
        assert "There is already club.solo.gz; --replace replaces it." in refused.stderr
        assert file.is_symlink() or file.read_text() == "mine"
        if file.is_symlink():
            kept = run("export", CLUB, "-o", file.name, "--replace")
            assert (kept.exit_code, "only a file is replaced" in kept.stderr) == (1, True)
            assert file.is_symlink()
        file.unlink()
    file.write_text("mine")
    assert run("export", CLUB, "-o", file.name, "--replace").exit_code == 0
    assert "end" in kinds(file)
    assert os.listdir() == [file.name]


def test_a_file_that_appears_meanwhile_is_not_replaced(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It stays, and nothing is left beside it."""

    def slow(*_arguments: object) -> Iterator[bytes]:
        Path("club.solo.gz").write_text("mine")
        yield b""

    monkeypatch.setattr(command, "archive", slow)
    refused = run("export", CLUB, "-o", "club.solo.gz")
    assert (refused.exit_code, "Can't write club.solo.gz: File exists." in refused.stderr) == (
        1,
        True,
    )
    assert Path("club.solo.gz").read_text() == "mine"
    assert os.listdir() == ["club.solo.gz"]


@pytest.mark.parametrize(
    ("file", "reason"),
    [
        ("missing/club.gz", "Can't write missing/club.gz: No such file or directory."),
        (f"{'x' * 300}.gz", "File name too long."),
        (".", "is a directory"),
        ("/dev/full/club.gz", "Not a directory."),
    ],
)
def test_a_place_that_can_not_be_written_is_named(run: Run, file: str, reason: str) -> None:
    """In a sentence with its reason."""
    refused = run("export", CLUB, "-o", file)
    assert refused.exit_code != 0
    assert reason in refused.stderr
    assert os.listdir() == []


def test_an_unknown_club_leaves_no_file(run: Run) -> None:
    """Its name is in the sentence."""
    refused = run("export", "Nobody's", "-o", "club.gz")
    assert (refused.exit_code, "no club called “Nobody's”" in refused.stderr) == (1, True)
    assert os.listdir() == []


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (
            "posting SET amount = amount + 1",
            "does not match its digest. Nothing was exported; solo-",
        ),
        ("hand_version SET verdict = x'ff'", "The club was not read to its end: "),
    ],
)
def test_a_faulty_ledger_leaves_no_file(
    run: Run, settings: Settings, change: str, reason: str
) -> None:
    """Neither half of an archive nor a file beside it; an older archive stays."""
    Path("club.gz").write_text("older")
    with closing(sqlite3.connect(settings.database_url.removeprefix("sqlite:///"))) as raw, raw:
        for (trigger,) in raw.execute(
            "SELECT name FROM sqlite_master WHERE type = 'trigger'"
        ).fetchall():
            raw.execute(f"DROP TRIGGER {trigger}")
        raw.execute(f"UPDATE {change}")
    refused = run("export", CLUB, "-o", "club.gz", "--replace")
    assert refused.exit_code == 1
    assert reason in refused.stderr
    assert os.listdir() == ["club.gz"]
    assert Path("club.gz").read_text() == "older"


def test_a_club_that_has_left_is_exported(run: Run) -> None:
    """With the address it has moved to, which is an entry, as the command that closes it recommends."""
    assert run("leave", CLUB, "--to", "https://cards.example.org").exit_code == 0
    assert run("export", CLUB, "-o", "club.gz").exit_code == 0
    with Path("club.gz").open("rb") as stream:
        *_, last, _ = (line for line in lines.read(stream) if line.kind in {"entry", "end"})
    assert "https://cards.example.org" in last.values["sealed"]


def piped(stdout: int | IO[bytes]) -> subprocess.Popen[bytes]:
    """Start an export to the standard output."""
    arguments = [sys.executable, "-m", "ledger", "export", CLUB, "-o", "-"]
    return subprocess.Popen(arguments, stdout=stdout, stderr=subprocess.PIPE)


def test_an_archive_can_be_piped(run: Run) -> None:
    """The same bytes as in a file, and nothing else."""
    assert run("export", CLUB, "-o", "club.gz").exit_code == 0
    with piped(subprocess.PIPE) as process:
        content, _ = process.communicate(timeout=60)
    assert (process.returncode, content) == (0, Path("club.gz").read_bytes())


def test_a_full_disk_ends_a_piped_archive_with_a_sentence(run: Run) -> None:
    """And with another status than a wrong command."""
    assert run("export", CLUB, "-o", "club.gz").exit_code == 0
    with open("/dev/full", "wb") as full, piped(full) as process:
        _, complaint = process.communicate(timeout=60)
    assert complaint == b"The archive could not be written: No space left on device\n"
    assert process.returncode == 3


def test_a_terminal_gets_no_archive(run: Run) -> None:
    """Its bytes would disturb it."""
    own, end = os.openpty()
    with open(end, "wb") as terminal, piped(terminal) as process:
        _, complaint = process.communicate(timeout=60)
    os.close(own)
    assert process.returncode == 2
    assert b"compressed" in complaint
    assert run("export", CLUB, "-o", "club.gz").exit_code == 0


def test_a_table_is_written_for_a_spreadsheet(run: Run) -> None:
    """Of the chosen days, in the chosen dialect."""
    result = run(
        "export", CLUB, "--format", "csv-hands", "--dialect", "excel-de", "-o", "hands.csv"
    )
    assert (result.exit_code, result.stdout) == (0, "hands.csv\n")
    text = Path("hands.csv").read_text("utf-8-sig")
    assert text.startswith("session_id;evening;day;")
    assert len(text.splitlines()) == 1 + len(table.FOUR)
    days = ("--from", "2001-01-01", "--to", "2001-12-31")
    none = run("export", CLUB, "--format", "csv-hands", *days, "-o", "-")
    assert len(none.stdout.splitlines()) == 1


@pytest.mark.parametrize(("slug", "status"), [("archive", 2), ("csv-balances", 1)])
def test_what_is_always_of_the_whole_club_takes_no_days(run: Run, slug: str, status: int) -> None:
    """Nothing is written."""
    result = run("export", CLUB, "--format", slug, "--game", "frog", "-o", "some.csv")
    assert result.exit_code == status
    assert "always of the whole club" in " ".join(result.stderr.split())
    assert os.listdir() == []
