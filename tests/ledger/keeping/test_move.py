"""A ledger is moved into another database, row by row, and only a complete, verified copy is opened."""

import os
import random
import sqlite3
import subprocess
import sys
import tracemalloc
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from sqlalchemy import Connection, text
from sqlmodel import col, delete, select

from ledger.books.transactions import Database
from ledger.cli import main
from ledger.database.models import Account, IdempotentResponse, RefusedTry, Seat
from ledger.keeping import move
from ledger.keeping.move import Move
from ledger.runtime import config
from ledger.runtime.signing import SigningKey
from ledger.services.club import clubs, devices, players, tokens
from ledger.services.club.passcodes import NOBODY
from ledger.words.problems import OtherRevision
from tests.ledger import cash, departed, table
from tests.ledger.conftest import with_neighbour
from tests.ledger.evenings import CardClub
from tests.ledger.keeping.conftest import Fill
from tests.support.postgres import Cluster


@dataclass(frozen=True)
class Installation:
    """A ledger in use, and the settings of its service."""

    database: Database
    club: CardClub
    env: dict[str, str]

    def move(self, to: str) -> Result:
        """Run the command."""
        return CliRunner().invoke(main, ["move", "--to", to], env=self.env)

    def moved(self, to: str) -> Result:
        """Move the ledger, and check that every row has arrived and that the copy opens."""
        result = self.move(to)
        assert result.exit_code == 0, result.output
        assert contents(to) == contents(url(self.database))
        return result


def url(database: Database) -> str:
    """Return the URL of a database."""
    return database.url.render_as_string(hide_password=False)


def contents(at: str) -> dict[str, list[Any]]:
    """Return the values in each table, JSON as its text, and the revision."""
    with closing(Database(at)) as database, database.engine.connect() as connection:
        rows: dict[str, list[Any]] = {
            name: [*move._rows(connection, plain)] for name, plain in move._TABLES.items()
        }
        rows["revision"] = [connection.scalar(text("SELECT version_num FROM alembic_version"))]
    return rows


def stored(at: str) -> dict[str, list[Any]]:
    """Return the rows of each table as the database itself shows them: SQLite with the type of each value."""
    rows = {}
    with closing(Database(at)) as database, database.engine.connect() as connection:
        for name, plain in move._TABLES.items():
            types = [f"{column.name}, typeof({column.name})" for column in plain.columns]
            values = ", ".join(types) if database.is_sqlite else "t::text"
            order = ", ".join(plain.primary_key.columns.keys())
            query = f"SELECT {values} FROM {name} t ORDER BY {order}"
            rows[name] = [*connection.exec_driver_sql(query)]
    return rows


def play(database: Database) -> CardClub:
    """Put a row into every table, and return the club with most of them."""
    access, _ = clubs.create(database, name="Kitchen Table", passcode="four aces", author="Sue")
    with_neighbour(database, access)
    club = CardClub(database, access)
    evening = departed.evening(club)
    evening.correct(1, departed.ANN_LOSES)
    evening.record(cash.ANN_WINS)
    evening.void(2)
    evening.convert()
    evening.close()
    club.do(players.rename, club.player("Gus"), name="山田 🂡 \\N 'x'\"")
    with database.write() as session:
        now = datetime.now(UTC)
        session.add(
            RefusedTry(whose="1", network="n", wider="w", failures=1, last_at=now, open_at=now)
        )
    with database.read() as session:
        assert session.exec(select(Account.id).where(col(Account.closed_at).is_not(None))).first()
        assert session.exec(select(Seat.id).where(col(Seat.successor_id).is_not(None))).first()
    assert 0 not in table.row_counts(database).values()
    return club


@pytest.fixture
def installation(own_database: Database, tmp_path: Path) -> Installation:
    """A ledger with a row in every table, on SQLite, then on PostgreSQL."""
    env = {"LEDGER_DATABASE_URL": url(own_database), "LEDGER_DATA_DIR": str(tmp_path)}
    own_database.signer = SigningKey.from_text(config.load(env).signing_key)
    return Installation(own_database, play(own_database), env)


