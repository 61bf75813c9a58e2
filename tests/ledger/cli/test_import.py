"""``solo-ledger import``: its output, an owner's link, and failures as sentences."""

import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner

from ledger.books.transactions import Database
from ledger.cli import main
from ledger.database.access import Access, Role
from ledger.services.club import clubs
from tests.ledger import table
from tests.ledger.keeping.archive.archives import exported
from tests.ledger.services.audit.books import KEY


@pytest.fixture
def archive(database: Database, club: Access, tmp_path: Path) -> Path:
    """The archive of a club with a hand, in a file; it is signed by a key that is not known elsewhere."""
    database.signer = KEY
    table.record(database, club, table.start(database, club), table.HEARTS_74)
    file = tmp_path / "club.jsonl.gz"
    file.write_bytes(exported(database, club.club_id, KEY))
    return file


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An installation without a ledger, which the command uses."""
    folder = tmp_path / "elsewhere"
    folder.mkdir(mode=0o700)
    for name in ("LEDGER_DATABASE_URL", "LEDGER_SIGNING_KEY", "LEDGER_SECRET_KEY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LEDGER_DATA_DIR", str(folder))
    return folder


def test_a_new_installation_gets_the_club_and_its_owner_a_link(
    archive: Path, elsewhere: Path
) -> None:
    """The link alone is on standard output; the books verify."""
    answer = CliRunner().invoke(main, ["import", str(archive)])
    assert answer.exit_code == 0, answer.stderr
    assert "to “Kitchen Table”" in answer.stderr
    (line,) = answer.stdout.splitlines()
    database = Database(f"sqlite:///{elsewhere / 'ledger.sqlite'}")
    access, club, _ = clubs.of_link(database, line.rpartition("/")[2])
    assert (access.role, club.name) == (Role.OWNER, "Kitchen Table")
    database.close()
    assert CliRunner().invoke(main, ["verify"]).exit_code == 0
    assert "signatures of no key" not in CliRunner().invoke(main, ["doctor"]).output


def test_an_archive_comes_from_standard_input_too(archive: Path, elsewhere: Path) -> None:
    """A pipe has no position; the second time there is nothing to add, and no link."""
    assert elsewhere.exists()
    for added in (True, False):
        answer = CliRunner().invoke(main, ["import", "-"], input=archive.read_bytes())
        assert answer.exit_code == 0, answer.stderr
        assert bool(answer.stdout) is added
    assert answer.stderr == (
        "“Kitchen Table” is here with all entries of the archive: nothing was added.\n"
    )


def test_a_faulty_archive_ends_with_a_sentence(archive: Path, elsewhere: Path) -> None:
    """And status 1; no club is there afterwards."""
    archive.write_bytes(archive.read_bytes()[:-20])
    answer = CliRunner().invoke(main, ["import", str(archive)])
    assert answer.exit_code == 1
    assert re.match("Error: Line .*nothing was imported", answer.stderr)
    with closing(sqlite3.connect(elsewhere / "ledger.sqlite")) as rows:
        assert rows.execute("SELECT count(*) FROM club").fetchone() == (0,)


def test_a_name_that_is_taken_is_replaced_on_request(archive: Path, elsewhere: Path) -> None:
    """The sentence names the option."""
    CliRunner().invoke(main, ["import", str(archive)])
    with closing(sqlite3.connect(elsewhere / "ledger.sqlite")) as rows, rows:
        rows.execute("UPDATE club SET moved_to = 'https://solo.example'")
    answer = CliRunner().invoke(main, ["import", str(archive)])
    assert (answer.exit_code, "--name" in answer.stderr) == (1, True)
    answer = CliRunner().invoke(main, ["import", str(archive), "--name", "Back again"])
    assert (answer.exit_code, "to “Back again”" in answer.stderr) == (0, True)
