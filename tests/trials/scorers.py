"""The participants of a trial: books with a club in them, and scorers sending hand after hand.

A scorer sends each hand under a key of its own, which is also the hand's note, and where no answer comes,
or one that asks for another try, sends the same again. So acknowledged hands can be looked for in the books.
"""

import http.client
import json
import resource
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread
from typing import Any, NamedTuple

from sqlmodel import select

from ledger.books.transactions import Database
from ledger.database.access import Access, Role
from ledger.database.models import HandVersionTable
from ledger.keeping import migrate
from ledger.services.audit import verify
from ledger.services.club import clubs, tokens
from tests.ledger import table
from tests.trials.rows import Row, count


class Books(NamedTuple):
    """A club's books as a trial finds them."""

    url: str
    access: Access
    token: str
    evening: int


def made(url: str, name: str = "Kitchen Table") -> Books:
    """Make books with a club and a session of seven."""
    database = Database(url)
    migrate.upgrade(database)
    access, _ = clubs.create(database, name=name, passcode="four aces")
    token, _ = tokens.issue(database, access, label="Sue's phone", role=Role.SCORER)
    evening = table.start(database, access)
    database.close()
    return Books(url, access, token, evening)


class Scorer(Thread):
    """Sends hands until stopped; stores each result, and its duration."""

    def __init__(self, number: int, port: int, books: Books, stop: Event, hands: int = 0) -> None:
        super().__init__(daemon=True)
        self.number, self.books, self.stop, self.hands = number, books, stop, hands
        self.acknowledged: dict[str, float] = {}
        """When each hand was acknowledged, by its key."""
        self.times: list[float] = []
        self.answers: Counter[int] = Counter()
        self.cut_off = 0
        self.unexpected: list[str] = []
        self._line = http.client.HTTPConnection("127.0.0.1", port, timeout=40)

    def run(self) -> None:
        """Send this number of hands, or until stopped."""
        for number in range(self.hands or 1_000_000):
            if self.stop.is_set():
                return
            key = f"scorer-{self.number}-hand-{number}"
            begun = time.monotonic()
            while not self._saved(key):
                if self.stop.is_set():
                    return
                time.sleep(0.05)
            self.acknowledged[key] = time.monotonic()
            self.times.append(time.monotonic() - begun)

    def _saved(self, key: str) -> bool:
        try:
            status, said = self._sent(key)
        except (OSError, http.client.HTTPException):
            self._line.close()
            self.cut_off += 1
            return False
        self.answers[status] += 1
        if status not in (200, 201, 503) and len(self.unexpected) < 5:
            self.unexpected.append(f"{status}: {said[:200]!r}")
        return status in (200, 201)

    def _sent(self, key: str) -> tuple[int, bytes]:
        headers = {
            "Authorization": f"Bearer {self.books.token}",
            "Content-Type": "application/json",
            "Idempotency-Key": key,
            "If-Match": "*",
        }
        hand: Any = {**table.HEARTS_74, "note": key}
        path = f"/api/v1/sessions/{self.books.evening}/hands"
        self._line.request("POST", path, json.dumps(hand), headers)
        answer = self._line.getresponse()
        return answer.status, answer.read()


@contextmanager
def scoring(
    port: int, books: Books, many: int, hands: int = 0, *, first: int = 0
) -> Iterator[list[Scorer]]:
    """Let these scorers send hands; they stop when this ends, or when each has sent its own.

    They are numbered from ``first``: other writers to the same books have other numbers.
    """
    stop = Event()
    scorers = [Scorer(first + number, port, books, stop, hands) for number in range(many)]
    for scorer in scorers:
        scorer.start()
    try:
        yield scorers
    finally:
        if not hands:
            stop.set()
        for scorer in scorers:
            scorer.join(300)


@contextmanager
def many_connections() -> Iterator[None]:
    """Let this process have as many connections as the system grants; mostly 1,024 unasked."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def acknowledged(scorers: list[Scorer]) -> int:
    """Return how many hands were acknowledged so far."""
    return sum(len(scorer.acknowledged) for scorer in scorers)


def until(true: Callable[[], bool], within: float = 60) -> None:
    """Wait until something is so. Raises ``TimeoutError``."""
    deadline = time.monotonic() + within
    while not true():
        if time.monotonic() > deadline:
            raise TimeoutError("what a trial waits for does not come")
        time.sleep(0.01)


def more(scorers: list[Scorer], hands: int) -> None:
    """Wait until so many more hands are acknowledged."""
    before = acknowledged(scorers)
    until(lambda: acknowledged(scorers) >= before + hands)


def kept(books: Books, scorers: list[Scorer]) -> Iterator[Row]:
    """Compare the books with the answers to their scorers."""
    database = Database(books.url)
    with database.read(books.access) as session:
        versions = session.exec(select(HandVersionTable)).all()
        results = Counter(str(version.record["note"]) for version in versions)
    told = {key for scorer in scorers for key in scorer.acknowledged}
    yield Row("hands acknowledged", f"{len(told):,}", "some", bool(told))
    yield count("of these lost", len(told - results.keys()))
    yield count("saved twice", sum(times > 1 for times in results.values()))
    wrong = [said for scorer in scorers for said in scorer.unexpected]
    yield Row("answers but saved and 503", wrong[0] if wrong else "0", "0", not wrong)
    yield count("differences that verify finds", len(list(verify(database))))
    database.close()
