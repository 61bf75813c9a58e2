"""Followers: pages that are told when what they show has changed, each a connection that holds no thread.

A follower is a stream of server-sent events, numbered by what they tell: the revision of a session, the last
entry of a club. What is followed is looked at in the database after every save of this process, and once a
second for all followers together, so that several processes over the same books agree. Only the newest number
is kept for a follower, however slow it is. Whether it is still let in is asked of the application: each
minute, and when the club's log of who may get in has grown.
"""

import asyncio
import logging
import random
from collections import defaultdict
from collections.abc import Awaitable, Callable, Collection, Iterator, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from typing import Any

from ledger.http.followed import Followed
from ledger.services.reads.followed import Numbers
from ledger.words.problems import Problem

Event = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Event]]
Send = Callable[[Event], Awaitable[None]]
Look = Callable[[Collection[int], Collection[int]], Numbers]
StillIn = Callable[[], Awaitable[bool]]

LOOKS_EVERY = 1.0
"""Seconds between two looks at the books, where this process saves nothing itself."""

PINGS_EVERY = 20.0
"""Seconds after which who hears no news gets a sign of life: proxies end what is silent for a minute."""

ASKED_EVERY = 40.0
"""Seconds, at most, after which it is due to be asked again whether a follower is still let in.

With the wait for the next sign of life it is asked at least each minute.
"""

COMES_BACK_AFTER = 1_000
"""Milliseconds after which a browser whose stream has ended asks for it again."""

AT_ONCE = 50
"""So many followers of a thing are told of news at once; each then asks for the page."""

NEXT_AFTER = 0.1
"""Seconds after which the next so many are told, or later, while many requests wait for a thread."""

MOST_ASKING = 50
"""With so many requests under way nobody else is told yet."""

MOST_OF_A_DEVICE = 12
"""How many pages of one device may follow: a browser opens six connections, through a proxy a hundred."""

CLUBS_SHARE = 8
"""The divisor of all places that gives the most that a club's pages take."""

ALWAYS_OF_A_CLUB = 50
"""The number of a club's pages that may follow while a place is free, however few places there are."""

RESTS = 0.01
"""Seconds from one look to the next at least, however much is saved."""

_log = logging.getLogger("ledger")

Topic = tuple[str, int]


class _Follower:
    """One connection: the newest ``number`` of what it follows, the one it was ``told``, what wakes it."""

    __slots__ = ("due", "gone", "number", "told", "what", "woken")

    def __init__(self, what: Followed) -> None:
        self.what = what
        self.number = what.number
        self.told = -1
        self.due = asyncio.get_running_loop().time() + _about(ASKED_EVERY)
        self.gone = False
        self.woken = asyncio.Event()

    @property
    def keys(self) -> tuple[Topic, Topic]:
        """What it follows, and the doors of the club."""
        what = self.what
        own = ("session", what.session_id) if what.session_id else ("club", what.club_id)
        return own, ("doors", what.club_id)


