"""The doctor has a line for each part, and where something is broken the mend."""

import os
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

import pytest
from click.testing import CliRunner
from sqlalchemy import text

from ledger.books.transactions import Database
from ledger.cli import main
from ledger.database.access import Access
from ledger.keeping import backup, doctor
from ledger.keeping.backup import Backups
from ledger.keeping.certificates import load_or_create
from ledger.keeping.doctor import examine
from ledger.keeping.migrate import downgrade
from ledger.report import fonts
from ledger.runtime.config import Settings, load
from ledger.services.club import devices
from ledger.services.club.passcodes import NOBODY

PARTS = ["python", "settings", "disk", "database", "integrity", "migrations", "signing", "owners"]
PARTS += ["clock", "https", "fonts", "backups"]


class Patient(NamedTuple):
    """A healthy installation, for a test to break something of."""

    env: dict[str, str]
    file: Path
    database: Database
    backups: Backups
    patch: pytest.MonkeyPatch

    def change(self, statement: str) -> None:
        """Change something in its books."""
        with closing(sqlite3.connect(self.file)) as books:
            books.execute(statement)
            books.commit()


@pytest.fixture
def patient(
    settings: Settings,
    database: Database,
    club: Access,
    backups: Backups,
    monkeypatch: pytest.MonkeyPatch,
) -> Patient:
    """A ledger with an evening, an owner of its club, and a backup."""
    devices.admit(database, club, NOBODY)
    file = Path(settings.database_url.removeprefix("sqlite:///"))
    for each in file.parent.glob("ledger.sqlite*"):
        each.chmod(0o600)
    backups.make()
    env = {"LEDGER_DATABASE_URL": settings.database_url, "LEDGER_DATA_DIR": str(file.parent)}
    load(env)  # makes the keys, as serve does
    monkeypatch.setattr(doctor, "LEAST_FREE", 1)
    return Patient(env, file, database, backups, monkeypatch)


def test_a_line_for_each_part_and_status_0_when_all_is_well(patient: Patient) -> None:
    """Nothing is changed by looking."""
    before = sorted(os.listdir(patient.backups.folder))
    result = CliRunner().invoke(main, ["doctor"], env=patient.env)
    lines = result.output.splitlines()
    assert [line.split()[:2] for line in lines] == [["ok", part] for part in PARTS]
    assert result.exit_code == 0
    assert sorted(os.listdir(patient.backups.folder)) == before


def misspelt(patient: Patient) -> None:
    """A setting has a letter too few."""
    patient.env["LEDGER_BAKUP_AT"] = "03:30"


def impossible(patient: Patient) -> None:
    """A setting can't be read."""
    patient.env["LEDGER_BACKUP_AT"] = "half past three"


def nearly_full(patient: Patient) -> None:
    """The disk has less free than is needed."""
    patient.patch.setattr(doctor, "LEAST_FREE", 1 << 60)


def readable_by_others(patient: Patient) -> None:
    """The file is open to others."""
    patient.file.chmod(0o644)


def gone(patient: Patient) -> None:
    """There is no file."""
    patient.database.close()
    for each in patient.file.parent.glob("ledger.sqlite*"):
        each.unlink()


def torn(patient: Patient) -> None:
    """Pages are written over."""
    patient.database.close()
    with patient.file.open("r+b") as file:
        file.seek(4096 * 20)
        file.write(b"\xaa" * 4096 * 20)


def referring_to_nothing(patient: Patient) -> None:
    """A row is of a club that is not there."""
    patient.change("INSERT INTO written_answer VALUES (99, 99, 'key', '', '{}', '2026-01-31')")


def older(patient: Patient) -> None:
    """An earlier version left it so."""
    downgrade(patient.database, "0012")


def newer(patient: Patient) -> None:
    """A later version left it so."""
    patient.change("UPDATE alembic_version SET version_num = '9999'")


def of_two_versions(patient: Patient) -> None:
    """Somebody had a hand in it."""
    patient.change("INSERT INTO alembic_version VALUES ('0001')")


def without_its_key(patient: Patient) -> None:
    """It was restored, and the key was not put next to it."""
    (patient.file.parent / "signing-key").unlink()


