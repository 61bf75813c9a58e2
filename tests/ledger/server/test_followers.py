"""Followers: notified of news at once, held without a thread, and dropped when their access ends."""

import asyncio
import logging
import re
import signal
import socket
import threading
from collections.abc import Collection, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import Any

import pytest

from ledger.books.transactions import Database
from ledger.database.access import Access, Role
from ledger.http.subscription import Subscription
from ledger.server import followers as module
from ledger.server.followers import Answer, Event, Followers
from ledger.services.club import clubs, links
from ledger.services.reads.followed import Numbers, SessionKey
from tests.conftest import StartServer
from tests.ledger import table
from tests.ledger.server.loops import in_a_loop_of_its_own, in_its_own_loop
from tests.ledger.server.test_serving import answer, connected, head
from tests.support.server import Server


class Books:
    """The rows found by a look: session 7 of club 3, and session 8 of club 4."""

    def __init__(self) -> None:
        self.sessions = {(3, 7): 1, (4, 8): 1}
        self.security_events = {3: 1, 4: 1}
        self.is_away = False
        self.looks = 0

    def look(self, sessions: Collection[SessionKey], clubs: Collection[int]) -> Numbers:
        """Look, as in the database."""
        self.looks += 1
        if self.is_away:
            raise OSError("the database is away")
        return Numbers(
            {each: self.sessions[each] for each in sessions if each in self.sessions},
            dict.fromkeys(clubs, 0),
            {each: self.security_events[each] for each in clubs},
        )


class Phone:
    """One connection: the messages it got, whether it has access, and its task."""

    def __init__(self, followers: Followers, club: int, session: int, holder: str = "") -> None:
        self.text = ""
        self.is_let_in = True
        self.left = asyncio.Event()
        self.subscription = Subscription(club, session, 1, 1, holder)
        self.task = asyncio.create_task(
            followers.follow(self.subscription, self._receive, self._send, self._ask_again)
        )

    @property
    def told(self) -> list[str]:
        """The numbers of the events that came."""
        return re.findall(r"^id: (\d+)$", self.text, re.MULTILINE)

    async def _receive(self) -> Event:
        await self.left.wait()
        return {"type": "http.disconnect"}

    async def _send(self, event: Event) -> None:
        self.text += event["body"].decode()

    async def _ask_again(self, _last: int) -> Answer | None:
        return (b"", self.subscription) if self.is_let_in else None


@pytest.fixture
def books() -> Books:
    """The content of the books."""
    return Books()


@pytest.fixture
def followers(books: Books) -> Iterator[Followers]:
    """Room for ten."""
    opened = Followers(books.look, 10)
    yield opened
    opened.close()


async def until(holds: Any) -> None:
    """Wait until something holds."""
    while not holds():
        await asyncio.sleep(0.005)


