"""``verify`` and ``doctor`` without the key that signed, or without the right to read the ledger."""

import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import pytest
from click.testing import CliRunner, Result

from ledger.books.transactions import Database
from ledger.cli import main
from ledger.keeping.backup import Backup, Backups
from ledger.runtime import config
from ledger.runtime.config import Settings
from ledger.runtime.signing import SigningKey
from tests.ledger import table
from tests.support import users


class Ledger(NamedTuple):
    """A ledger in use with five signed entries, and a backup of it."""

    env: dict[str, str]
    file: Path
    key: Path
    public: str
    backup: Backup

    def run(self, *arguments: str) -> Result:
        """Run a command over it."""
        return CliRunner().invoke(main, list(arguments), env=self.env)

    def signing(self) -> str:
        """Return the doctor's line of the key."""
        lines = self.run("doctor").stdout.splitlines()
        return next(line for line in lines if line[6:].startswith("signing"))

    def change(self, *statements: str) -> None:
        """Change its entries past the program."""
        with closing(sqlite3.connect(self.file)) as books, books:
            guard = "SELECT sql FROM sqlite_master WHERE name = 'journal_entry_no_update'"
            ((definition,),) = books.execute(guard).fetchall()
            for statement in ("DROP TRIGGER journal_entry_no_update", *statements, definition):
                books.execute(statement)


@pytest.fixture
def ledger(settings: Settings, database: Database) -> Ledger:
    """A ledger with its key next to it, and all entries signed."""
    file = Path(settings.database_url.removeprefix("sqlite:///"))
    file.chmod(0o600)
    env = {"LEDGER_DATABASE_URL": settings.database_url, "LEDGER_DATA_DIR": str(file.parent)}
    chosen = config.load(env)
    database.signer = SigningKey.from_text(chosen.signing_key)
    _play(database)
    database.close()
    backup = Backups.of(chosen).make()
    return Ledger(env, file, file.parent / "signing-key", database.signer.public, backup)


def _play(database: Database) -> None:
    from ledger.services.club import clubs

    access, _ = clubs.create(database, name="Kitchen Table", passcode="four aces", author="Sue")
    played = table.start(database, access)
    table.record(database, access, played, table.HEARTS_74)


def test_a_missing_key_is_a_line_with_its_remedy_in_verify_and_doctor(ledger: Ledger) -> None:
    """The number of signatures, the place of the file, and the public key as the backup holds it."""
    ledger.key.unlink()
    count = _signatures(ledger)
    answer = ledger.run("verify")
    assert answer.exit_code == 1
    (line,) = answer.stdout.splitlines()
    assert line.startswith(
        f"The books, signatures: {count} signatures can't be checked, as no key is known here; "
        f"put your copy of the signing key back as {ledger.key}"
    )
    assert f"LEDGER_TRUSTED_KEYS to its public key (backups were signed by {ledger.public})" in line
    doctor = ledger.signing()
    assert doctor.startswith("MEND")
    assert f"{count} signatures can't be checked; put your copy" in doctor
    ledger.env["LEDGER_TRUSTED_KEYS"] = ledger.public
    assert ledger.run("verify").exit_code == 0


def test_a_lost_key_that_was_replaced_is_one_line_in_verify_and_doctor(ledger: Ledger) -> None:
    """Both remedies work: naming the old public key, and putting the old key back."""
    old = ledger.key.read_text()
    ledger.key.unlink()
    config.load(ledger.env)
    answer = ledger.run("verify")
    assert answer.exit_code == 1
    (line,) = answer.stdout.splitlines()
    count = _signatures(ledger)
    assert (
        f"{count} signatures of no key that is known here (Kitchen Table, entries 1 to {count})"
        in line
    )
    assert f"set LEDGER_TRUSTED_KEYS={ledger.public} with its public key" in line
    doctor = ledger.signing()
    assert doctor.startswith(f"MEND  signing     {count} signatures of no key that is known here")
    assert f"LEDGER_TRUSTED_KEYS={ledger.public}" in doctor
    ledger.env["LEDGER_TRUSTED_KEYS"] = ledger.public
    assert (ledger.run("verify").exit_code, ledger.signing()[:2]) == (0, "ok")
    del ledger.env["LEDGER_TRUSTED_KEYS"]
    ledger.key.write_text(old)
    assert (ledger.run("verify").exit_code, ledger.signing()[:2]) == (0, "ok")


def _signatures(ledger: Ledger) -> int:
    with closing(sqlite3.connect(ledger.file)) as books:
        query = "SELECT count(*) FROM journal_entry WHERE signature IS NOT NULL"
        return int(books.execute(query).fetchone()[0])


