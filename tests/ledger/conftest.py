"""Fixtures for the tests of the ledger: empty databases, clubs, settings and the application."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import time
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from argon2 import PasswordHasher
from flask import Flask
from sqlalchemy import text

from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.database.models import ClubOrigin
from ledger.database.scope import insert
from ledger.keeping.ready import Readiness
from ledger.runtime import secrets
from ledger.runtime.clock import now, today
from ledger.runtime.config import Settings
from ledger.services.chips import count
from ledger.services.club import clubs, devices, last_use, seasons, tokens
from ledger.services.club.passcodes import NOBODY
from tests.ledger import table
from tests.ledger.evenings import CardClub, another_club
from tests.ledger.table import SECRET
from tests.ledger.turned import TurnedDatabase
from tests.support import compiled
from tests.support.postgres import Cluster

PASSCODE = "four aces"
QUICK = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
OF_NOBODY = QUICK.hash("nobody's passcode")

compiled.use()


def pytest_collectstart(collector: pytest.Collector) -> None:
    """Load hypothesis's profile before the first module that uses it, as importing it takes long."""
    if not isinstance(collector, pytest.File):
        return
    if "hypothesis" not in collector.path.read_text(encoding="utf-8"):
        return
    from hypothesis import HealthCheck
    from hypothesis import settings as hypothesis_settings

    # An example fails by a wrong result, never because the machine is slow.
    hypothesis_settings.register_profile(
        "patient", deadline=None, suppress_health_check=[HealthCheck.too_slow]
    )
    hypothesis_settings.load_profile("patient")


@pytest.fixture(autouse=True)
def _quick_passcodes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hash passcodes quickly, also for a name of no club: the slow hash is half the cost of creating one."""
    monkeypatch.setattr(secrets, "_PASSCODES", QUICK)
    monkeypatch.setattr(secrets, "NOBODY", OF_NOBODY)


@pytest.fixture(autouse=True)
def _no_last_use(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Start no thread that stores when a device was last used, except in `test_last_use`."""
    if "last_use" not in request.node.path.name:
        monkeypatch.setattr(last_use, "Thread", Mock())


@pytest.fixture(scope="session")
def application(empty_books: Path) -> Flask:
    """The application, created once per run, as that takes longer than most tests; see `app`."""
    from ledger.server.app import create_app

    file = f"sqlite:///{empty_books}"
    return create_app(Settings(file, empty_books.parent, SECRET), Database(file))


@pytest.fixture
def app(application: Flask, database: Database) -> Flask:
    """The application over `database`."""
    application.extensions["ledger.database"] = database
    application.extensions["ledger.ready"] = Readiness(database)
    return application


@pytest.fixture
def settings(tmp_path: Path, empty_books: Path) -> Settings:
    """The settings of a service with an empty database of its own."""
    file = tmp_path / "ledger.sqlite"
    shutil.copy(empty_books, file)
    return Settings(f"sqlite:///{file}", tmp_path, SECRET)


