"""Odd books on PostgreSQL, of another version or in another encoding: each is refused in a sentence."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from click.testing import CliRunner, Result
from sqlalchemy import text

from ledger.books.transactions import Database
from ledger.cli import main
from ledger.database import revisions
from ledger.keeping import migrate
from ledger.keeping.migrate import CannotOpen, open_books
from ledger.runtime.config import Settings

pytestmark = pytest.mark.postgres

OLDER = "0014"


@pytest.fixture
def books(postgres_url: Callable[[], str]) -> Iterator[Database]:
    """An empty database."""
    opened = Database(postgres_url())
    yield opened
    opened.close()


@pytest.fixture
def verify(monkeypatch: pytest.MonkeyPatch, settings: Settings) -> Callable[[Database], Result]:
    """Verify books by the command."""

    def run(books: Database) -> Result:
        monkeypatch.setenv("LEDGER_DATA_DIR", str(settings.data_dir))
        monkeypatch.setenv("LEDGER_DATABASE_URL", url_of(books))
        return CliRunner().invoke(main, ["verify", "--jobs", "1"])

    return run


def url_of(books: Database) -> str:
    """Return the whole URL of books."""
    return books.url.render_as_string(hide_password=False)


@contextmanager
def encoded(server: Database, encoding: str) -> Iterator[Database]:
    """Make a database with another encoding, and drop it again."""
    name = f"encoded_{encoding.lower()}_{os.getpid()}"
    with server.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.execute(
            text(
                f"CREATE DATABASE {name} TEMPLATE template0 ENCODING '{encoding}' "
                "LC_COLLATE 'C' LC_CTYPE 'C'"
            )
        )
        restored = Database(server.url.set(database=name).render_as_string(hide_password=False))
        try:
            yield restored
        finally:
            restored.close()
            connection.execute(text(f"DROP DATABASE {name} WITH (FORCE)"))


def test_older_books_are_not_verified_and_not_migrated(
    books: Database, verify: Callable[[Database], Result]
) -> None:
    """They can't be copied as a file can: the sentence names their version, and the remedy."""
    migrate.upgrade(books, OLDER)
    answer = verify(books)
    assert answer.exit_code == 3
    assert (
        f"it stands at migration {OLDER}, and this version's is {revisions.NEWEST}" in answer.stderr
    )
    assert "this one after solo-ledger serve has migrated it" in answer.stderr
    assert revisions.at(books) == OLDER


def test_newer_books_are_neither_verified_nor_opened(
    books: Database, verify: Callable[[Database], Result], settings: Settings
) -> None:
    """For any newer version: this one can't know their content."""
    with books.engine.begin() as connection:
        connection.execute(text("CREATE TABLE alembic_version (version_num text)"))
        connection.execute(text("INSERT INTO alembic_version VALUES ('9999')"))
    answer = verify(books)
    assert answer.exit_code == 3
    assert "a newer version of Solo Ledger wrote it (schema 9999" in answer.stderr
    with pytest.raises(CannotOpen, match=r"a newer version of Solo Ledger wrote it \(schema 9999"):
        open_books(Settings(url_of(books), settings.data_dir, "a secret for tests only"))


@pytest.mark.parametrize("encoding", ["SQL_ASCII", "LATIN1"])
def test_books_in_another_encoding_are_neither_verified_nor_opened(
    books: Database, verify: Callable[[Database], Result], settings: Settings, encoding: str
) -> None:
    """Names would come out as others, or not at all; nothing is made in them."""
    with encoded(books, encoding) as found:
        answer = verify(found)
        assert answer.exit_code == 3
        assert f"its text is in {encoding}" in answer.stderr
        with pytest.raises(CannotOpen, match=f"its text is in {encoding}"):
            open_books(Settings(url_of(found), settings.data_dir, "a secret for tests only"))
        with found.engine.connect() as connection:
            tables = "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'"
            assert connection.execute(text(tables)).scalar_one() == 0


def test_a_database_without_books_is_not_in_order(
    books: Database, verify: Callable[[Database], Result]
) -> None:
    """There is nothing to be in order."""
    answer = verify(books)
    assert answer.exit_code == 3
    assert "there is no ledger in it" in answer.stderr
