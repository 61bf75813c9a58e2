"""The service is killed again and again while several clients write: what it said it wrote, it wrote, once.

Some lives end at any moment, starting up among them, some once they have written, and half of them
just as the database's log was written to, before anybody was told. Each client sends hands, loans,
voidings and payments, each under a key of its own that also stands in what is written. Where no whole
answer comes it sends the same again under the same key. Some give up.
"""

import http.client
import json
import os
import random
import signal
import sqlite3
import time
from collections import Counter
from pathlib import Path
from threading import Event, Thread
from typing import Any, NamedTuple

import pytest

from ledger.books.transactions import Database
from ledger.database.access import Role
from ledger.keeping import migrate
from ledger.services.club import clubs, players, tokens
from tests.ledger import table
from tests.ledger.table import ask
from tests.support import nursery
from tests.support.server import fork_server, free_port, start_server

KILLS = int(os.environ.get("KILLS", "30"))
BY_COMMAND = 1
"""How many of these lives are begun by the command itself; the others by the code it runs."""

CLIENTS = 5
GIVES_UP = 0.1
"""How often a client that got no answer does not ask again: what it sent may be there or not."""


class Books(NamedTuple):
    """What there is before the first life."""

    folder: Path
    token: str
    evenings: tuple[int, int]


@pytest.fixture
def books(tmp_path: Path) -> Books:
    """A club with two sessions, in a file of its own."""
    database = Database(f"sqlite:///{tmp_path / 'ledger.sqlite'}")
    migrate.upgrade(database)
    access, _ = clubs.create(database, name="Kitchen Table", passcode="four aces")
    secret, _ = tokens.issue(database, access, label="Sue's phone", role=Role.SCORER)
    evenings = tuple(table.start(database, access) for _ in range(2))
    assert len(ask(database, access, players.everyone)) == 7
    database.close()
    return Books(tmp_path, secret, (evenings[0], evenings[1]))


class Client(Thread):
    """Writes until told to stop; keeps what was acknowledged, and what it gave up."""

    def __init__(self, number: int, port: int, books: Books, stop: Event) -> None:
        super().__init__(daemon=True)
        self.chance = random.Random(number)  # noqa: S311 - no secret
        self.number, self.port, self.books, self.stop = number, port, books, stop
        self.acknowledged: dict[str, tuple[str, Any]] = {}
        self.given_up: set[str] = set()
        self.cut_off = 0
        self.failure: Exception | None = None
        self.own: list[tuple[str, int]] = []
        self._connection: http.client.HTTPConnection | None = None

    def run(self) -> None:
        """Write until told to stop; what goes wrong is kept for the test to see."""
        try:
            self.write()
        except Exception as error:
            self.failure = error

    def write(self) -> None:
        """Write one thing after another."""
        for count in range(100_000):
            if self.stop.is_set():
                return
            key = f"client-{self.number}-write-{count}"
            kind, path, sent = self.choose(key)
            answer = self.insist(key, path, sent)
            if answer is None:
                self.given_up.add(key)
                continue
            self.acknowledged[key] = kind, answer
            if kind == "hand":
                self.own.append((path, answer["hand"]))

    def choose(self, key: str) -> tuple[str, str, Any]:
        """Choose what to write; the key stands in it."""
        evening = f"/api/v1/sessions/{self.chance.choice(self.books.evenings)}"
        which = self.chance.random()
        if which < 0.1:
            return "entry", f"{evening}/loans", {"player": "Ann", "chips": 5, "reason": key}
        if which < 0.2:
            sent = {"payer": "Bob", "payee": "Cyd", "amount": 1, "reason": key}
            return "entry", "/api/v1/payments", sent
        if which < 0.3 and self.own:
            path, number = self.own.pop(self.chance.randrange(len(self.own)))
            return "voiding", f"{path}/{number}/void", {"reason": key}
        return "hand", f"{evening}/hands", {**table.HEARTS_74, "note": key}

    def insist(self, key: str, path: str, sent: Any) -> Any:
        """Send until there is a whole answer; None where it was given up."""
        patience = time.monotonic() + 120
        while time.monotonic() < patience:
            try:
                status, answer = self.send(key, path, sent)
            except (OSError, http.client.HTTPException) as error:
                self._connection = None
                if not isinstance(error, ConnectionRefusedError):
                    self.cut_off += 1
                    if self.chance.random() < GIVES_UP:
                        return None
                time.sleep(0.02)
                continue
            if status in (200, 201):
                return answer
            assert status == 503, answer
        raise TimeoutError(f"{key} got no answer")

    def send(self, key: str, path: str, sent: Any) -> tuple[int, Any]:
        """Send one request; return the status and the answer, read to its end."""
        if self._connection is None:
            self._connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        headers = {
            "Authorization": f"Bearer {self.books.token}",
            "Content-Type": "application/json",
            "Idempotency-Key": key,
            "If-Match": "*",
        }
        self._connection.request("POST", path, json.dumps(sent), headers)
        response = self._connection.getresponse()
        return response.status, json.loads(response.read())


