"""Commands that root runs for a service of another user leave nothing that the service can't use."""

import os
import pwd
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.support import users


@pytest.fixture
def service() -> pwd.struct_passwd:
    """The user that the service runs as."""
    return users.nobody()


@pytest.fixture
def folder(service: pwd.struct_passwd) -> Iterator[Path]:
    """The data folder of the service, empty."""
    with users.folder(service) as folder:
        yield folder


def foreign(folder: Path, owner: pwd.struct_passwd) -> list[str]:
    """Return the files in a folder that its owner does not own, or that others can read."""
    return [
        str(each.relative_to(folder))
        for each in sorted(folder.rglob("*"))
        if each.stat().st_uid != owner.pw_uid
        or each.stat().st_gid != owner.pw_gid
        or each.stat().st_mode & 0o077
    ]


def test_what_root_makes_belongs_to_the_owner_of_the_data_folder(
    folder: Path, service: pwd.struct_passwd
) -> None:
    """The ledger itself, its keys, its backups with their heads, and SQLite's files."""
    result = users.found_club(folder)
    assert result.returncode == 0, result.stderr
    for command in (
        ["backup"],
        ["token", "Kitchen"],
        ["link", "Kitchen"],
        ["prune"],
        ["verify"],
        ["doctor"],
    ):
        outcome = users.run(*command, data_dir=folder)
        assert "Traceback" not in outcome.stderr, outcome.stderr
        assert foreign(folder, service) == [], command
    assert {"ledger.sqlite", "signing-key", "secret-key", "backups"} <= set(os.listdir(folder))
    outcome = users.run("backup", user=service, data_dir=folder)
    assert outcome.returncode == 0, outcome.stderr
    assert users.run("verify", user=service, data_dir=folder).returncode == 0


def test_what_sqlite_keeps_beside_an_open_ledger_belongs_to_its_owner(
    folder: Path, service: pwd.struct_passwd
) -> None:
    """A command of root's may be ended before it removes them."""
    assert users.found_club(folder).returncode == 0
    with closing(sqlite3.connect(folder / "ledger.sqlite")) as books, books:
        books.execute("CREATE TABLE other (id INTEGER)")
        assert {"ledger.sqlite-wal", "ledger.sqlite-shm"} <= set(os.listdir(folder))
        assert foreign(folder, service) == []


def test_a_new_folder_belongs_to_the_owner_of_the_one_it_is_made_in(
    folder: Path, service: pwd.struct_passwd
) -> None:
    """So does a backup folder of its own, and a database restored there."""
    data, copies = folder / "games" / "cards", folder / "copies"
    assert users.found_club(data, backup_dir=copies).returncode == 0
    result = users.run("backup", data_dir=data, backup_dir=copies)
    assert result.returncode == 0, result.stderr
    restored = users.run(
        "restore", result.stdout.strip(), "--to", folder / "again.sqlite", data_dir=data
    )
    assert restored.returncode == 0, restored.stderr
    others = [
        each for each in foreign(folder, service) if each != "games"
    ]  # which others may enter
    assert others == []


def test_a_backup_goes_into_a_folder_of_roots_as_the_services_file(
    folder: Path, service: pwd.struct_passwd
) -> None:
    """A folder that was there before keeps its owner."""
    copies = folder / "copies"
    copies.mkdir(mode=0o700)
    assert users.found_club(folder, backup_dir=copies).returncode == 0
    assert users.run("backup", data_dir=folder, backup_dir=copies).returncode == 0
    assert foreign(folder, service) == ["copies"]


def test_the_doctor_names_what_root_left_before(folder: Path, service: pwd.struct_passwd) -> None:
    """With the command that gives it back."""
    assert users.found_club(folder).returncode == 0
    os.chown(folder / "signing-key", 0, 0)
    result = users.run("doctor", data_dir=folder)
    expected = f"chown --reference={folder / 'ledger.sqlite'} {folder / 'signing-key'}"
    assert expected in result.stdout
    os.chown(folder / "signing-key", service.pw_uid, service.pw_gid)
    assert "chown" not in users.run("doctor", data_dir=folder).stdout
