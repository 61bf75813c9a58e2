"""A backup is whole, checked and dated; one that fails is none, and takes nothing away."""

import os
import signal
import sqlite3
import stat
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner

from ledger.books.transactions import Database
from ledger.cli import main
from ledger.database.access import Access
from ledger.keeping import backup, heads
from ledger.keeping.backup import Backups, NoBackup
from ledger.keeping.restore import restore
from ledger.runtime import clock
from ledger.runtime.config import Settings
from ledger.services.audit import verify
from tests.ledger import table
from tests.ledger.keeping.conftest import Fill
from tests.support.tree import ROOT


def hands(file: Path) -> int:
    """Count the hands in a file."""
    with closing(sqlite3.connect(file)) as books:
        return int(books.execute("SELECT count(*) FROM hand").fetchone()[0])


def test_a_backup_holds_what_a_plain_copy_of_the_file_lacks(
    backups: Backups, settings: Settings
) -> None:
    """The books are still in the log next to the file; the backup has them in one file, and no other."""
    file = Path(settings.database_url.removeprefix("sqlite:///"))
    assert Path(f"{file}-wal").stat().st_size > 0
    made = backups.make()
    assert made.file.read_bytes()[18:20] == b"\1\1", "it would want a log beside it again"
    assert hands(made.file) == 1
    assert sorted(os.listdir(backups.folder)) == sorted([".turn", made.file.name, made.heads.name])


def test_a_file_named_like_a_backup_of_no_real_day_is_left_alone(backups: Backups) -> None:
    """It is neither listed nor a reason for the next backup to fail."""
    made = backups.make()
    of_no_day = backups.folder / made.file.name.replace(f"{made.made_at:%Y%m%d}", "20261399")
    of_no_day.touch()
    assert backups.list_all() == [made]
    assert len(made.file.name) == len(of_no_day.name)
    assert backups.make() in backups.list_all()


def test_the_heads_of_the_books_are_kept_beside_it(backups: Backups) -> None:
    """One a line, for verify to look for in the books later; they go with the backup."""
    made = backups.make()
    with sqlite3.connect(made.file) as copy:
        (head,) = copy.execute(
            "SELECT digest FROM journal_entry ORDER BY id DESC LIMIT 1"
        ).fetchone()
    copy.close()
    assert made.heads.read_text() == f"{head}\n"
    assert [each.digest for each in heads.read(str(made.heads))] == [head]
    assert [each.digest for each in heads.read(str(made.file))] == [head]


def test_its_name_says_when_and_only_its_owner_may_read_it(backups: Backups) -> None:
    """UTC to the second, and the folder is the owner's alone, too."""
    before = clock.now().replace(microsecond=0)
    made = backups.make()
    assert before <= made.made_at <= clock.now()
    assert made.made_at.strftime("ledger-%Y%m%dT%H%M%SZ-") in made.file.name
    assert stat.S_IMODE(made.file.stat().st_mode) == 0o600
    assert stat.S_IMODE(backups.folder.stat().st_mode) == 0o700


def at(monkeypatch: pytest.MonkeyPatch, moment: datetime) -> None:
    """Let backups be made at a moment."""
    monkeypatch.setattr(backup, "now", lambda: moment)