def test_stripped_signatures_without_the_key_are_a_difference(ledger: Ledger) -> None:
    """In use a ledger has a key; in a file, a key that is named must have signed."""
    ledger.key.unlink()
    for left in ledger.backup.file.parent.iterdir():
        left.unlink()
    ledger.change("UPDATE journal_entry SET signature = NULL")
    answer = ledger.run("verify")
    assert (
        answer.exit_code,
        "no key is known here, and a ledger in use has one" in answer.stdout,
    ) == (1, True)
    assert ledger.run("verify", str(ledger.file)).exit_code == 0
    answer = ledger.run("verify", str(ledger.file), "--key", ledger.public)
    assert (answer.exit_code, "no entry is signed, though some were by" in answer.stdout) == (
        1,
        True,
    )


def test_a_backup_remembers_that_its_heads_were_signed(ledger: Ledger) -> None:
    """Signatures removed since are missed, also with another signer."""
    ledger.change("UPDATE journal_entry SET signature = NULL")
    ledger.key.unlink()
    config.load(ledger.env)
    answer = ledger.run("verify")
    assert answer.exit_code == 1
    assert f"it is not signed, and was when {ledger.backup.heads.name} was made" in answer.stdout


def test_a_backup_before_the_first_entry_holds_no_head_and_is_no_failure(
    settings: Settings, database: Database
) -> None:
    """Its file of heads is empty."""
    database.close()
    env = {"LEDGER_DATABASE_URL": settings.database_url, "LEDGER_DATA_DIR": str(settings.data_dir)}
    backup = Backups.of(config.load(env)).make()
    assert backup.heads.read_text() == ""
    assert CliRunner().invoke(main, ["verify"], env=env).exit_code == 0


@pytest.mark.parametrize("unreadable", ["heads", "folder"])
def test_heads_that_another_user_owns_are_a_difference_with_its_remedy(
    ledger: Ledger, unreadable: str
) -> None:
    """As after a backup that root made: all else is still verified."""
    place = ledger.backup.heads if unreadable == "heads" else ledger.backup.file.parent
    if not users.is_root():
        place.chmod(0)
        answer = users.run("verify", user=None, **_stated(ledger))
        place.chmod(0o700)
        _assert_heads_unreadable(answer.returncode, answer.stdout, answer.stderr, place)
        return
    nobody = users.nobody()
    with users.folder(nobody) as folder:
        env = _moved(ledger, folder, nobody.pw_uid)
        place = folder / place.relative_to(ledger.file.parent)
        os.chown(place, 0, 0)
        answer = users.run("verify", user=nobody, **env)
        _assert_heads_unreadable(answer.returncode, answer.stdout, answer.stderr, place)
        os.chown(place, nobody.pw_uid, nobody.pw_gid)
        answer = users.run("verify", user=nobody, **env)
        assert answer.returncode == 0, answer.stdout


def _stated(ledger: Ledger) -> dict[str, object]:
    return {"data_dir": ledger.file.parent, "database_url": ledger.env["LEDGER_DATABASE_URL"]}


def _moved(ledger: Ledger, folder: Path, owner: int) -> dict[str, object]:
    """Move the ledger into a folder, and give it to its owner."""
    for file in sorted(ledger.file.parent.rglob("*")):
        to = folder / file.relative_to(ledger.file.parent)
        if file.is_dir():
            to.mkdir(mode=0o700)
        else:
            shutil.move(file, to)  # perhaps to another file system
        os.chown(to, owner, owner)
    return {"data_dir": folder, "database_url": f"sqlite:///{folder / ledger.file.name}"}


def _assert_heads_unreadable(status: int, out: str, err: str, place: Path) -> None:
    assert (status, "Traceback" in err) == (1, False), err
    (line,) = out.splitlines()
    assert line.startswith("The books, heads of the newest backup: ")
    assert f"{place}" in line
    assert (
        "Permission denied. Without them nobody knows whether entries were removed since." in line
    )
    assert "chown" in line


def test_a_file_in_a_folder_that_is_not_readable_is_named(ledger: Ledger) -> None:
    """The status is that of books that could not be read."""
    hidden = ledger.file.parent / "hidden"
    hidden.mkdir(mode=0o700)
    ledger.file.rename(hidden / "ledger.sqlite")
    if not users.is_root():
        hidden.chmod(0)
        answer = users.run("verify", hidden / "ledger.sqlite", user=None, **_stated(ledger))
        hidden.chmod(0o700)
    else:
        nobody = users.nobody()
        with users.folder(nobody) as folder:
            _moved(ledger, folder, nobody.pw_uid)
            os.chown(folder / "hidden", 0, 0)
            answer = users.run(
                "verify", folder / "hidden" / "ledger.sqlite", user=nobody, data_dir=folder
            )
    assert answer.returncode == 3, answer.stderr
    assert "ledger.sqlite can't be read: Permission denied." in answer.stderr
