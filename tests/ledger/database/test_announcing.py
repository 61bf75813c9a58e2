"""The processes on one PostgreSQL database hear of each other's saves at once."""

import socket
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from queue import Empty, Queue

import pytest
import uvicorn
from sqlalchemy import text

from ledger.books.transactions import Database
from ledger.database import announcing
from ledger.database.announcing import CHANNEL, Announcements
from ledger.runtime.config import Settings
from ledger.server import HttpServer
from ledger.server.app import create_app
from ledger.server.followers import Followers
from tests.ledger.table import SECRET

pytestmark = pytest.mark.postgres

LONG = 30.0
"""The seconds after which a test gives up."""


class Process:
    """A process's announcements, and a queue with an item for each time it heard of a save."""

    def __init__(self, database: Database) -> None:
        self.heard: Queue[float] = Queue()
        self.announcements = Announcements(database, lambda: self.heard.put(time.monotonic()))
        self.announcements.start()

    def await_news(self) -> float:
        """Return the time of the next news."""
        return self.heard.get(timeout=LONG)


@pytest.fixture
def process(postgres_books: Database) -> Iterator[Callable[[], Process]]:
    """Start a process that hears already."""
    started: list[Process] = []

    def start() -> Process:
        started.append(Process(postgres_books))
        started[-1].await_news()
        return started[-1]

    yield start
    for each in started:
        each.announcements.stop()


def backends(database: Database, query: str) -> list[int]:
    """Return the server processes whose last statement was this one."""
    with database.engine.connect() as connection:
        found = text("SELECT pid FROM pg_stat_activity WHERE query = :query")
        return list(connection.execute(found, {"query": query}).scalars())


def test_every_process_but_the_one_that_saved_hears_of_a_save_at_once(
    process: Callable[[], Process],
) -> None:
    """Without waiting for the second after which it would look by itself."""
    saving, *others = (process() for _ in range(3))
    saving.announcements.on_saved()
    for other in others:
        other.await_news()
    with pytest.raises(Empty):
        saving.heard.get(timeout=0.3)


def test_after_a_lost_connection_news_come_again(
    process: Callable[[], Process], postgres_books: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever was saved meanwhile is news as well."""
    monkeypatch.setattr(announcing, "RETRIED_AFTER", 0.05)
    saving, other = process(), process()
    saving.announcements.on_saved()
    other.await_news()
    with postgres_books.engine.begin() as connection:
        for query in (f"LISTEN {CHANNEL}", f"NOTIFY {CHANNEL}"):
            for pid in backends(postgres_books, query):
                connection.execute(text("SELECT pg_terminate_backend(:pid)"), {"pid": pid})
    other.await_news()  # it hears again
    until = time.monotonic() + LONG
    while other.heard.empty() and time.monotonic() < until:
        saving.announcements.on_saved()  # the first one finds its connection lost
        time.sleep(0.1)
    other.await_news()


def test_stopped_it_leaves_no_connection_open(
    process: Callable[[], Process], postgres_books: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Within a second, of which the test waits for less."""
    monkeypatch.setattr(announcing, "RETRIED_AFTER", 0.05)
    process().announcements.stop()
    until = time.monotonic() + LONG
    while backends(postgres_books, f"LISTEN {CHANNEL}") and time.monotonic() < until:
        time.sleep(0.05)
    assert backends(postgres_books, f"LISTEN {CHANNEL}") == []


def test_a_server_on_postgresql_announces_its_saves_while_it_runs(
    postgres_books: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its own followers are notified as well."""
    events: list[str] = []
    for name in ("start", "on_saved", "stop"):
        monkeypatch.setattr(Announcements, name, lambda _, name=name: events.append(name))
    monkeypatch.setattr(Followers, "on_saved", lambda _: events.append("followers"))
    monkeypatch.setattr(uvicorn.Server, "run", lambda *_: postgres_books.on_saved())
    monkeypatch.setattr(postgres_books, "on_saved", None)
    settings = Settings(str(postgres_books.url), tmp_path, SECRET)
    app = create_app(settings, postgres_books)
    served = HttpServer(app, postgres_books, socket.create_server(("127.0.0.1", 0)), settings)
    served.run()
    served.close()
    assert events == ["start", "followers", "on_saved", "stop"]