@pytest.fixture
def on_sqlite(database: Database, tmp_path: Path) -> Installation:
    """A ledger on SQLite with a row in every table."""
    env = {"LEDGER_DATABASE_URL": url(database), "LEDGER_DATA_DIR": str(tmp_path)}
    database.signer = SigningKey.from_text(config.load(env).signing_key)
    return Installation(database, play(database), env)


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def target(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of a file that does not exist, then of an empty PostgreSQL database."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'new.sqlite'}"
    cluster: Cluster = request.getfixturevalue("postgres_cluster")
    return cluster.fresh()


class Stopped(KeyboardInterrupt):
    """An interruption by a test."""


@contextmanager
def stopping(after: int, rows: int = 3) -> Iterator[None]:
    """Interrupt a move after some batches of a few rows."""
    batches, left = Move._batch, after

    @contextmanager
    def batch(self: Move) -> Iterator[Connection]:
        nonlocal left
        left -= 1
        with batches(self) as copy:
            yield copy
            if left < 0:
                raise Stopped

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Move, "_batch", batch)
        patch.setattr(move, "BATCH", rows)
        yield


@pytest.mark.postgres
def test_a_ledger_comes_back_from_the_other_database_byte_for_byte(
    installation: Installation, postgres_cluster: Cluster, tmp_path: Path
) -> None:
    """From SQLite to PostgreSQL and back, and the other way round; the source is read only."""
    file = f"sqlite:///{tmp_path / 'new.sqlite'}"
    away, back = (file, postgres_cluster.fresh())
    if installation.database.is_sqlite:
        away, back = back, file
    before = stored(url(installation.database))
    result = installation.moved(away)
    assert "each compared with the original, and the books are in order" in result.stdout
    there = Installation(
        Database(away), installation.club, {**installation.env, "LEDGER_DATABASE_URL": away}
    )
    there.moved(back)
    there.database.close()
    assert stored(back) == before
    assert stored(url(installation.database)) == before


def test_play_goes_on_in_the_copy(installation: Installation, target: str) -> None:
    """New clubs and hands get numbers after the copied ones, and the books verify."""
    installation.moved(target)
    with closing(Database(target)) as new:
        new.signer = installation.database.signer
        club = CardClub(new, installation.club.access)
        club.start(table.FOUR).record(cash.ANN_WINS)
        clubs.create(new, name="A third", passcode="123456")
        with new.write() as session:
            now = datetime.now(UTC)
            session.add(
                RefusedTry(whose="2", network="n", wider="w", failures=1, last_at=now, open_at=now)
            )
        club.must_verify()


def test_the_file_of_the_source_keeps_its_bytes(on_sqlite: Installation, target: str) -> None:
    """It is opened for reading only."""
    on_sqlite.database.close()
    file = Path(on_sqlite.database.url.database or "")
    before = file.read_bytes()
    on_sqlite.moved(target)
    assert file.read_bytes() == before


@pytest.mark.parametrize("seed", range(2))
def test_an_interrupted_move_goes_on_although_the_source_has_changed(
    installation: Installation, target: str, seed: int
) -> None:
    """Stopped at random batches, while hands are played and corrected, keys come, and old answers go."""
    draw, club = random.Random(seed), installation.club  # noqa: S311 - the same in each run
    evening = club.start(table.FOUR)
    for step in range(5):
        with stopping(draw.randrange(60)):
            result = installation.move(target)
        assert "was not moved: it was interrupted" in result.stderr, result.output
        evening.record(cash.ANN_WINS)
        if step:
            evening.correct(step, departed.ANN_LOSES)
        evening.leave("Bob") if step == 2 else tokens.issue(
            club.db, club.access, label=f"t{step}", role=club.access.role
        )
        devices.admit(club.db, club.access, NOBODY)
        with club.writing() as session:
            session.exec(delete(IdempotentResponse).where(col(IdempotentResponse.id) == step + 1))
    installation.moved(target)


