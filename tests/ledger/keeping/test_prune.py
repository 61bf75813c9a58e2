"""Old answers are forgotten in steps, their room goes back to the disk, and nothing else changes."""

import sqlite3
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner
from sqlalchemy import text

from ledger.books.transactions import Database
from ledger.cli import main
from ledger.database.access import Access
from ledger.keeping.prune import prune
from ledger.runtime.clock import now
from ledger.runtime.config import Settings
from ledger.services.audit import verify
from tests.ledger import table
from tests.ledger.keeping.conftest import Fill


def days_ago(days: float) -> str:
    """An instant as SQLite's column holds it."""
    return (now() - timedelta(days=days)).strftime("%Y-%m-%d %H:%M:%S.%f")


def size(file: Path, *, vacuum: int) -> int:
    """The size of a file, with its log folded in, after a check of its way of shrinking."""
    with closing(sqlite3.connect(file)) as books:
        assert books.execute("PRAGMA auto_vacuum").fetchone() == (vacuum,)
        books.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return file.stat().st_size


def without_answers(database: Database) -> dict[str, int]:
    """The rows of every other table."""
    return {k: n for k, n in table.row_counts(database).items() if k != "written_answer"}


def test_answers_older_than_so_many_days_are_forgotten_and_no_others(
    database: Database, fill: Fill
) -> None:
    """A key of yesterday still gets its first answer; the books stay in order."""
    fill(3, days_ago(31))
    fill(2, days_ago(29))
    before = table.row_counts(database)
    assert prune(database, 30).answers == 3
    assert table.row_counts(database) == {**before, "written_answer": before["written_answer"] - 3}
    assert list(verify(database)) == []


def test_the_room_goes_back_to_the_disk(
    database: Database, settings: Settings, fill: Fill, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The command names the number of bytes, and the file is smaller by that."""
    fill(500, days_ago(40))
    before, others = size(fill.file, vacuum=2), without_answers(database)
    database.close()
    monkeypatch.setenv("LEDGER_DATABASE_URL", settings.database_url)
    result = CliRunner().invoke(main, ["prune"])
    given_back = before - size(fill.file, vacuum=2)
    assert given_back > 500 * 20_000
    assert result.output == f"500 answers forgotten, {given_back / 1e6:.1f} MB given back.\n"
    assert without_answers(database) == others


def test_a_file_of_an_earlier_version_is_shrunk_when_it_is_rewritten(
    database: Database, fill: Fill, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before that its room is used for later saves, and the command names the remedy."""
    database.close()
    with closing(sqlite3.connect(fill.file, isolation_level=None)) as books:
        books.execute("PRAGMA auto_vacuum = NONE")
        books.execute("VACUUM")
    fill(300, days_ago(40))
    before = size(fill.file, vacuum=0)
    monkeypatch.setenv("LEDGER_DATABASE_URL", settings.database_url)
    first = CliRunner().invoke(main, ["prune"])
    assert "300 answers forgotten, 0.0 MB given back.\n" in first.output
    assert "--rewrite" in first.output
    assert size(fill.file, vacuum=0) == before
    result = CliRunner().invoke(main, ["prune", "--rewrite"])
    assert "--rewrite" not in result.output
    assert size(fill.file, vacuum=2) < before - 300 * 20_000


def test_who_saves_meanwhile_waits_a_moment_at_most(
    database: Database, settings: Settings, club: Access, played: int, fill: Fill
) -> None:
    """In another process, as the command is: 12 MB are forgotten and given back while hands are saved."""
    fill(600, days_ago(40))
    beside = Database(settings.database_url)
    waits = []
    with ThreadPoolExecutor() as other:
        running = other.submit(prune, beside, 30)
        while not running.done():
            began = time.monotonic()
            table.record(database, club, played, table.HEARTS_74)
            waits.append(time.monotonic() - began)
    beside.close()
    assert running.result().answers == 600
    assert len(waits) > 10
    assert max(waits) < 2


@pytest.mark.postgres
def test_on_postgresql_too(on_postgres: Database) -> None:
    """The rows go, and with them the room at the table's end."""
    with on_postgres.engine.begin() as connection:
        connection.execute(
            text(
                "INSERT INTO written_answer (club_id, id, key, fingerprint, answer, created_at) "
                "SELECT 1, -n, 'old ' || n, '', "
                "to_json(repeat(md5(n::text), 600)), now() - interval '40 days' "
                "FROM generate_series(1, 500) AS n"
            )
        )
    others = without_answers(on_postgres)
    result = prune(on_postgres, 30)
    assert result.answers == 500
    assert result.given_back > 0
    assert without_answers(on_postgres) == others
    assert list(verify(on_postgres)) == []