def without_an_owner(patient: Patient) -> None:
    """Its club is of a version that knew none."""
    patient.change("UPDATE device SET role = 'scorer'")


def behind(patient: Patient) -> None:
    """The clock was reset."""
    patient.patch.setattr(doctor, "now", lambda: datetime(2001, 1, 1, tzinfo=UTC))


def without_a_font(patient: Patient) -> None:
    """A font's file is spoiled."""
    folder = patient.file.parent / "fonts"
    shutil.copytree(fonts.FOLDER, folder)
    (folder / "NotoSansThai-Regular.ttf").write_bytes(b"spoiled")
    patient.patch.setattr(fonts, "FOLDER", folder)


def without_a_backup(patient: Patient) -> None:
    """None was made."""
    shutil.rmtree(patient.backups.folder)


def with_a_damaged_backup(patient: Patient) -> None:
    """The newest holds something else."""
    patient.backups.list_all()[0].file.write_bytes(b"spoiled")


def with_an_old_backup(patient: Patient) -> None:
    """One is due each day, and the newest is a week old."""
    without_a_backup(patient)
    patient.env["LEDGER_BACKUP_AT"] = "03:30"
    week_ago = datetime.now(UTC) - timedelta(days=7)
    patient.patch.setattr(backup, "now", lambda: week_ago)
    patient.backups.make()


def read_only(patient: Patient) -> None:
    """Its file can be read, and takes nothing."""
    patient.env["LEDGER_DATABASE_URL"] = f"sqlite:///file:{patient.file}?mode=ro&uri=true"


def with_a_backup_of_tomorrow(patient: Patient) -> None:
    """The only one there is was made while the clock was wrong: how old it is nobody knows."""
    without_a_backup(patient)
    with pytest.MonkeyPatch.context() as meanwhile:
        tomorrow = datetime.now(UTC) + timedelta(days=1)
        meanwhile.setattr(backup, "now", lambda: tomorrow)
        patient.backups.make()


def certified(patient: Patient, at: datetime, names: tuple[str, ...] = ("pi.local",)) -> Path:
    """Make certificates at some time; without names the authority alone. Returns their folder."""
    made = load_or_create(patient.file.parent / "https", "192.168.1.5", "pi", at)
    if names:
        made.renew(names, at)
    return made.folder


def with_a_damaged_authority(patient: Patient) -> None:
    """Its file holds something else."""
    (certified(patient, datetime.now(UTC)) / "authority.pem").write_text("text")


def with_an_open_key(patient: Patient) -> None:
    """A copy from elsewhere has lost its mode."""
    (certified(patient, datetime.now(UTC)) / "authority.pem").chmod(0o640)


def with_an_authority_of_tomorrow(patient: Patient) -> None:
    """Phones don't believe it yet, or this machine's clock is behind."""
    certified(patient, datetime.now(UTC) + timedelta(days=3))


@pytest.mark.parametrize(
    ("breaks", "part", "mend"),
    [
        (with_a_damaged_authority, "https", "Put your copy of it back; or remove the folder"),
        (with_an_open_key, "https", "can read the key"),
        (with_an_authority_of_tomorrow, "https", "timedatectl set-ntp true"),
        (misspelt, "settings", "LEDGER_BAKUP_AT: no such setting; the README lists them"),
        (impossible, "settings", "takes a time of day such as 03:30"),
        (nearly_full, "disk", "run solo-ledger prune"),
        (readable_by_others, "database", "chmod 600"),
        (read_only, "database", "attempt to write a readonly database"),
        (gone, "database", "solo-ledger serve makes one"),
        (torn, "integrity", "solo-ledger restore"),
        (referring_to_nothing, "integrity", "written_answer refers to nothing"),
        (older, "migrations", "solo-ledger serve makes a backup and migrates it"),
        (newer, "migrations", "install that version"),
        (of_two_versions, "migrations", "it says of itself to be of several versions: 0001, "),
        (without_its_key, "signing", "put your copy of the signing key back as"),
        (without_an_owner, "owners", "solo-ledger link 'Kitchen Table'"),
        (behind, "clock", "timedatectl set-ntp true"),
        (without_a_font, "fonts", "install Solo Ledger again"),
        (without_a_backup, "backups", "run solo-ledger backup"),
        (with_a_damaged_backup, "backups", "remove it and run solo-ledger backup"),
        (with_an_old_backup, "backups", "is serve running?"),
        (
            with_a_backup_of_tomorrow,
            "backups",
            "dated after this machine's clock; set the clock, or run solo-ledger backup",
        ),
    ],
)
def test_what_is_broken_is_said_with_its_mend(
    patient: Patient, breaks: Callable[[Patient], None], part: str, mend: str
) -> None:
    """In the line of its part, and the status is 1."""
    breaks(patient)
    result = CliRunner().invoke(main, ["doctor"], env=patient.env)
    (line,) = (line for line in result.output.splitlines() if line.split()[:2] == ["MEND", part])
    assert mend in line
    assert result.exit_code == 1


