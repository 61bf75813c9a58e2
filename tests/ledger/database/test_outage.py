"""When the database fails: 503, a true sentence, one line in the log, and no hand acknowledged and lost."""

import logging
import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any
from uuid import uuid4

import pytest
from flask import Flask
from sqlalchemy import event, text

from ledger.books import transactions
from ledger.books.transactions import Database
from ledger.database import connecting
from ledger.database.access import Access
from ledger.database.outage import SameFile
from ledger.database.scope import ScopedSession
from ledger.runtime import logs
from ledger.runtime.config import Settings
from ledger.services.club import clubs, players
from ledger.words.problems import FileLocked, Unreachable
from tests.ledger import table
from tests.ledger.api.caller import Caller
from tests.ledger.api.conftest import anyone, sue
from tests.ledger.conftest import PASSCODE
from tests.ledger.table import HEARTS_74

__all__ = ["anyone", "sue"]

SAFE = "Nothing was saved; try again in a moment"
UNKNOWN = "Whether it was saved is not known; sending the same form again is safe"


@pytest.fixture
def database(settings: Settings) -> Iterator[Database]:
    """Books of this test alone, to be broken."""
    own = Database(settings.database_url)
    yield own
    own.close()


@pytest.fixture
def postgres_club(postgres_books: Database) -> Access:
    """A club on PostgreSQL."""
    access, _ = clubs.create(postgres_books, name=f"Outage {uuid4()}", passcode=PASSCODE)
    return access


def on_each_connection(database: Database, pragma: str) -> None:
    """Let every connection from now on begin so."""
    database.engine.dispose()

    @event.listens_for(database.engine, "connect")
    def _prepare(connection: Any, _record: object) -> None:
        connection.execute(pragma)


def full(database: Database) -> None:
    """Let no page be added to the file."""
    with database.read() as session:
        pages = session.execute(text("PRAGMA page_count")).scalar_one()
    on_each_connection(database, f"PRAGMA max_page_count = {pages}")


def read_only(database: Database) -> None:
    """Let nothing be written."""
    on_each_connection(database, "PRAGMA query_only = ON")


def damaged(database: Database) -> None:
    """Write over all pages but the first."""
    with database.engine.connect() as connection:
        connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
    database.engine.dispose()
    with open(str(database.url.database), "r+b") as file:
        size = os.fstat(file.fileno()).st_size
        file.seek(4096)
        file.write(b"\xaa" * (size - 4096))


def deleted(database: Database) -> None:
    """Remove the file under the running service."""
    for ending in ("", "-wal", "-shm"):
        if os.path.exists(f"{database.url.database}{ending}"):
            os.unlink(f"{database.url.database}{ending}")


def replaced(database: Database) -> None:
    """Put an empty file in its place."""
    deleted(database)
    open(str(database.url.database), "wb").close()


@pytest.mark.parametrize("fault", [full, read_only, damaged, deleted, replaced])
def test_a_save_into_a_database_that_fails_is_not_acknowledged(
    database: Database, sue: Caller, club: Access, fault: Callable[[Database], None]
) -> None:
    """503, to be tried again, and the truth: nothing was saved."""
    session = table.start(database, club)
    fault(database)
    for _ in range(40):  # there may be room for a few on the last page
        answer = sue.post(f"/sessions/{session}/hands", HEARTS_74)
        if answer.status_code != 201:
            break
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "1")
    assert answer.json["code"] == "unreachable"
    assert SAFE in answer.json["detail"]


def test_a_page_says_so_too(app: Flask, database: Database) -> None:
    """A reader learns that the ledger can't be reached, not that it was our mistake."""
    damaged(database)
    answer = app.test_client().get("/v/some-key")
    assert answer.status_code == 503
    assert "be reached" in answer.get_data(as_text=True)


