"""The stream of a club's entries: complete and in order, whoever saves and whatever breaks."""

import asyncio
import json
import random
import shutil
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPResponse
from itertools import islice
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from ledger.api.feed import ENTRIES_AT_ONCE
from ledger.books.transactions import Database
from ledger.database.access import Role
from ledger.http.subscription import STREAM, Subscription
from ledger.server import followers as module
from ledger.server.followers import Answer, Event, Followers
from ledger.services.club import clubs, tokens
from ledger.services.reads import followed
from ledger.services.reads.followed import Numbers
from tests.ledger import table
from tests.ledger.evenings import CardClub
from tests.ledger.server.loops import in_its_own_loop
from tests.support.postgres import Cluster
from tests.support.server import Server, answering, fork_server, free_port

SAVES = 45
"""The saves of each of three writers: more entries than a stream reads at once."""


@dataclass
class Followable:
    """A service whose books another process, this one, writes as well."""

    club: CardClub
    evening: int
    folder: Path
    database_url: str
    server: Server

    def token(self, role: Role = Role.OWNER) -> tuple[str, int]:
        """Return a new token of the club, and its number."""
        secret, view = tokens.issue(self.club.db, self.club.access, label="bot", role=role)
        return secret, view.id

    def restart(self) -> None:
        """Stop the service and start it again at the same address."""
        self.server.stop()
        self.server = self.start(self.folder, self.database_url, urlsplit(self.server.url).port)

    @staticmethod
    def start(folder: Path, database_url: str, port: int | None) -> Server:
        """Start the service, with room for two streams."""
        room = {"LEDGER_FOLLOWERS": "2"}
        begun = fork_server(folder, database_url=database_url, environment=room, port=port)
        return answering(begun)


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def running(
    request: pytest.FixtureRequest, tmp_path: Path, empty_books: Path
) -> Iterator[Followable]:
    """A service over its own books, on SQLite and on PostgreSQL, with an evening."""
    if request.param == "sqlite":
        url = f"sqlite:///{shutil.copy(empty_books, tmp_path / 'ledger.sqlite')}"
    else:
        cluster: Cluster = request.getfixturevalue("postgres_cluster")
        url = cluster.migrated()
    with closing(Database(url)) as database:
        access, _ = clubs.create(database, name="Kitchen Table", passcode="four aces")
        evening = table.start(database, access)
        server = Followable.start(tmp_path, url, free_port())
        started = Followable(CardClub(database, access), evening, tmp_path, url, server)
        yield started
        started.server.stop()


@contextmanager
def asked(server: Server, token: str, last: int = 0) -> Iterator[HTTPResponse]:
    """Ask for the stream after an entry."""
    at = urlsplit(server.url)
    headers = {"Authorization": f"Bearer {token}", "Accept": STREAM}
    headers |= {"Last-Event-ID": str(last)} if last else {}
    with closing(HTTPConnection(at.hostname or "", at.port, timeout=30)) as connection:
        connection.request("GET", "/api/v1/entries", headers=headers)
        yield connection.getresponse()


def events(stream: HTTPResponse) -> Iterator[dict[str, Any]]:
    """Yield the entries of a stream until it ends; the id of each event is its entry's."""
    number = None
    while line := stream.readline():
        assert not line.startswith(b":"), "the next entry never came"
        name, _, value = line.decode().rstrip("\n").partition(": ")
        if name == "id":
            number = int(value)
        elif name == "data":
            entry = json.loads(value)
            assert entry["id"] == number
            yield entry


def last_entry(club: CardClub) -> int:
    """Return the id of the club's last entry, which is their number."""
    return club.read(followed.of_club)[0]