class Followers:
    """All followers of one process, at most ``most``.

    ``look`` says in a thread where things stand; ``asking`` how many requests are under way. All else here
    runs in the server's loop, but for ``written``.
    """

    def __init__(self, look: Look, most: int) -> None:
        self._look, self._most = look, most
        self.asking: Callable[[], int] = lambda: 0
        self._by_key: dict[Topic, set[_Follower]] = defaultdict(set)
        self._numbers: dict[Topic, int | None] = {}
        self._thread = ThreadPoolExecutor(1, "followers")
        self._news: dict[Topic, asyncio.Task[None]] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._look_now = asyncio.Event()
        self._watching: asyncio.Task[None] | None = None
        self._over = False
        self.count = 0

    @property
    def is_full(self) -> bool:
        """Whether nobody else is taken now: as many follow as may, or the server is being stopped."""
        return self.count >= self._most or self._over

    def has_too_many_like(self, what: Followed) -> bool:
        """Return whether the club that is followed, or the device that follows, has all of its places."""
        of_club = self._by_key.get(("doors", what.club_id), ())
        if len(of_club) >= max(self._most // CLUBS_SHARE, ALWAYS_OF_A_CLUB):
            return True
        return sum(one.what.holder == what.holder for one in of_club) >= MOST_OF_A_DEVICE

    def written(self) -> None:
        """Say, from any thread, that this process has saved something."""
        if self._loop is not None and self.count:
            with suppress(RuntimeError):  # the loop has ended meanwhile
                self._loop.call_soon_threadsafe(self._look_now.set)

    def stop(self) -> None:
        """End every stream, and take nobody else."""
        self._over = True
        for followers in self._by_key.values():
            for each in followers:
                each.woken.set()
        for task in (self._watching, *self._news.values()):
            if task is not None:
                task.cancel()

    def close(self) -> None:
        """Wait for the last look to end, before the database is closed."""
        self._thread.shutdown(wait=True, cancel_futures=True)

    async def tell(self, what: Followed, receive: Receive, send: Send, still_in: StillIn) -> None:
        """Tell a connection of news until it is gone, or no longer let in, or the server stops."""
        with self._following(what) as one:
            listening = asyncio.ensure_future(_until_gone(one, receive))
            try:
                await send(_said(f"retry: {COMES_BACK_AFTER}\n\n"))
                await self._tell(one, send, still_in)
            finally:
                listening.cancel()
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _tell(self, one: _Follower, send: Send, still_in: StillIn) -> None:
        clock = asyncio.get_running_loop().time
        while not (one.gone or self._over):
            if clock() >= one.due:
                one.due = clock() + _about(ASKED_EVERY)
                if not await still_in():
                    return
            if one.told != one.number:
                one.told = one.number
                await send(_said(f"id: {one.told}\ndata: {one.told}\n\n"))
            one.woken.clear()
            try:
                async with asyncio.timeout(PINGS_EVERY):
                    await one.woken.wait()
            except TimeoutError:
                await send(_said(": still there\n\n"))

    @contextmanager
    def _following(self, what: Followed) -> Iterator[_Follower]:
        one = _Follower(what)
        self._begin()
        self.count += 1
        for key in one.keys:
            self._by_key[key].add(one)
        # What was saved since it was let in is news, whether it is known already or not.
        own, doors = one.keys
        one.number = max(one.number, self._numbers.get(own) or 0)
        if self._numbers.setdefault(doors, what.doors) != what.doors:
            one.due = 0.0
        self._look_now.set()
        try:
            yield one
        finally:
            self.count -= 1
            for key in one.keys:
                self._by_key[key].discard(one)
                if not self._by_key[key]:
                    del self._by_key[key]
                    self._numbers.pop(key, None)

    def _begin(self) -> None:
        if self._watching is None:
            self._loop = asyncio.get_running_loop()
            self._watching = self._loop.create_task(self._watch())

    async def _watch(self) -> None:
        """Look where things stand, after each save and each second, as long as anybody follows.

        Whatever fails is tried again: nobody would notice that news has ended.
        """
        failing = False
        while True:
            await self._until_due()
            try:
                await self._look_round()
            except Exception as error:
                if not failing:
                    _say_what_failed(error)
                failing = True
                await asyncio.sleep(LOOKS_EVERY)
            else:
                failing = False
                await asyncio.sleep(RESTS)

    async def _until_due(self) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(LOOKS_EVERY):
                await self._look_now.wait()
        if not self._by_key:
            self._look_now.clear()
            await self._look_now.wait()
        self._look_now.clear()

    async def _look_round(self) -> None:
        wanted = [*self._by_key]
        sessions = [number for kind, number in wanted if kind == "session"]
        clubs = [number for kind, number in wanted if kind == "doors"]
        loop = asyncio.get_running_loop()
        self._heed(wanted, await loop.run_in_executor(self._thread, self._look, sessions, clubs))

    def _heed(self, wanted: Collection[Topic], found: Numbers) -> None:
        """Hand on what has changed of what was ``wanted``."""
        stands = {("session", each): number for each, number in found.sessions.items()}
        stands |= {("club", each): number for each, number in found.clubs.items()}
        stands |= {("doors", each): number for each, number in found.doors.items()}
        for key in wanted:
            number = stands.get(key)
            if key not in self._by_key or (key in self._numbers and self._numbers[key] == number):
                continue
            for one in self._by_key[key]:
                if (
                    key[0] == "doors" or number is None
                ):  # it may not be let in any more, or it is gone
                    one.due = 0.0
                else:
                    one.number = number
            if key in self._news:
                self._news[key].cancel()
            self._news[key] = asyncio.create_task(self._wake(key))
            self._numbers[key] = (
                number  # at the end: what failed before is handed on with the next look
            )

    async def _wake(self, key: Topic) -> None:
        """Wake the followers of a thing, some at a time: each comes for the page at once."""
        waiting = [
            one
            for one in sorted(self._by_key.get(key, ()), key=lambda one: one.told)
            if one.told != one.number or not one.due
        ]
        for first in range(0, len(waiting), AT_ONCE):
            if first:
                await asyncio.sleep(NEXT_AFTER)
            while self.asking() > MOST_ASKING:
                await asyncio.sleep(NEXT_AFTER)
            for one in waiting[first : first + AT_ONCE]:
                one.woken.set()
        del self._news[key]


def _say_what_failed(error: Exception) -> None:
    """Log once that nobody is told of news; a fault of ours with the place where it is."""
    ours = None if isinstance(error, Problem | OSError) else error
    _log.error("followers can't be told of news just now: %s", error, exc_info=ours)


async def _until_gone(one: _Follower, receive: Receive) -> None:
    """Wait for the end of a connection."""
    while (await receive())["type"] != "http.disconnect":
        pass
    one.gone = True
    one.woken.set()


def _said(text: str) -> Event:
    return {"type": "http.response.body", "body": text.encode(), "more_body": True}


def _about(seconds: float) -> float:
    """Return somewhat less, so that those who came together are not asked about together."""
    return seconds * random.uniform(0.6, 1)  # noqa: S311 - spreads work, guards nothing