def test_whatever_was_acknowledged_is_there_once_after_many_kills(books: Books) -> None:
    """Hands, loans, voidings and payments; and the books verify."""
    port, stop = free_port(), Event()
    clients = [Client(number, port, books, stop) for number in range(CLIENTS)]
    chance = random.Random("when to kill")  # noqa: S311 - no secret
    for client in clients:
        client.start()
    for _ in range(BY_COMMAND):
        life = start_server(books.folder, port=port)
        wait_for_an_answer(clients)
        time.sleep(chance.uniform(0, 0.2))
        life.kill()
    for _ in range(KILLS - BY_COMMAND):
        life = fork_server(books.folder, port=port)
        which = chance.random()
        if which < 0.8:
            wait_for_an_answer(clients)
        time.sleep(chance.uniform(0, 0.2))
        if which < 0.5:
            wait_for_a_write(books.folder / "ledger.sqlite-wal")
        life.kill()
        assert life.process.wait() == -signal.SIGKILL, life.log
    life = fork_server(books.folder, port=port)
    stop.set()
    for client in clients:
        client.join(120)
    life.kill()
    assert not [client for client in clients if client.is_alive()], life.log
    assert [client.failure for client in clients if client.failure] == []
    assert sum(client.cut_off for client in clients) >= KILLS // 2, "hardly any kill hit a write"
    compare(books.folder / "ledger.sqlite", clients)
    own = {"LEDGER_DATA_DIR": str(books.folder)}
    verified = nursery.run(nursery.COMMAND, ["verify"], own)
    assert (verified.returncode, verified.stdout) == (0, ""), verified.stdout + verified.stderr


def wait_for_an_answer(clients: list[Client]) -> None:
    """Wait until the life at hand has written something."""
    before = sum(len(client.acknowledged) for client in clients)
    deadline = time.monotonic() + 60
    while sum(len(client.acknowledged) for client in clients) == before:
        assert time.monotonic() < deadline, "the service does not answer"
        time.sleep(0.002)


def wait_for_a_write(log: Path) -> None:
    """Wait until the database's log was just written to: what is saved now was not answered yet."""
    before = log.stat().st_mtime_ns
    deadline = time.monotonic() + 60
    while log.stat().st_mtime_ns == before:
        assert time.monotonic() < deadline, "the service does not write"


def compare(file: Path, clients: list[Client]) -> None:
    """Hold what is in the file against what the clients were told."""
    acknowledged = {key: told for client in clients for key, told in client.acknowledged.items()}
    given_up = {key for client in clients for key in client.given_up}
    found = written(file)
    there = Counter(key for key, *_ in found)
    assert [key for key, times in there.items() if times > 1] == []
    assert acknowledged.keys() - there.keys() == set()
    assert there.keys() - acknowledged.keys() <= given_up
    kinds = Counter(kind for kind, _ in acknowledged.values())
    assert kinds["hand"] >= KILLS
    assert min(kinds["entry"], kinds["voiding"]) >= KILLS // 10
    for key, (kind, answer) in acknowledged.items():
        if kind == "entry":
            assert (key, kind, None, answer["entry"]) in found
        else:
            assert (key, kind, answer["session"], answer["hand"]) in found


def written(file: Path) -> list[tuple[str, str, int | None, int]]:
    """Read each key that stands in the books, and at which hand or entry."""
    connection = sqlite3.connect(file)
    assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    rows = connection.execute(
        "SELECT CASE action WHEN 'voided' THEN reason ELSE json_extract(record, '$.note') END, "
        "CASE action WHEN 'voided' THEN 'voiding' ELSE 'hand' END, hand.session_id, hand.number "
        "FROM hand_version JOIN hand ON hand.id = hand_id"
    ).fetchall()
    entries = connection.execute(
        "SELECT reason, 'entry', NULL, id FROM journal_entry WHERE kind IN ('loan', 'payment')"
    ).fetchall()
    connection.close()
    return [*rows, *entries]