def test_so_many_are_kept_and_the_oldest_go(
    backups: Backups, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of five with three kept the last three are there; another ledger's in the folder are left alone."""
    few = Backups(backups.url, backups.folder, 3)
    first = datetime(2026, 1, 31, 2, 30, tzinfo=UTC)
    few.folder.mkdir()
    other = few.folder / f"other-20200101T000000Z-{'0' * 16}.sqlite"
    other.touch()
    for day in range(5):
        at(monkeypatch, first + timedelta(days=day))
        few.make()
    assert [made.made_at.day for made in few.list_all()] == [4, 3, 2]
    assert other.exists()


def test_of_two_begun_within_a_second_the_later_one_is_the_newest(
    backups: Backups, fill: Fill, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Their names have the same second, and the digests in them no time."""
    at(monkeypatch, datetime(2026, 1, 31, 21, 0, tzinfo=UTC))
    made = []
    for day in range(1, 7):
        fill(1, f"2026-01-0{day} 20:00:00.000000")
        made.append(backups.make())
    assert backups.list_all() == made[::-1]


def test_a_clock_that_was_set_back_does_not_cost_the_new_one(
    backups: Backups, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The backup just made stays, for any date in its name."""
    one = Backups(backups.url, backups.folder, 1)
    one.make()
    at(monkeypatch, datetime(1970, 1, 1, tzinfo=UTC))
    assert one.make() == one.list_all()[0]


def test_those_dated_in_the_future_are_the_first_to_go(
    backups: Backups, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A clock was wrong for two days: later backups stay, and count as the newest."""
    three, right = Backups(backups.url, backups.folder, 3), datetime(2026, 1, 31, tzinfo=UTC)
    for at_first in (right + timedelta(days=9000), right + timedelta(days=9001)):
        at(monkeypatch, at_first)
        three.make()
    for day in range(4):
        at(monkeypatch, right + timedelta(days=day))
        made = three.make()
        assert three.list_all()[0] == made
    assert [each.made_at - right for each in three.list_all()] == [
        timedelta(days=n) for n in (3, 2, 1)
    ]


def test_none_kept_removes_none(backups: Backups, monkeypatch: pytest.MonkeyPatch) -> None:
    """With 0 the program leaves the folder to its owner."""
    none = Backups(backups.url, backups.folder, 0)
    for day in (1, 2, 3):
        at(monkeypatch, datetime(2026, 1, day, tzinfo=UTC))
        none.make()
    assert len(none.list_all()) == 3


def test_two_processes_make_one(backups: Backups) -> None:
    """Both were started at the same instant: the second takes the first one's for its own."""
    due = clock.now()
    with ThreadPoolExecutor() as both:
        made = list(both.map(lambda _: backups.make(unless_since=due), range(2)))
    assert made[0] == made[1]
    assert len(backups.list_all()) == 1


def test_saves_go_on_during_a_backup_and_it_is_of_one_moment(
    database: Database, club: Access, played: int, backups: Backups, fill: Fill, tmp_path: Path
) -> None:
    """None waits for the 80 MB to be copied, and the copy verifies, with all that was saved before."""
    fill(4000, "2026-01-31 20:00:00.000000")
    waits: list[float] = []
    with ThreadPoolExecutor() as executor:
        running = executor.submit(backups.make)
        while not running.done():
            began = time.monotonic()
            table.record(database, club, played, table.HEARTS_74)
            waits.append(time.monotonic() - began)
    assert len(waits) > 3
    assert max(waits) < 2
    restore(running.result().file, backups.url.set(database=str(tmp_path / "new.sqlite")))
    restored = Database(f"sqlite:///{tmp_path / 'new.sqlite'}")
    assert list(verify(restored)) == []
    restored.close()
    assert 1 <= hands(tmp_path / "new.sqlite") <= 1 + len(waits)


MAKE = """
import sys, time
from pathlib import Path
from sqlalchemy import make_url
from ledger.keeping import backup
if sys.argv[1] == "copied":
    backup.to_disk = lambda _: time.sleep(60)
backup.Backups(make_url(sys.argv[2]), Path(sys.argv[3]), 1).make()
"""


@pytest.mark.parametrize("moment", ["copying", "copied"])
def test_a_backup_that_is_killed_is_none_and_the_next_one_clears_up(
    backups: Backups, fill: Fill, moment: str
) -> None:
    """Killed while it copies, and once all is copied but not named: the older one stays the newest."""
    older = backups.make()
    fill(4000 if moment == "copying" else 100, "2026-01-31 20:00:00.000000")
    process = subprocess.Popen(
        [sys.executable, "-c", MAKE, moment, str(backups.url), str(backups.folder)],
        env={"PYTHONPATH": str(ROOT)},
    )
    enough = 1 if moment == "copying" else fill.file.stat().st_size
    deadline = time.monotonic() + 60
    while not any(left.stat().st_size >= enough for left in backups.folder.glob(".partial-*Z")):
        assert time.monotonic() < deadline
        assert process.poll() is None
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert list(backups.folder.glob(".partial-*"))
    assert backups.list_all() == [older]
    assert older.intact
    newer = backups.make()
    assert backups.list_all() == [newer, older]
    assert not list(backups.folder.glob(".partial-*"))


def test_a_full_disk_makes_no_backup_and_removes_none(
    backups: Backups, fill: Fill, settings: Settings
) -> None:
    """Files may grow to 100 kB only: the command reports it, and leaves the older one and no half."""
    older = backups.make()
    fill(100, "2026-01-31 20:00:00.000000")
    limited = (
        "import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000)); "
        "from ledger.cli import main; main(['backup'])"
    )
    result = subprocess.run(
        [sys.executable, "-c", limited],
        env={
            "PYTHONPATH": str(ROOT),
            "LEDGER_DATABASE_URL": settings.database_url,
            "LEDGER_BACKUPS_KEPT": "1",
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 1
    assert result.stderr.startswith(f"Error: No backup was made in {backups.folder}: ")
    assert "Traceback" not in result.stderr
    assert backups.list_all() == [older]
    assert not list(backups.folder.glob(".partial-*"))


def test_a_damaged_ledger_makes_no_backup(
    database: Database, backups: Backups, fill: Fill, settings: Settings
) -> None:
    """A copy of damage is not a backup, and must not push a sound one out."""
    older = backups.make()
    fill(100, "2026-01-31 20:00:00.000000")
    database.close()
    with fill.file.open("r+b") as file:
        file.seek(4096 * 3)
        file.write(b"\xaa" * 4096 * 60)
    with pytest.raises(NoBackup, match=r"the ledger is damaged|malformed"):
        Backups.of(settings).make()
    assert backups.list_all() == [older]


def test_a_backup_that_was_changed_is_found_out(backups: Backups) -> None:
    """One byte of a name in it is enough, which no check of the database's own would notice."""
    made = backups.make()
    made.file.write_bytes(made.file.read_bytes().replace(b"Kitchen Table", b"Kitchen Cable"))
    assert not made.intact


def test_the_command_prints_the_file(backups: Backups, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the folder that the setting names."""
    monkeypatch.setenv("LEDGER_DATABASE_URL", str(backups.url))
    monkeypatch.setenv("LEDGER_BACKUP_DIR", str(backups.folder / "safe"))
    result = CliRunner().invoke(main, ["backup"])
    (file,) = (backups.folder / "safe").glob("*.sqlite")
    assert (result.exit_code, result.stdout) == (0, f"{file}\n")


def test_a_ledger_that_is_not_there_is_not_made_by_a_backup(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The sentence states that nothing was made; no file is."""
    monkeypatch.setenv("LEDGER_DATA_DIR", str(tmp_path))
    result = CliRunner().invoke(main, ["backup"])
    assert result.exit_code == 1
    assert "No backup was made" in result.stderr
    assert not (tmp_path / "ledger.sqlite").exists()
