"""A server over a database that a newer version has migrated: it writes nothing, and states the reason."""

import socket
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import text

from ledger import server
from ledger.books.transactions import Database
from ledger.database import revisions
from ledger.database.access import Access, Role
from ledger.keeping import migrate
from ledger.runtime.config import Settings
from ledger.server.app import create_app
from ledger.services.club import clubs, links, tokens
from ledger.services.session.load import load
from ledger.words.problems import Migrating, OtherRevision
from tests.ledger import table
from tests.ledger.api.caller import Caller
from tests.ledger.table import HEARTS_74, ask, row_counts
from tests.ledger.web.phone import Phone
from tests.support.postgres import Cluster

SAFE = "Nothing was saved"


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def books(request: pytest.FixtureRequest) -> Iterator[Database]:
    """Migrated books of this test alone, with a schema it may change."""
    if request.param == "sqlite":
        settings: Settings = request.getfixturevalue("settings")
        url = settings.database_url
    else:
        cluster: Cluster = request.getfixturevalue("postgres_cluster")
        url = cluster.migrated()
    with closing(Database(url)) as database:
        yield database


@pytest.fixture
def club(books: Database) -> Access:
    """A club in them."""
    return clubs.create(books, name="Kitchen Table", passcode="four aces", author="Sue")[0]


@pytest.fixture
def app(books: Database, tmp_path: Path) -> Flask:
    """The application over them."""
    url = books.url.render_as_string(hide_password=False)
    return create_app(Settings(url, tmp_path, table.SECRET), books)


def change(books: Database, *statements: str) -> None:
    """Change the schema as another process does."""
    url = books.url.render_as_string(hide_password=False)
    with closing(Database(url)) as other, other.engine.begin() as connection:
        for statement in statements:
            connection.execute(text(statement))


def upgrade(books: Database, revision: str = "9999") -> None:
    """Migrate to a revision that this program does not know."""
    change(books, f"UPDATE alembic_version SET version_num = '{revision}'")


def test_nothing_is_saved_and_a_program_is_told_why(
    app: Flask, books: Database, club: Access
) -> None:
    """503 with its own code; the same request goes through once server and database agree again."""
    secret, _ = tokens.issue(books, club, label="Sue's phone", role=Role.OWNER)
    sue, session = Caller(app, secret), table.start(books, club)
    upgrade(books)
    before = row_counts(books)
    hand: Any = (f"/sessions/{session}/hands", HEARTS_74)
    refused = sue.post(*hand, key="a key of this test")
    assert (refused.status_code, refused.json["code"]) == (503, "other-version")
    assert SAFE in refused.json["detail"]
    assert "restart it" in refused.json["detail"]
    assert refused.headers["Retry-After"]
    assert row_counts(books) == before
    upgrade(books, revisions.NEWEST)
    assert sue.post(*hand, key="a key of this test").status_code == 201


def test_nothing_is_saved_and_a_page_says_why(app: Flask, books: Database, club: Access) -> None:
    """The typed values stay in the form, which can still be read."""
    session = f"/clubs/{club.club_id}/sessions/{table.start(books, club)}"
    phone = Phone(app)
    key, _ = links.make(books, club, table.SECRET, role=Role.SCORER, lasts="hour")
    phone.send(phone.open(f"/v/{key}").form(key), author="Sue")
    upgrade(books)
    page = phone.open(f"{session}/hands/new")
    assert page.status == 200
    hand = {"bidder": "Ann", "bid": "solo-in-hearts", "called": "AH", "partner": "Bob"}
    preview = phone.send(page.form("/new"), do="show", points="74", **hand)
    refused = phone.send(preview.form("/new"), do="save")
    assert refused.status == 503
    assert SAFE in refused.text
    assert ask(books, club, load, int(session.rpartition("/")[2])).hands_dealt == 0


def test_a_read_that_the_new_schema_breaks_is_refused_with_the_truth(
    app: Flask, books: Database, club: Access
) -> None:
    """It is no mistake of ours that a column is gone; other reads go on."""
    secret, _ = tokens.issue(books, club, label="Sue's phone", role=Role.OWNER)
    sue = Caller(app, secret)
    upgrade(books)
    assert sue.get("/players").status_code == 200
    change(books, "ALTER TABLE player RENAME COLUMN name TO called")
    refused = sue.get("/players")
    assert (refused.status_code, refused.json["code"]) == (503, "other-version")