@pytest.fixture
def daily(app: Flask, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """The application's settings, with a backup each day."""
    each_night = replace(settings, backup_at=time(3, 30))
    monkeypatch.setitem(app.extensions, "ledger.settings", each_night)
    return each_night


@pytest.fixture(scope="session")
def _turned(empty_books: Path) -> TurnedDatabase:
    """The database object that `database` points at one file after another."""
    return TurnedDatabase(empty_books)


@pytest.fixture
def database(settings: Settings, _turned: TurnedDatabase) -> Iterator[Database]:
    """The SQLite database of `settings`, opened."""
    _turned.turn_to(settings.database_url)
    _turned.signer = None
    yield _turned
    _turned.close()


@pytest.fixture(scope="session")
def postgres_books(postgres_cluster: Cluster) -> Iterator[Database]:
    """A migrated PostgreSQL database, shared by the tests of a run, as creating one takes seconds."""
    opened = Database(postgres_cluster.migrated())
    yield opened
    opened.close()


@contextmanager
def migrated(request: pytest.FixtureRequest) -> Iterator[Database]:
    """Open an empty ledger of its own, with all tables, on the database that a fixture's parameter names."""
    if request.param == "sqlite":
        folder: Path = request.getfixturevalue("tmp_path_factory").mktemp("books")
        file = shutil.copy(request.getfixturevalue("empty_books"), folder / "ledger.sqlite")
        opened = Database(f"sqlite:///{file}")
    else:
        cluster: Cluster = request.getfixturevalue("postgres_cluster")
        opened = Database(cluster.migrated())
    yield opened
    opened.close()


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def any_database(request: pytest.FixtureRequest) -> Database:
    """An empty, migrated database on SQLite, then on PostgreSQL; for behaviour that differs between them."""
    if request.param == "sqlite":
        on_sqlite: Database = request.getfixturevalue("database")
        return on_sqlite
    on_postgres: Database = request.getfixturevalue("postgres_books")
    empty(on_postgres)
    return on_postgres


def empty(postgres_books: Database) -> None:
    """Delete every row of the books that tests share on PostgreSQL."""
    with postgres_books.engine.begin() as connection:
        # A replica runs no triggers, so that nothing refuses to empty the journal.
        connection.execute(text("SET LOCAL session_replication_role = replica"))
        connection.execute(text("TRUNCATE club, refused_try RESTART IDENTITY CASCADE"))


@pytest.fixture
def access(any_database: Database) -> Access:
    """A club on either database."""
    owner, _ = clubs.create(any_database, name="Kitchen Table", passcode="123456")
    return owner


@pytest.fixture
def club(database: Database) -> Access:
    """The owner's access to a club in `database`; its passcode is `PASSCODE`."""
    access, _ = clubs.create(database, name="Kitchen Table", passcode=PASSCODE, author="Sue")
    return access


@pytest.fixture
def neighbours(database: Database, club: Access) -> tuple[Access, Access]:
    """Two clubs in one database, each with a row in every table.

    In ours play Ann, Bob and Cyd; in theirs Ann, Bob, Xan and Yve.
    """
    return with_neighbour(database, club)


def with_neighbour(database: Database, club: Access) -> tuple[Access, Access]:
    """Fill a club, and make a neighbouring one; return both."""
    theirs = another_club(database, "other code").access
    for access, players in ((club, ("Ann", "Bob", "Cyd")), (theirs, ("Ann", "Bob", "Xan", "Yve"))):
        tokens.issue(database, access, label="for a script", role=access.role)
        table.viewer_key(database, access)
        devices.admit(database, access, NOBODY)
        played = table.start(database, access, players)
        contract = {"bidder": players[2], "bid": "go-alone", "trump": "S"}
        table.record(database, access, played, {"contract": contract, "points": 85})
        count.record(table.write(database, access), played, {"Bob": {5: 1}})
        days: dict[str, Any] = {"first_day": today(), "last_day": today()}
        seasons.create(table.write(database, access), name="Today", **days)
        arrived = {"number": 1, "last_entry_id": 1, "arrived_at": now()}
        with database.write(access) as session:
            insert(session, ClubOrigin, arrived)
    return club, theirs


@pytest.fixture
def ours(neighbours: tuple[Access, Access]) -> Access:
    """The first of the two neighbours."""
    return neighbours[0]


@pytest.fixture
def theirs(neighbours: tuple[Access, Access]) -> Access:
    """The second of the two neighbours."""
    return neighbours[1]


@pytest.fixture
def sqlite_club(database: Database, club: Access) -> CardClub:
    """A club in SQLite."""
    return CardClub(database, club)


@pytest.fixture
def any_club(any_database: Database) -> CardClub:
    """A club in SQLite, then in PostgreSQL."""
    access, _ = clubs.create(any_database, name="Kitchen Table", passcode="four aces", author="Sue")
    return CardClub(any_database, access)


@pytest.fixture
def our_club(database: Database, ours: Access) -> CardClub:
    """The first of two clubs with a row in every table."""
    return CardClub(database, ours)


@pytest.fixture
def their_club(database: Database, theirs: Access) -> CardClub:
    """The second of two clubs with a row in every table."""
    return CardClub(database, theirs)