@in_its_own_loop
async def test_two_thousand_are_told_by_one_thread(
    books: Books, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those of the session get it, the others don't; a slow one gets the newest number only."""
    monkeypatch.setattr(module, "NEXT_AFTER", 0.0)
    followers, before = Followers(books.look, 5000), threading.active_count()
    phones = [Phone(followers, 3, 7) for _ in range(2000)]
    other = Phone(followers, 4, 8)
    await until(lambda: all(each.told for each in (*phones, other)))
    books.sessions[3, 7] = 2
    followers.on_saved()
    await until(lambda: all(each.told == ["1", "2"] for each in phones))
    assert threading.active_count() <= before + 1
    assert other.told == ["1"]
    phones[0].left.set()
    await phones[0].task
    assert followers.count == 2000
    followers.stop()
    await asyncio.gather(*(each.task for each in (*phones, other)))
    assert followers.count == 0
    assert followers.is_full
    followers.close()


@in_its_own_loop
async def test_nobody_is_told_while_many_requests_are_under_way(
    books: Books, followers: Followers
) -> None:
    """Each notified one requests the page at once: earlier requests are answered first."""
    phone = Phone(followers, 3, 7)
    await until(lambda: phone.told)
    await until(lambda: books.looks)
    followers.waiting_requests = lambda: module.MOST_ASKING + 1
    books.sessions[3, 7] = 2
    seen = books.looks
    followers.on_saved()
    await until(lambda: books.looks > seen + 1)  # a second look is after the first was heeded
    assert phone.told == ["1"]
    followers.waiting_requests = lambda: 0
    await until(lambda: phone.told == ["1", "2"])


@in_its_own_loop
async def test_who_is_not_let_in_any_more_is_let_go(books: Books, followers: Followers) -> None:
    """The club's log has grown, or the session is gone: each is asked about, and some may stay."""
    out, stays, other = (Phone(followers, *place) for place in ((3, 7), (3, 7), (4, 8)))
    await until(lambda: books.looks and all(each.told for each in (out, stays, other)))
    out.is_let_in = other.is_let_in = False
    books.security_events[3] = 2
    followers.on_saved()
    await out.task
    assert (stays.task.done(), other.task.done()) == (False, False)
    del books.sessions[4, 8]
    followers.on_saved()
    await other.task
    assert not stays.task.done()


@in_its_own_loop
async def test_who_came_between_two_looks_misses_nothing(
    books: Books, followers: Followers
) -> None:
    """News that others have already goes to a newcomer who was admitted before it was saved."""
    first = Phone(followers, 3, 7)
    books.sessions[3, 7] = 2
    await until(lambda: first.told[-1:] == ["2"])
    late = Phone(followers, 3, 7)  # its page was at 1
    await until(lambda: late.told == ["2"])


def test_an_outage_is_logged_once_and_over_when_it_is_over(
    books: Books,
    followers: Followers,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Streams stay, and send the saves once the books can be read again."""
    monkeypatch.setattr(module, "LOOKS_EVERY", 0.01)

    async def test() -> None:
        phone = Phone(followers, 3, 7)
        books.is_away = True
        await until(lambda: books.looks > 3)
        books.sessions[3, 7], books.is_away = 2, False
        await until(lambda: phone.told == ["1", "2"])

    with caplog.at_level(logging.ERROR, "ledger"):
        in_a_loop_of_its_own(test())
    assert [line.message for line in caplog.records] == [
        "followers can't be told of news just now: the database is away"
    ]


def test_news_goes_on_after_a_fault_of_ours(
    books: Books,
    followers: Followers,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """The news found at that time is sent afterwards; the log has the place of the fault."""
    monkeypatch.setattr(module, "LOOKS_EVERY", 0.01)
    heed, faults = Followers._update, [KeyError("a fault of ours")]

    def heed_later(followers: Followers, wanted: Any, found: Numbers) -> None:
        if found.sessions.get((3, 7)) == 2 and faults:
            raise faults.pop()
        heed(followers, wanted, found)

    monkeypatch.setattr(Followers, "_update", heed_later)

    async def test() -> None:
        phone = Phone(followers, 3, 7)
        await until(lambda: phone.told)
        books.sessions[3, 7] = 2
        await until(lambda: phone.told == ["1", "2"])

    in_a_loop_of_its_own(test())
    (line,) = caplog.records
    assert "a fault of ours" in line.getMessage()
    assert line.exc_info


@in_its_own_loop
async def test_nobody_else_is_taken_once_as_many_follow_as_may(books: Books) -> None:
    """Nor once the server is stopping."""
    followers = Followers(books.look, 1)
    assert not followers.is_full
    phone = Phone(followers, 3, 7)
    await until(lambda: phone.told)
    assert followers.is_full
    phone.left.set()
    await phone.task
    assert not followers.is_full
    followers.stop()
    assert followers.is_full
    followers.close()


@in_its_own_loop
async def test_one_device_leaves_places_to_others_and_one_club_to_other_clubs(books: Books) -> None:
    """One viewer had taken all 4,000; a client without a place asks every two seconds."""

    def follows(club: int, holder: str) -> Subscription:
        return Subscription(club, 7, 1, 1, holder)

    followers, phones = Followers(books.look, 4000), []
    for device in range(42):
        for _ in range(module.MOST_OF_A_DEVICE):
            if not followers.has_too_many_like(follows(3, f"device {device}")):
                phones.append(Phone(followers, 3, 7, f"device {device}"))
                await until(lambda: followers.count == len(phones))
        assert followers.has_too_many_like(follows(3, f"device {device}"))
        if device == 0:
            assert not followers.has_too_many_like(follows(3, "device 1"))
    assert followers.count == len(phones) == 500
    assert followers.has_too_many_like(follows(3, "device 99"))
    assert not followers.has_too_many_like(follows(4, "device 0"))
    assert not followers.is_full
    phones[0].left.set()
    await phones[0].task
    assert not followers.has_too_many_like(follows(3, "device 0"))
    followers.stop()
    await asyncio.gather(*(each.task for each in phones))
    followers.close()


@dataclass
class Followable:
    """A running service with a session, and the cookie of a viewer's device."""

    server: Server
    database: Database
    club: Access
    session: int
    link: int
    key: str
    cookie: str

    def asked(self, path: str = "") -> bytes:
        """Return the head of a request to follow."""
        path = path or f"/clubs/{self.club.club_id}/sessions/{self.session}/live"
        return head("GET", path, more=f"Cookie: {self.cookie}\r\n")


@pytest.fixture
def running(request: pytest.FixtureRequest, server: StartServer) -> Iterator[Followable]:
    """The service, with room for two followers, or for as many as a test names."""
    started = server(environment={"LEDGER_FOLLOWERS": getattr(request, "param", "2")})
    database = Database(f"sqlite:///{started.folder / 'ledger.sqlite'}")
    club, _ = clubs.create(database, name="Kitchen Table", passcode="four aces")
    secret = (started.folder / "secret-key").read_text().strip()
    key, link = links.make(database, club, secret, role=Role.VIEWER, lasts="hour")
    number = table.start(database, club)
    cookie = let_in(started, key)
    yield Followable(started, database, club, number, link.id, key, cookie)
    database.close()


def let_in(server: Server, key: str) -> str:
    """Let a new device in by a link; return its cookie."""
    with connected(server, head("GET", f"/v/{key}")) as line:
        cookie = re.search(rb"set-cookie: ([^;]*)", answer(line), re.IGNORECASE)
    assert cookie
    return cookie[1].decode()


def read(line: socket.socket, wanted: bytes) -> bytes:
    """Read a stream until something stands in it, or it ends."""
    data = b""
    while wanted not in data:
        more = line.recv(65_536)
        if not more:
            break
        data += more
    return data


def test_a_viewer_is_told_what_another_process_saves(running: Followable) -> None:
    """A stream of its own type that no proxy holds back; it begins with where things stand."""
    with connected(running.server, running.asked()) as line:
        began = read(line, b"id: 1\ndata: 1\n\n")
        assert b"content-type: text/event-stream" in began
        assert b"x-accel-buffering: no" in began
        assert b"cache-control: no-store" in began
        assert b"content-length" not in began
        assert b"retry: 1000" in began
        table.record(running.database, running.club, running.session, table.HEARTS_74)
        assert b"id: 2\ndata: 2\n\n" in read(line, b"id: 2\ndata: 2\n\n")


def test_who_is_one_too_many_is_asked_to_come_again(running: Followable) -> None:
    """Two are held; the third gets a time to come again; a leaving one makes room."""
    with connected(running.server, running.asked()) as first:
        read(first, b"id: 1")
        with connected(running.server, running.asked("/clubs/1/live")) as second:
            read(second, b"id: ")
            with connected(running.server, running.asked()) as third:
                told = answer(third)
            assert told.startswith(b"HTTP/1.1 503")
            assert b"retry-after: 30" in told
        while True:
            with connected(running.server, running.asked()) as again:
                if again.recv(65_536).startswith(b"HTTP/1.1 200"):
                    break


@pytest.mark.parametrize("running", ["4000"], indirect=True)
def test_a_device_that_follows_with_many_pages_leaves_places_to_others(running: Followable) -> None:
    """Its next page is answered as when all places are taken; another device gets news."""
    with ExitStack() as lines:

        def ask(who: Followable, path: str = "") -> socket.socket:
            return lines.enter_context(connected(running.server, who.asked(path)))

        for _ in range(module.MOST_OF_A_DEVICE):
            assert b"id: 1" in read(ask(running), b"id: 1")
        refused = answer(ask(running, "/clubs/1/live"))
        assert refused.startswith(b"HTTP/1.1 503")
        assert b"this device's or this club's pages" in refused
        other = replace(running, cookie=let_in(running.server, running.key))
        assert b"id: 1" in read(ask(other), b"id: 1")


def test_a_revoked_link_ends_the_streams_that_came_by_it(running: Followable) -> None:
    """It is noticed by the club's log; another request is refused as for any page."""
    with connected(running.server, running.asked()) as line:
        read(line, b"id: 1")
        links.revoke(running.database, running.club, running.link)
        assert read(line, b"0\r\n\r\n").endswith(b"0\r\n\r\n")
        line.sendall(running.asked())
        assert answer(line).startswith(b"HTTP/1.1 401")


def test_told_to_stop_the_server_ends_its_streams_at_once(running: Followable) -> None:
    """No follower holds a restart up."""
    with connected(running.server, running.asked()) as line:
        read(line, b"id: 1")
        running.server.process.send_signal(signal.SIGTERM)
        assert read(line, b"0\r\n\r\n").endswith(b"0\r\n\r\n")
    assert running.server.process.wait(10) == -signal.SIGTERM