def test_each_entry_comes_once_and_in_order_while_three_save_and_connections_break(
    running: Followable,
) -> None:
    """Each new connection goes on after the last event; the service is restarted once meanwhile."""
    token, _ = running.token()
    total = last_entry(running.club) + 3 * SAVES

    def save(amount: int) -> None:
        for _ in range(SAVES):
            running.club.evening(running.evening).lend("Ann", amount)

    entries: list[dict[str, Any]] = []
    chance = random.Random(7)  # noqa: S311 - where connections break
    with ThreadPoolExecutor(3) as pool:
        writers = [pool.submit(save, amount) for amount in (1, 2, 3)]
        connections = 0
        while len(entries) < total:
            last = entries[-1]["id"] if entries else 0
            with asked(running.server, token, last) as stream:
                assert stream.status == 200
                most = min(chance.randint(1, 20), total - len(entries))
                entries += islice(events(stream), most)
            connections += 1
            if connections == 5:
                running.restart()
        for writer in writers:
            writer.result()
    assert [entry["id"] for entry in entries] == [*range(1, total + 1)]
    digests = [entry["digest"] for entry in entries]
    assert [entry["previous_digest"] for entry in entries][1:] == digests[:-1]
    assert connections > 5
    assert total > ENTRIES_AT_ONCE
    with asked(running.server, token) as stream:
        assert [*islice(events(stream), total)] == entries
        running.club.evening(running.evening).lend("Ann", 1)
        assert next(events(stream))["id"] == total + 1


def test_a_stream_ends_soon_after_its_token_is_revoked(running: Followable) -> None:
    """Another request with it is refused."""
    token, number = running.token(Role.SCORER)
    with asked(running.server, token) as stream:
        next(events(stream))
        begun = time.monotonic()
        tokens.revoke(running.club.db, running.club.access, number)
        assert all(entry["kind"] == "register" for entry in events(stream))
        assert time.monotonic() - begun < 10
    with asked(running.server, token) as refused:
        assert refused.status == 401


def test_a_viewers_stream_has_no_rows_of_the_register(running: Followable) -> None:
    """Neither in stored entries nor in one that comes later."""
    viewer, _ = running.token(Role.VIEWER)
    with asked(running.server, viewer) as stream:
        stored = [*islice(events(stream), last_entry(running.club))]
        running.token()
        stored.append(next(events(stream)))
    registered = [entry for entry in stored if entry["kind"] == "register"]
    assert len(registered) > 1
    assert registered[-1] == stored[-1]
    assert not any(entry["details"] for entry in registered)


def test_a_stream_takes_a_place_that_others_then_lack(running: Followable) -> None:
    """The third of two is asked to come again; the list is for everybody."""
    token, _ = running.token()
    with asked(running.server, token) as first, asked(running.server, token) as second:
        assert [first.status, second.status] == [200, 200]
        with asked(running.server, token) as third:
            assert (third.status, third.getheader("Retry-After")) == (503, "30")


@in_its_own_loop
async def test_entries_wait_for_a_slow_reader_and_for_a_database_that_is_away(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The next ones are read only when the last ones are sent, and again until they can be read."""
    monkeypatch.setattr(module, "LOOKS_EVERY", 0.01)
    followers = Followers(lambda _sessions, clubs: Numbers({}, dict.fromkeys(clubs, 3), {}), 1)
    sent, reads, may_send, away = b"", 0, asyncio.Event(), 2
    subscription = Subscription(1, 0, 3, 0, "token 1", 0)

    async def ask_again(last: int) -> Answer | None:
        nonlocal reads, away
        reads += 1
        if last == 1 and away:
            away -= 1
            return b"", Subscription(1, 0, last, 0, "token 1", last)
        return b"id: %d\n\n" % (last + 1), Subscription(1, 0, 3, 0, "token 1", last + 1)

    async def send(event: Event) -> None:
        nonlocal sent
        sent += event["body"]
        if b"id: 1" in event["body"]:
            await may_send.wait()

    async def receive() -> Event:
        await asyncio.sleep(60)
        return {"type": "http.disconnect"}

    following = asyncio.create_task(followers.follow(subscription, receive, send, ask_again))
    while b"id: 1" not in sent:
        await asyncio.sleep(0.001)
    await asyncio.sleep(0.05)
    assert reads == 1
    may_send.set()
    while b"id: 3" not in sent:
        await asyncio.sleep(0.001)
    assert [line for line in sent.splitlines() if line.startswith(b"id")] == [
        b"id: 1",
        b"id: 2",
        b"id: 3",
    ]
    followers.stop()
    await following
    followers.close()
