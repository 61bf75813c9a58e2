"""Two thousand follow one evening: a scorer saves in under a second, memory stays flat, no thread is held.

Each follower holds a stream, and asks for the board when there is news, as a page does.
"""

import asyncio
import re
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from threading import Event, Thread

from ledger.books.transactions import Database
from ledger.database.access import Role
from ledger.server.followers import CLUBS_SHARE, MOST_OF_A_DEVICE
from ledger.services.club import links
from tests.ledger.server.test_serving import answer, connected, head
from tests.support.server import Server, answering, fork_server, free_port
from tests.trials.rows import Row, count, seconds
from tests.trials.scorers import Books, Scorer, kept, made, many_connections

FOLLOWERS = {True: 200, False: 2_000}
HANDS = {True: 3, False: 12}
MOST_KILOBYTES = 40
"""What one follower may take of the server's memory."""


class Crowd(Thread):
    """Followers of one evening in a loop of their own; ``told`` and ``shown`` count news and boards."""

    def __init__(self, server: Server, evening: str, cookies: list[str], many: int) -> None:
        super().__init__(daemon=True)
        self._port = int(server.url.rsplit(":", 1)[1])
        more = [f"Cookie: {cookie}\r\nAccept-Encoding: gzip\r\n" for cookie in cookies]
        self._follow = [head("GET", f"{evening}/live", more=each) for each in more]
        self._look = head("GET", evening, more=f"{more[0]}Connection: close\r\n")
        self._many = many
        self.told = self.shown = self.busy = 0
        self.left = Event()

    def run(self) -> None:
        """Follow until stopped."""
        asyncio.run(self._run())

    async def _run(self) -> None:
        entering = asyncio.Semaphore(50)
        tasks = [
            asyncio.create_task(self._one(entering, self._follow[number // MOST_OF_A_DEVICE]))
            for number in range(self._many)
        ]
        while not self.left.is_set():
            await asyncio.sleep(0.05)
        for task in tasks:
            task.cancel()

    async def _one(self, entering: asyncio.Semaphore, follow: bytes) -> None:
        async with entering:
            stream, out = await asyncio.open_connection("127.0.0.1", self._port)
            out.write(follow)
            await stream.readuntil(b"data: ")
            self.told += 1
        try:
            while True:
                await stream.readuntil(b"data: ")
                self.told += 1
                while b" 503 " in await self._board():
                    self.busy += 1
                    await asyncio.sleep(1)
                self.shown += 1
        finally:
            out.close()

    async def _board(self) -> bytes:
        reading, out = await asyncio.open_connection("127.0.0.1", self._port)
        out.write(self._look)
        said = await reading.read()
        out.close()
        return said.partition(b"\r\n")[0]


def rows(folder: Path, short: bool) -> Iterator[Row]:
    """Let them follow while one scorer saves a hand, and another when all have seen it."""
    with many_connections():
        yield from _followed(folder, FOLLOWERS[short], HANDS[short])


def _followed(folder: Path, many: int, hands: int) -> Iterator[Row]:
    books, port = made(f"sqlite:///{folder / 'ledger.sqlite'}"), free_port()
    server = answering(fork_server(folder, port=port, environment=room_for(many)))
    evening = f"/clubs/{books.access.club_id}/sessions/{books.evening}"
    try:
        crowd = Crowd(server, evening, devices(server, books, many), many)
        Scorer(0, port, books, Event(), 1).run()
        _boards(crowd)
        memory, threads = _measured(server)
        crowd.start()
        wait(crowd, "told", many)
        followed, _ = _measured(server)
        saves, told, scorers, after_first = list[float](), list[float](), [], 0
        for number in range(1, hands + 1):
            scorers.append(Scorer(number, port, books, Event(), 1))
            begun = time.monotonic()
            scorers[-1].run()
            saves += scorers[-1].times
            wait(crowd, "told", many * (number + 1))
            told.append(time.monotonic() - begun)
            wait(crowd, "shown", many * number)
            after_first = after_first or _measured(server)[0]
        shown = crowd.shown
        after, most_threads = _measured(server)
        news, among = Scorer(-1, port, books, Event(), 1), Scorer(-2, port, books, Event(), 1)
        news.run()
        wait(crowd, "told", many * (hands + 1) + many // 4)
        among.run()
        crowd.left.set()
        crowd.join(30)
    finally:
        server.stop()
    yield Row("followers held", f"{many:,}")
    each = (followed - memory) / many
    yield Row("memory a follower", f"{each:.1f} kB", f"{MOST_KILOBYTES} kB", each <= MOST_KILOBYTES)
    grown = after - after_first
    yield Row(
        "grown from the first hand to the last", f"{grown / 1024:.1f} MB", "16 MB", grown < 16_384
    )
    more = most_threads - threads
    yield Row("threads more than before", str(more), "20", more <= 20)
    yield seconds("a save, the median", median(saves), 1)
    yield seconds("the slowest save", max(saves), 1)
    yield seconds("a save while they ask for the board", among.times[0], 1)
    yield seconds("until all are told, the median", median(told), 10)
    yield Row("boards shown", f"{shown:,}", f"{many * hands:,}", shown == many * hands)
    yield count("told to come again, as too many asked", crowd.busy, shown // 100)
    yield from kept(books, [*scorers, news, among])


def room_for(many: int) -> dict[str, str]:
    """Return the setting with which so many may follow one club."""
    return {"LEDGER_FOLLOWERS": str(many * CLUBS_SHARE)}


def devices(server: Server, books: Books, many: int, secret: str = "") -> list[str]:
    """Let as many devices in as so many followers need; return their cookies."""
    return [let_in(server, books, secret) for _ in range(0, many, MOST_OF_A_DEVICE)]


def let_in(server: Server, books: Books, secret: str = "") -> str:
    """Let a device in by a viewer link; return its cookie. Without a ``secret`` it is the folder's own."""
    database = Database(books.url)
    secret = secret or (server.folder / "secret-key").read_text().strip()
    key, _ = links.make(database, books.access, secret, role=Role.VIEWER, lasts="hour")
    database.close()
    with connected(server, head("GET", f"/v/{key}")) as line:
        match = re.search(rb"set-cookie: ([^;]*)", answer(line), re.IGNORECASE)
    assert match
    return match[1].decode()


def _boards(crowd: Crowd) -> None:
    """Request the board as all of its threads do, so that it is cached."""

    async def several() -> None:
        await asyncio.gather(*(crowd._board() for _ in range(40)))

    asyncio.run(several())


def _measured(server: Server) -> tuple[int, int]:
    """Return the server's memory in kilobytes, and how many threads it has."""
    said = Path(f"/proc/{server.process.pid}/status").read_text()
    memory, threads = (re.search(rf"{name}:\s+(\d+)", said) for name in ("VmRSS", "Threads"))
    assert memory
    assert threads
    return int(memory[1]), int(threads[1])


def wait(crowd: Crowd, what: str, many: int) -> None:
    """Wait until so many were ``told``, or were ``shown`` the board; two minutes at most."""
    until = time.monotonic() + 120
    while getattr(crowd, what) < many:
        assert time.monotonic() < until, f"not {many} were {what} in two minutes"
        time.sleep(0.01)