def test_a_write_that_finds_no_club_first_is_refused_too(books: Database) -> None:
    """As when a club is started."""
    upgrade(books)
    with pytest.raises(OtherRevision):
        clubs.create(books, name="Kitchen Table", passcode="four aces")


def test_saves_go_on_after_a_rolling_migration(
    app: Flask, books: Database, club: Access, tmp_path: Path
) -> None:
    """Also in a server that is started after it; the revision stays that of the newer version."""
    session, rolled = table.start(books, club), f"{revisions.NEWEST}r1"
    upgrade(books, rolled)
    table.record(books, club, session, HEARTS_74)
    assert app.test_client().get("/readyz").get_json()["schema"] == "ok"
    url = books.url.render_as_string(hide_password=False)
    with closing(migrate.open_books(Settings(url, tmp_path, table.SECRET))) as restarted:
        table.record(restarted, club, session, HEARTS_74)
    assert revisions.at(books) == rolled
    assert not (tmp_path / "backups").exists()


@pytest.mark.parametrize("revision", [None, "none", "0001", "0029r1", "9999", "9999r2"])
def test_only_rolling_migrations_after_its_own_leave_a_server_its_schema(
    monkeypatch: pytest.MonkeyPatch, revision: str | None
) -> None:
    """Not those before it: a newer server needs what they add."""
    monkeypatch.setattr(revisions, "NEWEST", "9999r1")
    assert revisions.is_ours(revision) is (revision == "9999r2")
    assert revisions.is_ours("9999r1")


def test_readiness_says_which_revisions_differ(app: Flask, books: Database) -> None:
    """An operator's probe takes the server out of service."""
    upgrade(books)
    answer = app.test_client().get("/readyz")
    assert answer.status_code == 503
    assert answer.get_json()["schema"] == f"at 9999, this program's is {revisions.NEWEST}"
    assert SAFE in answer.get_json()["write"]


@pytest.mark.postgres
def test_while_a_migration_goes_on_saves_are_refused_and_it_waits_for_those_begun(
    postgres_cluster: Cluster,
) -> None:
    """No save begins under the old schema and ends under the new one."""
    with closing(Database(postgres_cluster.migrated())) as books:
        club, _ = clubs.create(books, name="Kitchen Table", passcode="four aces")
        down = Thread(target=migrate.downgrade, args=(books, before_the_newest()))
        with books.write(club):
            down.start()
            waits_for_the_lock(books)
            with pytest.raises(Migrating), books.write():
                pass
            assert revisions.at(books) == revisions.NEWEST
        down.join(30)
        assert revisions.at(books) == before_the_newest()
        with pytest.raises(OtherRevision), books.write(club):
            pass


def before_the_newest() -> str:
    """Return the last revision but one."""
    return sorted(revisions.REVISIONS)[-2]


def waits_for_the_lock(books: Database) -> None:
    """Wait until a migration stands in line for its lock."""
    waiting = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
    deadline = time.monotonic() + 20
    with books.engine.connect() as connection:
        while not connection.execute(text(waiting)).scalar_one():
            assert time.monotonic() < deadline
            time.sleep(0.05)


def test_a_server_whose_port_is_taken_leaves_the_database_as_it_is(
    settings: Settings, database: Database
) -> None:
    """It may be the one of a server that runs, of an older version."""
    migrate.downgrade(database, before_the_newest())
    database.close()
    with closing(server._bound("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(server.CannotListen, match="Is it running already"):
            server.listen(settings, "127.0.0.1", port)
    with closing(sqlite3.connect(settings.database_url.removeprefix("sqlite:///"))) as books:
        found = books.execute("SELECT version_num FROM alembic_version").fetchone()
    assert found == (before_the_newest(),)
    assert not settings.backups.exists()


def test_who_connects_while_the_database_is_migrated_waits(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The port is open by then; if the migration fails, it is closed again."""
    connected: list[tuple[str, int]] = []

    def fail(_settings: Settings) -> Database:
        with socket.create_connection(("127.0.0.1", port), timeout=5) as line:
            connected.append(line.getpeername())
        raise migrate.CannotOpen("no such database")

    monkeypatch.setattr(server, "open_books", fail)
    with closing(server._bound("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    for _ in range(2):
        with pytest.raises(migrate.CannotOpen):
            server.listen(settings, "127.0.0.1", port)
    assert connected == [("127.0.0.1", port)] * 2
