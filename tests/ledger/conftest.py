"""Books for the ledger's tests: a copy of the empty ones each, and a club founded in it."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import Mock

import pytest
from argon2 import PasswordHasher
from flask import Flask
from sqlalchemy import text

from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.keeping.ready import Readiness
from ledger.runtime import secrets
from ledger.runtime.config import Settings
from ledger.services.chips import count
from ledger.services.club import clubs, devices, last_use, tokens
from ledger.services.club.passcodes import NOBODY
from tests.ledger import table
from tests.ledger.evenings import CardClub
from tests.ledger.table import SECRET
from tests.ledger.turned import TurnedDatabase
from tests.support import compiled
from tests.support.postgres import Cluster

PASSCODE = "four aces"

compiled.use()


def pytest_collectstart(collector: pytest.Collector) -> None:
    """Set hypothesis's profile before the first module that uses it: importing it takes a while."""
    if not isinstance(collector, pytest.File):
        return
    if "hypothesis" not in collector.path.read_text(encoding="utf-8"):
        return
    from hypothesis import HealthCheck
    from hypothesis import settings as hypothesis_settings

    # A busy machine is no failure: what an example must not do is give another answer, not take its time.
    hypothesis_settings.register_profile(
        "patient", deadline=None, suppress_health_check=[HealthCheck.too_slow]
    )
    hypothesis_settings.load_profile("patient")


@pytest.fixture(autouse=True)
def _quick_passcodes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hash passcodes quickly: `security` tests the slow hash, half of what founding a club costs."""
    quick = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
    monkeypatch.setattr(secrets, "_PASSCODES", quick)


@pytest.fixture(autouse=True)
def _no_last_use(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nothing be written behind a test's back; ``test_last_use`` tests the thread that would."""
    if "last_use" not in request.node.path.name:
        monkeypatch.setattr(last_use, "Thread", Mock())


@pytest.fixture(scope="session")
def application(empty_books: Path) -> Flask:
    """The application, made once a run, as that takes longer than most tests; see ``app``."""
    from ledger.server.app import create_app

    file = f"sqlite:///{empty_books}"
    return create_app(Settings(file, empty_books.parent, SECRET), Database(file))


@pytest.fixture
def app(application: Flask, database: Database) -> Flask:
    """The application as the service runs it, over ``database``; nobody has tried a passcode yet."""
    application.extensions["ledger.database"] = database
    application.extensions["ledger.ready"] = Readiness(database)
    return application


@pytest.fixture
def settings(tmp_path: Path, empty_books: Path) -> Settings:
    """The settings of a service whose books are a fresh copy of the empty ones."""
    file = tmp_path / "ledger.sqlite"
    shutil.copy(empty_books, file)
    return Settings(f"sqlite:///{file}", tmp_path, SECRET)


@pytest.fixture(scope="session")
def _turned(empty_books: Path) -> TurnedDatabase:
    """What opens the books of all tests, of one at a time."""
    return TurnedDatabase(empty_books)


@pytest.fixture
def database(settings: Settings, _turned: TurnedDatabase) -> Iterator[Database]:
    """The books of ``settings``, opened."""
    _turned.turn_to(settings.database_url)
    _turned.signer = None
    yield _turned
    _turned.close()


@pytest.fixture(scope="session")
def postgres_books(postgres_cluster: Cluster) -> Iterator[Database]:
    """Migrated books on PostgreSQL, shared by the tests of a run; making them anew takes seconds."""
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
    """Empty, migrated books on SQLite, then on PostgreSQL; for what the databases do differently."""
    if request.param == "sqlite":
        on_sqlite: Database = request.getfixturevalue("database")
        return on_sqlite
    on_postgres: Database = request.getfixturevalue("postgres_books")
    with on_postgres.engine.begin() as connection:
        # As a replica would: the triggers that keep the books from being emptied rest meanwhile.
        connection.execute(text("SET LOCAL session_replication_role = replica"))
        connection.execute(text("TRUNCATE club, refused_try RESTART IDENTITY CASCADE"))
    return on_postgres


@pytest.fixture
def access(any_database: Database) -> Access:
    """A club on either database."""
    found, _ = clubs.create(any_database, name="Kitchen Table", passcode="123456")
    return found


@pytest.fixture
def club(database: Database) -> Access:
    """A scorer's access to a club founded in ``database``; its passcode is ``PASSCODE``."""
    access, _ = clubs.create(database, name="Kitchen Table", passcode=PASSCODE, author="Sue")
    return access


@pytest.fixture
def neighbours(database: Database, club: Access) -> tuple[Access, Access]:
    """Two clubs in the same books, each with something in every table.

    In ours play Ann, Bob and Cyd; in theirs Ann, Bob, Xan and Yve.
    """
    return with_neighbour(database, club)


def with_neighbour(database: Database, club: Access) -> tuple[Access, Access]:
    """Fill a club, and make another one beside it; return both."""
    theirs, _ = clubs.create(database, name="Other Table", passcode="other code")
    for access, players in ((club, ("Ann", "Bob", "Cyd")), (theirs, ("Ann", "Bob", "Xan", "Yve"))):
        tokens.issue(database, access, label="for a script", role=access.role)
        table.viewer_key(database, access)
        devices.admit(database, access, NOBODY)
        played = table.start(database, access, players)
        contract = {"bidder": players[2], "bid": "go-alone", "trump": "S"}
        table.record(database, access, played, {"contract": contract, "points": 85})
        count.record(table.write(database, access), played, {"Bob": {5: 1}})
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
    """The first of two clubs with something in every table."""
    return CardClub(database, ours)


@pytest.fixture
def their_club(database: Database, theirs: Access) -> CardClub:
    """The second of two clubs with something in every table."""
    return CardClub(database, theirs)
