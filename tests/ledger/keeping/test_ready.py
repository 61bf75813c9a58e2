"""The probe of readiness: one tries, the others get its result; a hanging database holds no thread."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread

import pytest

from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.database.scope import ScopedSession
from ledger.keeping import ready
from ledger.keeping.ready import NOT_KNOWN, Readiness
from ledger.runtime.config import Settings
from ledger.words.problems import FileLocked

ALL_WELL = dict.fromkeys(("file", "schema", "integrity", "write"), ready.OK)


class Hanging(Database):
    """Books in which a write waits as long as another program likes, while they are ``held``."""

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self.waits, self.held, self.let_go = 0, False, Event()
        self.came = Event()

    @contextmanager
    def write(
        self, access: Access | None = None, *, within: float | None = None, checks: bool = True
    ) -> Iterator[ScopedSession]:
        """Wait, and then fail as a file does that is held."""
        if self.held:
            self.waits += 1
            self.came.set()
            self.let_go.wait(20)
            raise FileLocked()
        with super().write(access, within=within, checks=checks) as session:
            yield session


@pytest.fixture
def books(settings: Settings) -> Iterator[Hanging]:
    """Books of this test alone."""
    opened = Hanging(settings.database_url)
    yield opened
    opened.let_go.set()
    opened.close()


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Let time go on by so many seconds; else it stands still."""
    now = [7_000_000.0]
    monkeypatch.setattr("ledger.keeping.ready.time.monotonic", lambda: now[0])

    def go_on(seconds: float) -> None:
        now[0] += seconds

    return go_on


def trying(probe: Readiness, books: Hanging) -> Thread:
    """Let somebody try, and return when he waits for the database."""
    thread = Thread(target=probe.states)
    thread.start()
    assert books.came.wait(20)
    return thread


def test_one_waits_for_a_database_that_hangs_and_nobody_else(
    books: Hanging, later: Callable[[float], None]
) -> None:
    """Probes in the meantime get the last answer while it is young; then that it is not known."""
    probe = Readiness(books)
    assert probe.states() == ALL_WELL
    books.held = True
    later(ready.ANSWER_SECONDS)
    thread = trying(probe, books)
    assert probe.states() == ALL_WELL
    later(ready.LAST_SECONDS)
    for _ in range(50):
        assert set(probe.states().values()) == {NOT_KNOWN}
    assert books.waits == 1
    books.let_go.set()
    thread.join()


@pytest.mark.usefixtures("later")
def test_who_asks_while_the_first_is_still_trying_is_told_so(books: Hanging) -> None:
    """There is no answer yet."""
    books.held = True
    probe = Readiness(books)
    thread = trying(probe, books)
    assert set(probe.states().values()) == {NOT_KNOWN}
    books.let_go.set()
    thread.join()


def test_a_failure_counts_as_long_as_a_success(
    books: Hanging, later: Callable[[float], None]
) -> None:
    """Fifty within a second wait once for the hanging database; then it is tried again."""
    books.held = True
    books.let_go.set()
    probe = Readiness(books)
    said = [probe.states() for _ in range(50)]
    assert books.waits == 1
    assert "Another program holds the ledger" in said[0]["write"]
    assert all(each == said[0] for each in said)
    books.held = False
    later(ready.ANSWER_SECONDS)
    assert probe.states() == ALL_WELL


def test_the_pages_are_read_once_a_minute(
    books: Hanging, later: Callable[[float], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each look reads the whole file."""
    looks: list[Readiness] = []

    def look(probe: Readiness) -> str:
        looks.append(probe)
        return ready.OK

    monkeypatch.setattr(Readiness, "_check_file", look)
    probe = Readiness(books)
    for seconds in (2, 2, ready.INTEGRITY_SECONDS - 3):
        probe.states()
        later(seconds)
    assert len(looks) == 1
    later(3)
    probe.states()
    assert len(looks) == 2