@pytest.mark.parametrize("batches", [0, 20, 60, 80])
def test_a_killed_move_goes_on(on_sqlite: Installation, target: str, batches: int) -> None:
    """SIGKILL within a batch; nothing opens the copy until the move is complete."""
    code = (
        "import os, signal, sys\n"
        "from ledger.cli import main\n"
        "from ledger.keeping import move\n"
        "insert, left = move._insert, int(sys.argv.pop())\n"
        "def killing(*arguments):\n"
        "    global left\n"
        "    left -= 1\n"
        "    insert(*arguments)\n"
        "    if left < 0:\n"
        "        os.kill(os.getpid(), signal.SIGKILL)\n"
        "move._insert, move.BATCH = killing, 3\n"
        "main()\n"
    )
    arguments = [sys.executable, "-c", code, "move", "--to", target, str(batches)]
    killed = subprocess.run(arguments, env={**os.environ, **on_sqlite.env}, timeout=60, check=False)
    assert killed.returncode == -9
    env = {**on_sqlite.env, "LEDGER_DATABASE_URL": target}
    for command in ("serve", "verify", "move"):
        more = ["--to", f"{target}-2"] if command == "move" else []
        refused = CliRunner().invoke(main, [command, *more], env=env)
        assert refused.exit_code != 0
        assert "it holds an unfinished copy of a ledger" in refused.stderr
    on_sqlite.moved(target)


def test_a_server_that_has_opened_the_empty_database_saves_nothing_into_the_copy(
    on_sqlite: Installation, own_database: Database
) -> None:
    """It would take over numbers of rows that are still to be copied."""
    with stopping(20):
        on_sqlite.move(url(own_database))
    with pytest.raises(OtherRevision):
        clubs.create(own_database, name="Early", passcode="123456")
    on_sqlite.moved(url(own_database))


