"""Fixtures that every test may ask for. All are lazy: nothing starts that no test wants.

`browser` is Playwright's synchronous one and keeps an event loop in the main thread for the rest
of the run, so no test may call `asyncio.run` there. Under `-n 4`, as the README's command runs
everything, each of the four processes starts its own browser and its own PostgreSQL.
"""

import os
import shutil
import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import pytest

from tests.support import chromium, firefox, kept, postgres
from tests.support.needs import unavailable
from tests.support.server import Server, answering, fork_server

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from tests.support.phone import Phones

collect_ignore = ["support/preloaded.py"]
"""No doctests are looked for there: importing it compiles all templates, for a fork server."""

if sys.flags.ignore_environment:
    # `python -I -m pytest` shuts out the Python settings of the shell it is run from; processes started by
    # tests must not let them in again.
    for _name in [n for n in os.environ if n.startswith("PYTHON")]:
        del os.environ[_name]


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Let hypothesis's plugin go where no test used it: its last words would import all of it."""
    plugins = session.config.pluginmanager
    if "hypothesis" not in sys.modules and plugins.has_plugin("hypothesispytest"):
        plugins.unregister(name="hypothesispytest")


DatabaseUrl = Callable[[], str]
"""Makes an empty database and returns its URL."""


@pytest.fixture(autouse=True)
def _own_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test sees a `LEDGER_…` setting of the person running it."""
    for name in [n for n in os.environ if n.startswith("LEDGER_") and "_TEST_" not in n]:
        monkeypatch.delenv(name)


@pytest.fixture(scope="session")
def chromium_path() -> str:
    """Give the executable of a Chromium; skip, or under CI fail, where there is none."""
    return chromium.find_chromium() or unavailable(chromium.MISSING)


@pytest.fixture(scope="session")
def browser(chromium_path: str) -> Iterator["Browser"]:
    """One headless Chromium for the whole run. Ask for `phone` to get a page."""
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=chromium.TIMEOUT_MS)
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(
            executable_path=chromium_path, args=list(chromium.ARGUMENTS), timeout=60_000
        )
        yield started
        started.close()


@pytest.fixture
def phone(browser: "Browser") -> Iterator["Phones"]:
    """Open phone-sized pages: `phone(url)`, with `dark=True`, with `javascript=False`."""
    from tests.support.phone import Phones

    phones = Phones(browser)
    yield phones
    phones.close()


@pytest.fixture(scope="session")
def firefox_browser() -> Iterator[firefox.Firefox]:
    """One headless Firefox for the whole run; skip, or under CI fail, where there is none."""
    path = firefox.find_firefox() or unavailable(firefox.MISSING)
    with firefox.running_firefox(path) as running:
        yield running


@pytest.fixture(scope="session")
def kept_folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder for things made once: between runs, or in this one if pytest has no cache."""
    return kept.folder_of(request.config) or tmp_path_factory.mktemp("kept")


@pytest.fixture(scope="session")
def empty_books(kept_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An SQLite file with all tables and no rows, to be copied, never opened."""

    def make(place: Path) -> None:
        _migrate(f"sqlite:///{place / 'empty.sqlite'}")

    made = kept.kept(kept_folder, f"sqlite-{sqlite3.sqlite_version}-{kept.fingerprint()}", make)
    file = tmp_path_factory.mktemp("books") / "empty.sqlite"
    return Path(shutil.copy(made / "empty.sqlite", file))


def _migrate(url: str) -> None:
    from ledger.books.transactions import Database
    from ledger.keeping import migrate

    database = Database(url)
    migrate.upgrade(database)
    database.close()


@pytest.fixture(scope="session")
def postgres_cluster(kept_folder: Path) -> Iterator[postgres.Cluster]:
    """One PostgreSQL for the whole run; skip, or under CI fail, without one."""
    with ExitStack() as stack:
        try:
            cluster = stack.enter_context(postgres.running_cluster(kept_folder, _migrate))
        except postgres.NotMigratedError:
            raise
        except Exception as error:
            unavailable(postgres.MISSING.format(why=f"{type(error).__name__}: {error}"))
        yield cluster


@pytest.fixture(scope="session")
def postgres_url(postgres_cluster: postgres.Cluster) -> DatabaseUrl:
    """Make an empty PostgreSQL database at each call."""
    return postgres_cluster.fresh


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Give the URL of an empty database; run the test on SQLite, then on PostgreSQL."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'ledger.sqlite3'}"
    fresh: DatabaseUrl = request.getfixturevalue("postgres_url")
    return fresh()


class StartServer(Protocol):
    """The type of the `server` fixture: `fork_server` without the folder, waited for."""

    def __call__(
        self,
        *,
        database_url: str | None = None,
        arguments: tuple[str, ...] = (),
        environment: dict[str, str] | None = None,
    ) -> Server:
        """Start the service and wait until it answers."""


@pytest.fixture
def server(tmp_path_factory: pytest.TempPathFactory, empty_books: Path) -> Iterator[StartServer]:
    """Start the real service, one more each call; end them all, show their logs on failure.

    Without `database_url` it finds migrated books without rows in its folder.
    """
    started: list[Server] = []

    def start(
        *,
        database_url: str | None = None,
        arguments: tuple[str, ...] = (),
        environment: dict[str, str] | None = None,
    ) -> Server:
        folder = tmp_path_factory.mktemp("server")
        if database_url is None:
            shutil.copy(empty_books, folder / "ledger.sqlite")
        running = fork_server(
            folder, database_url=database_url, arguments=arguments, environment=environment
        )
        started.append(running)
        return answering(running)

    yield start
    for running in started:
        running.stop()
        # pytest shows the output of a teardown if the test failed, and hides it otherwise.
        print(f"the log of {running.url}:\n{running.log}")