def test_a_fault_that_lasts_is_one_line_in_the_log(
    database: Database,
    sue: Caller,
    club: Access,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Twenty saves meet it; the log has one line, and nothing of the requests' content."""
    monkeypatch.setattr(logs, "_faults", logs.Faults())
    session = table.start(database, club)
    read_only(database)
    with caplog.at_level(logging.ERROR):
        for _ in range(20):
            assert sue.post(f"/sessions/{session}/hands", HEARTS_74).status_code == 503
    (line,) = caplog.records
    assert line.getMessage() == "the database failed: attempt to write a readonly database"
    assert line.exc_info is None


def test_while_another_program_holds_the_file_who_comes_waits_a_moment_only(
    database: Database, club: Access, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One waits in vain; each after it waits a moment, until a save gets through. Then they have time."""
    monkeypatch.setattr(connecting, "WAIT_SECONDS", 0.05)
    monkeypatch.setattr(transactions, "_WHILE_HELD", 0.002)
    service = Database(str(database.url))
    waits: list[int] = []

    @event.listens_for(service.engine, "before_cursor_execute")
    def _note(*asked: Any) -> None:
        if "busy_timeout" in asked[2]:
            waits.append(int(asked[2].rpartition(" ")[2]))

    with closing(sqlite3.connect(str(database.url.database), isolation_level=None)) as holder:
        holder.execute("BEGIN IMMEDIATE")
        for _ in range(2):
            with pytest.raises(FileLocked):
                players.add(table.write(service, club), name="Ann")
        assert waits == [2, 50]
        with pytest.raises(FileLocked), service.write(within=0.001) as session:
            session.get_bind()
        assert waits == [2, 50, 1, 50]
    players.add(table.write(service, club), name="Ann")
    players.add(table.write(service, club), name="Bob")
    assert waits == [2, 50, 1, 50, 2, 50]
    service.close()


def test_a_file_that_another_program_holds_is_one_line_in_the_log(
    database: Database,
    sue: Caller,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Its saves are refused with the truth, and the log names the holder once."""
    monkeypatch.setattr(logs, "_faults", logs.Faults())
    monkeypatch.setattr(transactions, "_WHILE_HELD", 0.001)
    database._is_held = True
    with closing(sqlite3.connect(str(database.url.database), isolation_level=None)) as holder:
        holder.execute("BEGIN IMMEDIATE")
        with caplog.at_level(logging.ERROR):
            answers = [sue.post("/players", {"name": "Ann"}) for _ in range(3)]
    assert {(each.status_code, each.headers["Retry-After"]) for each in answers} == {(503, "1")}
    assert "Another program holds the ledger" in answers[0].json["detail"]
    assert [each.getMessage() for each in caplog.records] == [
        "the database failed: another program holds the file of the ledger (database is locked)"
    ]


def test_a_mistake_of_ours_is_logged_without_what_was_sent(database: Database) -> None:
    """Parameters of a statement may be keys and hashes; an error never carries them."""
    with pytest.raises(Exception, match="no such table") as caught, database.read() as session:
        session.execute(text("SELECT * FROM nowhere WHERE key = :key"), {"key": "s3cret"})
    assert "s3cret" not in str(caught.value)


def terminate(books: Database, session: ScopedSession) -> None:
    """End the connection of a transaction from outside, as an operator would."""
    own = session.connection().execute(text("SELECT pg_backend_pid()")).scalar_one()
    with books.engine.connect() as other:
        other.execute(text("SELECT pg_terminate_backend(:pid, 5000)"), {"pid": own})


def test_a_save_whose_commit_fails_says_that_it_is_not_known(
    postgres_books: Database, postgres_club: Access
) -> None:
    """The connection dies under the commit: it may have gone through, and sending it again is safe."""
    with pytest.raises(Unreachable) as caught, postgres_books.write(postgres_club) as session:
        terminate(postgres_books, session)
    assert UNKNOWN in caught.value.message


def test_a_connection_that_dies_before_the_commit_saved_nothing(
    postgres_books: Database, postgres_club: Access
) -> None:
    """The known state is stated; the next one opens a new connection."""

    def write() -> None:
        with postgres_books.write(postgres_club) as session:
            terminate(postgres_books, session)
            session.connection().execute(text("SELECT 1"))

    with pytest.raises(Unreachable) as caught:
        write()
    assert SAFE in caught.value.message
    assert table.start(postgres_books, postgres_club)


def test_a_file_moved_between_the_write_and_its_commit_is_noticed(
    database: Database, club: Access
) -> None:
    """No save is reported that went into a file that is gone."""
    with pytest.raises(Unreachable) as caught, database.write(club):
        deleted(database)
    assert UNKNOWN in caught.value.message


def test_a_file_is_compared_with_the_one_first_seen(tmp_path: Any) -> None:
    """None yet is no change; a new one in its place is."""
    path = tmp_path / "books"
    same = SameFile(str(path))
    assert same
    path.touch()
    assert same
    (tmp_path / "other").touch()
    os.replace(tmp_path / "other", path)
    assert not same
    assert SameFile(None)


def test_ready_says_what_was_tried(app: Flask) -> None:
    """File, schema, pages and a write; all are well on books just made."""
    answer = app.test_client().get("/readyz")
    assert answer.status_code == 200
    assert answer.get_json() == dict.fromkeys(("file", "schema", "integrity", "write"), "ok")


def test_a_write_counts_for_a_second(
    app: Flask, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The check is open to everybody: fifty at once write once, and delay nobody's save."""
    statements: list[str] = []
    monkeypatch.setattr("ledger.keeping.ready.time.monotonic", lambda: 7_000_000.5)
    event.listen(
        database.engine,
        "before_cursor_execute",
        lambda _connection, _cursor, statement, *_: statements.append(statement),
    )
    for _ in range(50):
        assert app.test_client().get("/readyz").status_code == 200
    assert len([each for each in statements if "user_version =" in each]) == 1


@pytest.mark.parametrize(
    ("fault", "name", "says"),
    [
        (read_only, "write", "can't be reached"),
        (deleted, "file", "moved, replaced or deleted"),
        (damaged, "integrity", "be reached"),
    ],
)
def test_not_ready_says_why(
    app: Flask,
    database: Database,
    club: Access,
    fault: Callable[[Database], None],
    name: str,
    says: str,
) -> None:
    """An operator's probe reads the fault; the process itself goes on answering."""
    with database.write(club):
        pass
    fault(database)
    answer = app.test_client().get("/readyz")
    assert answer.status_code == 503
    assert says in answer.get_json()[name]
    assert app.test_client().get("/health").status_code == 200


@pytest.mark.parametrize(
    ("change", "at"),
    [
        ("UPDATE alembic_version SET version_num = '0003'", "0003"),
        ("DELETE FROM alembic_version", "none"),
    ],
)
def test_another_schema_is_not_ready(app: Flask, database: Database, change: str, at: str) -> None:
    """Both versions are named; a migration that was cut off by hand leaves a table that names none."""
    with sqlite3.connect(str(database.url.database)) as books:
        books.execute(change)
    answer = app.test_client().get("/readyz")
    assert answer.status_code == 503
    assert answer.get_json()["schema"].startswith(f"at {at}, this program's is 00")


def test_books_without_a_schema_are_not_ready(
    app: Flask,
    database: Database,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The fault is in the answer, in our words: the database's are for the log."""
    with sqlite3.connect(str(database.url.database)) as books:
        books.execute("DROP TABLE alembic_version")
    monkeypatch.setattr(logs, "_faults", logs.Faults())
    answer = app.test_client().get("/readyz")
    assert answer.status_code == 503
    assert answer.get_json()["schema"] == "the database failed; the service's log says how"
    assert "the database failed: no such table: alembic_version" in caplog.text