def test_what_is_saved_during_the_move_is_not_left_behind(
    installation: Installation, target: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The copy is not completed, the reason is told, and the next run brings the hand."""
    compare = Move.compare

    def meanwhile(self: Move, *arguments: Any) -> None:
        compare(self, *arguments)
        installation.club.start(table.FOUR)

    monkeypatch.setattr(Move, "compare", meanwhile)
    result = installation.move(target)
    assert result.exit_code == 1
    assert "somebody saved in it meanwhile; stop its service" in result.stderr
    assert "the same command goes on" in result.stderr
    monkeypatch.undo()
    installation.moved(target)


@pytest.mark.parametrize(
    ("statement", "reason"),
    [
        ("", "it holds a ledger already, with 2 rows in club"),
        ("UPDATE alembic_version SET version_num = 'moving-0001'", "another process or version"),
        ("UPDATE alembic_version SET version_num = '9999'", "a newer version of Solo Ledger"),
        ("UPDATE alembic_version SET version_num = '0027'", "it holds a ledger of an earlier"),
        ("DROP TABLE alembic_version", "it holds a table of something else"),
    ],
)
def test_a_used_database_is_refused(
    on_sqlite: Installation, own_database: Database, statement: str, reason: str
) -> None:
    """Its rows stay as they are, and so do those of an empty one with tables of another program."""
    club = play(own_database)
    rows = club.rows
    if statement:
        with own_database.engine.begin() as connection:
            connection.execute(text(statement))
    result = on_sqlite.move(url(own_database))
    assert result.exit_code == 1
    assert reason in result.stderr
    assert "Nothing was copied. It is unchanged." in result.stderr
    assert club.rows == rows


def test_the_unfinished_copy_of_another_ledger_is_refused(
    on_sqlite: Installation, own_database: Database, target: str
) -> None:
    """Its entries are not those of this ledger, although they have the same numbers."""
    own_database.signer = on_sqlite.database.signer
    other = Installation(
        own_database,
        play(own_database),
        {**on_sqlite.env, "LEDGER_DATABASE_URL": url(own_database)},
    )
    with stopping(60):
        other.move(target)
    result = on_sqlite.move(target)
    assert "it holds the unfinished copy of another ledger" in result.stderr
    other.moved(target)


@pytest.mark.parametrize(
    ("statement", "reason"),
    [
        ("UPDATE account SET balance = balance + 1 WHERE id = 1", "difference"),
        ("UPDATE alembic_version SET version_num = '0027'", "start solo-ledger serve once"),
    ],
)
def test_a_ledger_that_does_not_verify_is_not_moved(
    on_sqlite: Installation, target: str, statement: str, reason: str
) -> None:
    """Nor one of an earlier version, which only a service migrates."""
    with on_sqlite.database.engine.begin() as connection:
        connection.execute(text(statement))
    result = on_sqlite.move(target)
    assert result.exit_code == 1
    assert reason in result.stderr


def test_a_row_that_differs_in_the_copy_is_found(on_sqlite: Installation, tmp_path: Path) -> None:
    """Entries are not corrected, so one that was changed by hand is reported."""
    file = tmp_path / "new.sqlite"
    with stopping(1_000):
        on_sqlite.move(str(file))
    with closing(sqlite3.connect(file)) as copy, copy:
        copy.execute("UPDATE alembic_version SET version_num = 'moving-' || version_num")
        copy.execute("DROP TRIGGER posting_no_update")
        copy.execute("UPDATE posting SET balance = balance + 1 WHERE club_id = 1 AND id = 2")
    result = on_sqlite.move(str(file))
    assert "the copy differs in posting (1, 2)" in result.stderr


def test_rows_that_are_changed_or_gone_in_the_source_are_corrected(
    on_sqlite: Installation, target: str
) -> None:
    """A player is archived, a network forgotten, and a club's name belongs among the copied ones."""
    with stopping(60):
        on_sqlite.move(target)
    club = on_sqlite.club
    for name in table.SEVEN[:3]:
        club.do(players.archive, club.player(name))
    with on_sqlite.database.write() as session:
        session.exec(delete(RefusedTry))
    clubs.create(on_sqlite.database, name="Aces", passcode="123456")
    on_sqlite.moved(target)


def test_memory_does_not_grow_with_the_ledger(
    on_sqlite: Installation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Forty megabytes go through two."""
    Fill(Path(on_sqlite.database.url.database or ""))(2_000, "2026-01-01 00:00:00.000000")
    monkeypatch.setattr(move, "BATCH", 20)
    with closing(Database(f"sqlite:///{tmp_path / 'new.sqlite'}")) as new:
        with on_sqlite.database.one_moment() as moment:
            moving = Move(moment, new)
            tracemalloc.start()
            try:
                moving.copy(lambda _done, _total: None)
                moving.compare(lambda _done, _total: None)
                peak = tracemalloc.get_traced_memory()[1]
            finally:
                tracemalloc.stop()
        moving.finish(on_sqlite.database)
    assert peak < 4_000_000


def test_keys_and_certificates_go_along(on_sqlite: Installation, tmp_path: Path) -> None:
    """Into another folder, for their owner only; another ledger's keys there are not replaced."""
    (tmp_path / "https").mkdir()
    (tmp_path / "https" / "authority.pem").write_text("a certificate")
    folder = tmp_path / "elsewhere"
    missing = on_sqlite.move(str(folder / "ledger.sqlite"))
    assert f"There is no folder {folder}." in missing.stderr
    folder.mkdir()
    on_sqlite.moved(f"sqlite:///{folder / 'ledger.sqlite'}")
    for name in ("secret-key", "signing-key", "https/authority.pem"):
        assert (folder / name).read_bytes() == (tmp_path / name).read_bytes()
        assert (folder / name).stat().st_mode & 0o777 == 0o600
    (folder / "secret-key").write_text("another")
    refused = on_sqlite.move(str(folder / "second.sqlite"))
    assert f"{folder / 'secret-key'} belongs to another ledger" in refused.stderr
    assert not (folder / "second.sqlite").exists()


@pytest.mark.parametrize(
    ("to", "reason"),
    [
        ("mysql://host/name", "--to names mysql; the ledger is kept in"),
        ("sqlite://", "--to names a database in memory"),
        ("postgresql+psycopg://u:geheim@host:port/name", "--to is not a database URL"),
        ("postgresql+psycopg://u:geheim@geheim@host/name", "has an @ in its password"),
        ("postgresql+psycopg://u:geheim@127.0.0.1:1/name?password=geheim", "127.0.0.1"),
        ("://", "--to is not a database URL"),
    ],
)
def test_a_faulty_place_is_refused_in_a_sentence_without_its_password(
    on_sqlite: Installation, to: str, reason: str
) -> None:
    """Nothing was copied then, and the ledger is as it was."""
    result = on_sqlite.move(to)
    assert result.exit_code == 1
    assert result.stderr.startswith("Error: ")
    assert reason in result.stderr
    assert "geheim" not in result.output
    assert isinstance(result.exception, SystemExit)