def test_a_python_that_was_not_tested_is_a_warning_with_a_remedy(patient: Patient) -> None:
    """It may well work, so the exit status stays 0."""
    patient.patch.setattr("platform.python_version", lambda: "3.99.1")
    result = CliRunner().invoke(main, ["doctor"], env=patient.env)
    (line,) = [line for line in result.output.splitlines() if line.startswith("WARN")]
    assert "3.99.1 is not one that Solo Ledger was tested on" in line
    assert line.endswith(f"install it with Python {doctor.TESTED_PYTHONS[-1]}")
    assert result.exit_code == 0


def test_looking_makes_no_ledger_and_migrates_none(patient: Patient) -> None:
    """One of an earlier version stays at its revision; one that is gone stays gone."""
    older(patient)
    list(examine(patient.env))
    with closing(sqlite3.connect(patient.file)) as books:
        assert books.execute("SELECT version_num FROM alembic_version").fetchone() == ("0012",)
    gone(patient)
    list(examine(patient.env))
    assert not patient.file.exists()


@pytest.mark.parametrize("command", ["doctor", "backup", "verify"])
def test_nothing_is_made_where_there_is_no_ledger(command: str, tmp_path: Path) -> None:
    """A folder that was mistyped stays away: no key in it that somebody could take for the ledger's."""
    result = CliRunner().invoke(main, [command], env={"LEDGER_DATA_DIR": str(tmp_path / "typo")})
    assert result.exit_code != 0
    assert "there is no" in result.output
    assert os.listdir(tmp_path) == []


@pytest.mark.postgres
def test_a_ledger_on_postgresql_is_looked_at_too(on_postgres: Database, tmp_path: Path) -> None:
    """All but backup and owner, which it lacks; and a server that does not answer is named as one."""
    url = on_postgres.url.render_as_string(hide_password=False)
    env = {"LEDGER_DATABASE_URL": url, "LEDGER_DATA_DIR": str(tmp_path)}
    load(env)
    assert [finding.part for finding in examine(env) if not finding.is_well] in (
        ["owners", "backups"],
        ["disk", "owners", "backups"],
    )
    with on_postgres.engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    assert "migrations" in [finding.part for finding in examine(env) if not finding.is_well]
    env["LEDGER_DATABASE_URL"] = "postgresql+psycopg://nobody@127.0.0.1:1/none"
    (line,) = [finding.text for finding in examine(env) if finding.part == "database"]
    assert "LEDGER_DATABASE_URL the right place" in line


@pytest.mark.parametrize(
    ("age", "names", "state", "text"),
    [
        (0, ("pi.local",), "ok", "for pi.local, by an authority until"),
        (0, (), "ok", "serve --lan --https issues the certificate"),
        (500, ("pi.local",), "WARN", "the certificate ended on"),
        (3_600, ("pi.local",), "WARN", "let every phone trust the new one"),
    ],
)
def test_the_certificates_are_named_with_their_ends(
    patient: Patient, age: int, names: tuple[str, ...], state: str, text: str
) -> None:
    """A warning while there is time: serve renews its own, but an authority's end concerns each phone."""
    certified(patient, datetime.now(UTC) - timedelta(days=age), names)
    (finding,) = [each for each in examine(patient.env) if each.part == "https"]
    assert finding.state == state
    assert text in finding.text
