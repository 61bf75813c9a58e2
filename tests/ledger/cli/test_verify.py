"""``solo-ledger verify``: its output, and its exit status."""

import base64
import os
import shutil
import signal
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner

from ledger.books.transactions import Database
from ledger.cli import main
from ledger.database.access import Access
from ledger.keeping.backup import Backups
from ledger.report import render
from ledger.runtime.clock import now
from ledger.runtime.config import Settings
from ledger.services.club import clubs
from ledger.services.reads import session
from tests.benchmarks.filling import Filler
from tests.ledger import table


@pytest.fixture
def runner(monkeypatch: pytest.MonkeyPatch, settings: Settings) -> CliRunner:
    """A command line with settings that name the test's books."""
    monkeypatch.setenv("LEDGER_DATABASE_URL", settings.database_url)
    monkeypatch.setenv("LEDGER_DATA_DIR", str(settings.data_dir))
    monkeypatch.setenv("LEDGER_SIGNING_KEY", base64.b64encode(bytes(32)).decode())
    return CliRunner()


def test_books_in_order_are_said_to_be_and_the_status_is_0(
    runner: CliRunner, database: Database, club: Access, settings: Settings
) -> None:
    """Nothing on standard output, one line on standard error that names the books."""
    table.record(database, club, table.start(database, club), table.HEARTS_74)
    answer = runner.invoke(main, ["verify"])
    assert (answer.exit_code, answer.stdout) == (0, "")
    assert answer.stderr == (
        f"Kitchen Table: nothing is signed.\nThe books in {settings.database_place} are in order.\n"
    )


def test_each_difference_is_a_line_and_the_status_is_1(
    runner: CliRunner, database: Database, club: Access, settings: Settings
) -> None:
    """A balance off by one, and a verdict edited, for which a guard had to go."""
    table.record(database, club, table.start(database, club), table.HEARTS_74)
    database.close()
    with sqlite3.connect(settings.database_url.removeprefix("sqlite:///")) as books:
        books.execute("DROP TRIGGER hand_version_no_update")
        books.execute("UPDATE account SET balance = balance + 1 WHERE seat_id = 1")
        books.execute("UPDATE hand_version SET verdict = replace(verdict, '\"won\"', '\"lost\"')")
    books.close()
    answer = runner.invoke(main, ["verify"])
    assert answer.exit_code == 1
    assert sorted(answer.stdout.splitlines()) == [
        "Kitchen Table, account seat/1: it says 121, its postings come to 120",
        "Kitchen Table, session 1, hand 1, version 1: its verdict is not the engine's (in outcome)",
        "The books, hand_version_no_update: this trigger is missing: entries could be changed",
    ]
    assert answer.stderr.endswith("\n3 differences.\n")


def test_what_was_printed_or_backed_up_must_be_in_the_books(
    runner: CliRunner, database: Database, club: Access, settings: Settings, tmp_path: Path
) -> None:
    """A head as it is typed, a report, a backup; the newest backup without being asked."""
    played = table.start(database, club)
    table.record(database, club, played, table.HEARTS_74)
    summary = table.ask(database, club, session.summary, played)
    paper = tmp_path / "evening.pdf"
    paper.write_bytes(render(summary, printed_at=now()))
    assert summary.head is not None
    backup = Backups.of(settings).make()
    for known in (summary.head, summary.head[:20].upper(), paper, backup.file, backup.heads):
        assert runner.invoke(main, ["verify", "--expect", str(known)]).exit_code == 0
    wrong = runner.invoke(main, ["verify", "--expect", "f" * 64])
    assert (wrong.exit_code, "expected head: no entry has the head" in wrong.stdout) == (1, True)
    assert runner.invoke(main, ["verify", "--expect", "nothing.pdf"]).exit_code == 2
    backup.heads.write_text("e" * 64)
    missed = runner.invoke(main, ["verify"]).stdout
    assert missed.startswith(f"The books, {backup.heads.name}: no entry has the head eee")


def test_books_that_are_not_there_are_not_in_order(
    runner: CliRunner, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A folder misspelt: the place is named, the status is 3, and no empty books are left there."""
    place = tmp_path / "nowhere.sqlite"
    monkeypatch.setenv("LEDGER_DATABASE_URL", f"sqlite:///{place}")
    answer = runner.invoke(main, ["verify"])
    assert answer.exit_code == 3
    assert f"Can't verify the ledger in {place}: there is none." in answer.stderr
    assert not place.exists()


def test_a_file_without_books_in_it_is_not_in_order(
    runner: CliRunner, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """An empty database is none of ours; it stays as empty as it was."""
    place = tmp_path / "empty.sqlite"
    place.touch()
    monkeypatch.setenv("LEDGER_DATABASE_URL", f"sqlite:///{place}")
    answer = runner.invoke(main, ["verify"])
    assert (answer.exit_code, place.stat().st_size) == (3, 0)
    assert "there is no ledger in it" in answer.stderr


@pytest.fixture(scope="module")
def spoiled(tmp_path_factory: pytest.TempPathFactory, empty_books: Path) -> Path:
    """A long ledger, in which verdicts and a balance were changed by hand."""
    file = Path(shutil.copy(empty_books, tmp_path_factory.mktemp("long")))
    with closing(Database(f"sqlite:///{file}")) as database:
        access, _ = clubs.create(database, name="Kitchen Table", passcode="four aces", author="Sue")
        Filler(database, access).fill(1200)
    with closing(sqlite3.connect(file)) as books, books:
        books.execute("DROP TRIGGER hand_version_no_update")
        lost = "UPDATE hand_version SET verdict = replace(verdict, '\"won\"', '\"lost\"') WHERE id % 97 = 0"
        books.execute(lost)
        books.execute("UPDATE hand_version SET record = '[]' WHERE id = 1100")
        books.execute("UPDATE account SET balance = balance + 1 WHERE seat_id = 1")
    return file


@pytest.fixture
def _long_books(settings: Settings, spoiled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Put the long ledger in place; it is long enough for several processes."""
    monkeypatch.setattr("ledger.services.audit.SHORT", 1000)
    shutil.copy(spoiled, settings.database_url.removeprefix("sqlite:///"))


@pytest.mark.usefixtures("_long_books")
def test_several_processes_find_the_same_in_the_same_order(runner: CliRunner) -> None:
    """In the words of one process, also where a record is none; and with its status."""
    alone, shared = (runner.invoke(main, ["verify", "--jobs", jobs]) for jobs in ("1", "2"))
    assert "version 1: its verdict is not the engine's (in outcome)" in alone.stdout
    assert "its record is refused" in alone.stdout
    assert (shared.exit_code, shared.stdout, shared.stderr) == (1, alone.stdout, alone.stderr)


def end(_batch: object) -> None:
    """End the process that was to score hands."""
    os.kill(os.getpid(), signal.SIGKILL)


@pytest.mark.usefixtures("_long_books")
def test_a_process_that_is_lost_ends_verifying_in_a_sentence(
    runner: CliRunner, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not in a hang, and not as if the books had been read: the status is another than for a difference."""
    monkeypatch.setattr("ledger.services.audit.score_again", end)
    answer = runner.invoke(main, ["verify", "--jobs", "2"])
    assert answer.exit_code == 3
    assert answer.stderr == (
        "Error: The books were not read to their end: a process that scored hands was ended.\n"
    )
