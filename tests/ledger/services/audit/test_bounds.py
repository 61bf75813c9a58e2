"""Verifying ends, for any manipulated database."""

import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from sqlalchemy import text

from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.database.connecting import Connected
from ledger.keeping import migrate
from ledger.keeping.restore import NotRestored, restore
from ledger.runtime.config import Settings
from ledger.services.audit import bounds, verify
from ledger.services.audit.tables import VERSION, metadata
from tests.ledger import table

ENDLESS = (
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i AS {column} FROM n"
)
TIMEOUT = 60
"""Seconds after which a command counts as endless."""


@pytest.fixture
def file(database: Database, club: Access, settings: Settings) -> Path:
    """The file of an evening of one hand, opened by nobody."""
    table.record(database, club, table.start(database, club), table.HEARTS_74)
    database.close()
    return Path(settings.database_url.removeprefix("sqlite:///"))


def replace(file: Path, name: str, column: str = "id", create: str = "CREATE VIEW") -> None:
    """Put an endless view in the place of a table."""
    with sqlite3.connect(file) as books:
        books.execute("PRAGMA legacy_alter_table = ON")
        books.execute(f"ALTER TABLE {name} RENAME TO aside")
        books.execute(f"{create} {name} AS {ENDLESS.format(column=column)}")
    books.close()


def run(*arguments: object) -> subprocess.CompletedProcess[str]:
    """Run a command in a process that is ended if it takes too long."""
    command = [sys.executable, "-m", "ledger", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT, check=False)


@pytest.mark.parametrize(
    ("name", "column"), [("posting", "id"), ("club", "id"), (VERSION, "version_num")]
)
def test_verify_ends_at_an_endless_view_in_place_of_a_table(
    file: Path, name: str, column: str
) -> None:
    """It names the table and the remedy, and its status is 1."""
    replace(file, name, column)
    answer = run("verify", file, "--jobs", 1)
    assert answer.returncode == 1, answer.stderr
    assert f"The books, {name}: a view or another object is in place of this table" in answer.stdout
    assert "solo-ledger restore" in answer.stdout


def test_older_books_with_such_a_view_are_not_migrated(file: Path, database: Database) -> None:
    """Their copy would never be done."""
    migrate.downgrade(database, "0014")
    database.close()
    replace(file, "hand_version")
    answer = run("verify", file, "--jobs", 1)
    assert (answer.returncode, "hand_version: a view" in answer.stdout) == (1, True)


def test_such_books_are_not_restored(file: Path, tmp_path: Path) -> None:
    """They are refused before they are read."""
    replace(file, VERSION, "version_num")
    target = Connected(f"sqlite:///{tmp_path / 'new.sqlite'}").url
    with pytest.raises(NotRestored, match="in place of this table"):
        restore(file, target)


def test_a_head_is_not_looked_for_without_end(file: Path) -> None:
    """Neither in a file that is named for its head."""
    replace(file, "journal_entry", "club_id")
    answer = run("verify", file, "--jobs", 1, "--expect", file)
    assert answer.returncode == 2, answer.stdout


@pytest.mark.parametrize("create", ["CREATE VIEW", "create view", "CREATE  VIEW"])
def test_every_table_is_looked_at(file: Path, create: str) -> None:
    """With the view's name in any letters."""
    for name in (VERSION, *metadata.tables):
        replace(file, name, create=create)
        database = Connected(f"sqlite:///{file}")
        with database.engine.connect() as connection:
            assert [each.place for each in bounds.replaced_tables(connection)] == [name]
        database.close()
        with sqlite3.connect(file) as books:
            books.execute("PRAGMA legacy_alter_table = ON")
            books.execute(f"DROP VIEW {name}")
            books.execute(f"ALTER TABLE aside RENAME TO {name}")
        books.close()


@pytest.mark.postgres
def test_a_view_on_postgresql_is_refused_as_well(postgres_books: Database) -> None:
    """A materialized view, too: its source may have been forged."""
    for kind in ("VIEW", "MATERIALIZED VIEW"):
        with postgres_books.engine.connect() as connection:
            assert bounds.replaced_tables(connection) == []
            connection.execute(text("ALTER TABLE posting RENAME TO aside"))
            connection.execute(text(f"CREATE {kind} posting AS SELECT 1 AS id"))
            assert [each.place for each in bounds.replaced_tables(connection)] == ["posting"]
            connection.rollback()


def test_statements_end_once_they_take_too_many_steps(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pages can refer to one another so that a real table has no end; verify reports that it stopped."""
    limits = {"FEWEST_STEPS": 1_000, "STEPS_PER_PAGE": 1, "_STEPS_AT_ONCE": 10}
    for name, steps in limits.items():
        monkeypatch.setattr(bounds, name, steps)
    database = Connected(f"sqlite:///{file}")
    bounds.limit(database)
    findings = [str(each) for each in verify(database)]
    database.close()
    expected = (
        "The books, the file: reading takes far longer than its size allows; the rest was not read"
    )
    assert expected in findings


def test_a_statement_without_end_is_interrupted() -> None:
    """As many steps as a small file may take are over within seconds."""
    connection = sqlite3.connect(":memory:")
    bounds.StepLimit(connection)
    with pytest.raises(sqlite3.OperationalError, match="interrupted"):
        connection.execute(f"SELECT count(*) FROM ({ENDLESS.format(column='id')})").fetchone()
    connection.close()


@pytest.mark.postgres
def test_statements_have_a_time_limit_on_postgresql(postgres_books: Database) -> None:
    """Unless the role or the URL already sets one."""
    database = Connected(postgres_books.url.render_as_string(hide_password=False))
    bounds.limit(database)
    with database.engine.connect() as connection:
        assert connection.scalar(text("SHOW statement_timeout")) == "15min"
    database.close()
