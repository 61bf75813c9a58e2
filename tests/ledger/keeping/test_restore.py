"""A backup is verified, then put where nothing was."""

import sqlite3
import stat
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from unittest.mock import Mock

import pytest
from click.testing import CliRunner
from sqlalchemy import make_url

from ledger.books.transactions import Database
from ledger.cli import main
from ledger.keeping.backup import Backups
from ledger.keeping.migrate import downgrade, open_books
from ledger.keeping.restore import NotRestored, restore
from ledger.runtime.config import Settings
from ledger.services import audit
from ledger.services.audit import verify
from ledger.services.audit.lookups import Difference
from tests.ledger import table


def url(file: Path) -> str:
    """The URL of a file."""
    return f"sqlite:///{file}"


def test_a_restored_ledger_verifies_and_opens(
    backups: Backups, database: Database, tmp_path: Path, settings: Settings
) -> None:
    """Every row is there, in a file of its owner's alone; the command names the place."""
    made, new = backups.make(), tmp_path / "new.sqlite"
    result = CliRunner().invoke(main, ["restore", str(made.file), "--to", str(new)])
    restored, key = result.stderr.splitlines()
    assert (result.exit_code, restored) == (0, f"Restored to {url(new)}.")
    assert "put the file signing-key" in key
    assert stat.S_IMODE(new.stat().st_mode) == 0o600
    found = open_books(Settings(url(new), tmp_path, settings.secret_key), new=False)
    assert table.row_counts(found) == table.row_counts(database)
    assert list(verify(found)) == []
    found.close()


def test_it_stands_in_nobodys_place_where_files_know_no_links(
    backups: Backups, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on exFAT: it is there whole and its owner's alone; what came there meanwhile is left as it is."""
    monkeypatch.setattr("os.link", Mock(side_effect=PermissionError))
    made, new = backups.make(), tmp_path / "new.sqlite"
    restore(made.file, make_url(url(new)))
    assert stat.S_IMODE(new.stat().st_mode) == 0o600
    restored = Database(url(new))
    assert list(verify(restored)) == []
    restored.close()
    came, verified = tmp_path / "came.sqlite", audit.verify

    def meanwhile(database: Database) -> Iterator[Difference]:
        came.write_text("living books")
        return verified(database)

    monkeypatch.setattr(audit, "verify", meanwhile)
    with pytest.raises(NotRestored, match="File exists"):
        restore(made.file, make_url(url(came)))
    assert came.read_text() == "living books"
    assert not list(tmp_path.glob(".*"))


@pytest.mark.parametrize("left", ["", "-wal"])
def test_a_place_where_something_is_is_refused(
    backups: Backups, database: Database, settings: Settings, tmp_path: Path, left: str
) -> None:
    """The living books stay as they are; a log without its file would be played into the new one."""
    before = table.row_counts(database)
    living = Path(settings.database_url.removeprefix("sqlite:///"))
    place = living if not left else tmp_path / "new.sqlite"
    Path(f"{place}{left}").touch()
    result = CliRunner().invoke(main, ["restore", str(backups.make().file), "--to", str(place)])
    assert result.exit_code == 1
    assert f"there is already {place}{left}" in result.stderr
    assert table.row_counts(database) == before
    assert not (tmp_path / "new.sqlite").exists()


def altered(backup: Path, statement: str) -> Path:
    """Return a copy of a backup, changed by hand, that is not named as one."""
    copy = backup.with_name("by-hand.sqlite")
    copy.write_bytes(backup.read_bytes())
    with closing(sqlite3.connect(copy)) as books:
        books.execute(statement)
        books.commit()
    return copy


@pytest.mark.parametrize(
    ("statement", "why"),
    [
        (
            "UPDATE account SET balance = balance + 1 WHERE seat_id = 1",
            "its books are not in order",
        ),
        ("UPDATE alembic_version SET version_num = '9999'", "newer version"),
        ("DROP TABLE alembic_version", "holds no ledger"),
    ],
)
def test_what_does_not_verify_is_not_put_in_place(
    backups: Backups, tmp_path: Path, statement: str, why: str
) -> None:
    """A balance changed by hand, a schema of tomorrow, no ledger at all: reported, and no file is left."""
    with pytest.raises(NotRestored, match=why):
        restore(altered(backups.make().file, statement), make_url(url(tmp_path / "new.sqlite")))
    assert list(tmp_path.glob("*new.sqlite*")) == []


def test_a_damaged_backup_is_found(backups: Backups, tmp_path: Path) -> None:
    """A letter of a name by its own name's digest; half a file that was renamed by SQLite's check."""
    made, target = backups.make(), make_url(url(tmp_path / "new.sqlite"))
    sound = made.file.read_bytes()
    made.file.write_bytes(sound.replace(b"Kitchen Table", b"Kitchen Cable"))
    with pytest.raises(NotRestored, match="does not hold what was saved under this name"):
        restore(made.file, target)
    renamed = made.file.with_name("renamed.sqlite")
    renamed.write_bytes(sound[: len(sound) // 2])
    with pytest.raises(NotRestored, match=r"it is damaged|malformed"):
        restore(renamed, target)
    assert list(tmp_path.glob("*new.sqlite*")) == []


def test_a_folder_that_is_not_there_is_named(backups: Backups, tmp_path: Path) -> None:
    """As it was mistyped, and not by a name that only the restoring uses."""
    made, place = backups.make(), tmp_path / "typo" / "new.sqlite"
    result = CliRunner().invoke(main, ["restore", str(made.file), "--to", str(place)])
    assert result.exit_code == 1
    assert result.stderr.endswith(f"was not restored: there is no folder {place.parent}\n")


def test_what_is_not_a_backup_is_refused(tmp_path: Path) -> None:
    """A letter is not; nor does a file of one database go into the other."""
    (tmp_path / "letter").write_text("Dear Ann")
    (tmp_path / "dump").write_bytes(b"PGDMP and more")
    for name, why in (("letter", "not a backup"), ("dump", "of the same kind")):
        with pytest.raises(NotRestored, match=why):
            restore(tmp_path / name, make_url(url(tmp_path / "new.sqlite")))


def test_a_backup_of_an_earlier_version_is_restored_up_to_date(
    backups: Backups, database: Database, tmp_path: Path
) -> None:
    """Like the one made before a migration."""
    downgrade(database, "0012")
    restore(backups.make().file, make_url(url(tmp_path / "new.sqlite")))
    restored = Database(url(tmp_path / "new.sqlite"))
    assert list(verify(restored)) == []
    restored.close()
