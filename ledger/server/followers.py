"""Followers: pages that are notified of changes over a connection without a thread.

A follower is a stream of server-sent events with growing numbers: the revision of a session, or the last
entry of a club. The numbers are read from the database after every save of this process, after one that
another process announced, and once a second for all followers together, so that several processes on one
database agree. Only the newest number waits for a follower, however slow it is. The application checks a
follower's access every minute, and whenever the club's security log has grown.

A program may follow the club's entries themselves. As long as its last entry is not the club's, its request
is repeated after that one: each answer holds a few entries, and goes out before the next is read.
"""

import asyncio
import logging
import random
from collections import defaultdict
from collections.abc import Awaitable, Callable, Collection, Iterator, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from typing import Any

from ledger.http.subscription import Subscription
from ledger.services.reads.followed import Numbers, SessionKey
from ledger.words.problems import Problem

Event = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Event]]
Send = Callable[[Event], Awaitable[None]]
ReadNumbers = Callable[[Collection[SessionKey], Collection[int]], Numbers]
"""Reads the newest numbers of these sessions and clubs."""
Answer = tuple[bytes, Subscription]
"""The events in the answer to a follower's request, and the subscription that it allows."""
AskAgain = Callable[[int], Awaitable[Answer | None]]
"""Repeats a follower's request after its last event; None if it has no access any more."""

LOOKS_EVERY = 1.0
"""The seconds between two reads if this process saves nothing."""

PINGS_EVERY = 20.0
"""The seconds after which a quiet stream gets a ping: proxies end one that is silent for a minute."""

PING = b": still there\n\n"

CHECKED_EVERY = 40.0
"""The most seconds until a follower's access is due for a check.

It happens at the next ping, so at least every minute.
"""

COMES_BACK_AFTER = 1_000
"""The milliseconds after which a browser reopens an ended stream."""

AT_ONCE = 50
"""The number of followers notified at once; each then requests the page."""

NEXT_AFTER = 0.1
"""The seconds until the next group is notified, or later while many requests wait for a thread."""

MOST_ASKING = 50
"""The number of requests under way above which no further group is notified."""

MOST_OF_A_DEVICE = 12
"""The most followers of one device: a browser opens six connections, through a proxy a hundred."""

CLUBS_SHARE = 8
"""The part of all places that one club's followers may take: one in so many."""

ALWAYS_OF_A_CLUB = 50
"""The number of a club's followers that may join while any place is free."""

RESTS = 0.01
"""The least seconds between two reads, however much is saved."""

_log = logging.getLogger("ledger")

Topic = tuple[str, int, int]
"""A club's session ("session"), data ("club") or security log ("log"): the club and the session, or 0."""


class _Follower:
    """A connection with the newest ``number`` of its topic, the last one ``sent``, and a wake-up event."""

    __slots__ = ("check_at", "gone", "number", "sent", "subscription", "wants_entries", "woken")

    def __init__(self, subscription: Subscription) -> None:
        self.subscription = subscription
        self.number = subscription.number
        self.wants_entries = subscription.last_entry is not None
        self.sent = -1 if subscription.last_entry is None else subscription.last_entry
        self.check_at = asyncio.get_running_loop().time() + _spread(CHECKED_EVERY)
        self.gone = False
        self.woken = asyncio.Event()

    @property
    def lacks_entries(self) -> bool:
        """Whether it follows the club's entries and has not got the last one."""
        return self.wants_entries and self.sent != self.number

    @property
    def topics(self) -> tuple[Topic, Topic]:
        """The topic of its page, and its club's security log."""
        club_id, session_id = self.subscription.club_id, self.subscription.session_id
        page = ("session" if session_id else "club", club_id, session_id or 0)
        return page, ("log", club_id, 0)


class Followers:
    """All followers of one process, at most ``most``.

    ``read_numbers`` is called in a thread; ``waiting_requests`` returns how many requests are under way.
    Everything else runs in the server's loop, except ``on_saved``.
    """

    def __init__(self, read_numbers: ReadNumbers, most: int) -> None:
        self._read_numbers, self._most = read_numbers, most
        self.waiting_requests: Callable[[], int] = lambda: 0
        self._by_topic: dict[Topic, set[_Follower]] = defaultdict(set)
        self._numbers: dict[Topic, int | None] = {}
        self._thread = ThreadPoolExecutor(1, "followers")
        self._notifying: dict[Topic, asyncio.Task[None]] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._read_now = asyncio.Event()
        self._watching: asyncio.Task[None] | None = None
        self._stopped = False
        self.count = 0

    @property
    def is_full(self) -> bool:
        """Whether nobody can join: every place is taken, or the server stops."""
        return self.count >= self._most or self._stopped

    def has_too_many_like(self, subscription: Subscription) -> bool:
        """Return whether the subscription's club or device has all of its places."""
        of_club = self._by_topic.get(("log", subscription.club_id, 0), ())
        if len(of_club) >= max(self._most // CLUBS_SHARE, ALWAYS_OF_A_CLUB):
            return True
        holder = subscription.holder
        return sum(one.subscription.holder == holder for one in of_club) >= MOST_OF_A_DEVICE

    def on_saved(self) -> None:
        """Have the numbers read soon, if there are followers, after a save; callable from any thread."""
        if self._loop is not None and self.count:
            with suppress(RuntimeError):  # the loop has ended
                self._loop.call_soon_threadsafe(self._read_now.set)

    def stop(self) -> None:
        """End every stream and let nobody join."""
        self._stopped = True
        for followers in self._by_topic.values():
            for follower in followers:
                follower.woken.set()
        for task in (self._watching, *self._notifying.values()):
            if task is not None:
                task.cancel()

    def close(self) -> None:
        """Wait for the last read to end, before the database is closed; later ones are impossible."""
        self._thread.shutdown(wait=True, cancel_futures=True)

    async def follow(
        self,
        subscription: Subscription,
        receive: Receive,
        send: Send,
        ask_again: AskAgain,
        content: bytes = b"",
    ) -> None:
        """Send ``content``, then news and pings, until the client is gone or the server stops; then end it.

        It also ends if the client loses access.
        """
        with self._joined(subscription) as follower:
            listening = asyncio.ensure_future(_until_gone(follower, receive))
            try:
                await send(_chunk(b"retry: %d\n\n" % COMES_BACK_AFTER + content))
                await self._send_news(follower, send, ask_again)
            finally:
                listening.cancel()
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _send_news(self, follower: _Follower, send: Send, ask_again: AskAgain) -> None:
        clock = asyncio.get_running_loop().time
        while not (follower.gone or self._stopped):
            follower.woken.clear()
            if clock() >= follower.check_at or follower.lacks_entries:
                follower.check_at = clock() + _spread(CHECKED_EVERY)
                answer = await ask_again(follower.sent)
                if answer is None:
                    return
                if follower.wants_entries:
                    await _send_entries(follower, *answer, send)
            if not follower.wants_entries and follower.sent != follower.number:
                follower.sent = follower.number
                await send(_chunk(b"id: %d\ndata: %d\n\n" % (follower.sent, follower.sent)))
            if follower.lacks_entries:
                continue
            try:
                async with asyncio.timeout(PINGS_EVERY):
                    await follower.woken.wait()
            except TimeoutError:
                await send(_chunk(PING))

    @contextmanager
    def _joined(self, subscription: Subscription) -> Iterator[_Follower]:
        follower = _Follower(subscription)
        if self._watching is None:
            self._loop = asyncio.get_running_loop()
            self._watching = self._loop.create_task(self._watch())
        self.count += 1
        for topic in follower.topics:
            self._by_topic[topic].add(follower)
        # Whatever was saved after its access was checked is news, even if it is known already.
        page, log = follower.topics
        event = subscription.security_event
        follower.number = max(follower.number, self._numbers.get(page) or 0)
        if self._numbers.setdefault(log, event) != event:
            follower.check_at = 0.0
        self._read_now.set()
        try:
            yield follower
        finally:
            self.count -= 1
            for topic in follower.topics:
                self._by_topic[topic].discard(follower)
                if not self._by_topic[topic]:
                    del self._by_topic[topic]
                    self._numbers.pop(topic, None)

    async def _watch(self) -> None:
        """Read the revisions of the followed topics after each save and each second, if there are any.

        Every failure is retried: nobody would notice the end of all news.
        """
        failing = False
        while True:
            await self._until_due()
            try:
                await self._read()
            except Exception as error:
                if not failing:
                    _log_failure(error)
                failing = True
                await asyncio.sleep(LOOKS_EVERY)
            else:
                failing = False
                await asyncio.sleep(RESTS)

    async def _until_due(self) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(LOOKS_EVERY):
                await self._read_now.wait()
        if not self._by_topic:
            self._read_now.clear()
            await self._read_now.wait()
        self._read_now.clear()

    async def _read(self) -> None:
        topics = [*self._by_topic]
        sessions = [(club_id, number) for _, club_id, number in topics if number]
        clubs = [club_id for kind, club_id, _ in topics if kind == "log"]
        loop = asyncio.get_running_loop()
        numbers = await loop.run_in_executor(self._thread, self._read_numbers, sessions, clubs)
        self._update(topics, numbers)

    def _update(self, topics: Collection[Topic], numbers: Numbers) -> None:
        """Notify the followers of changed topics; if a log grew or a topic is gone, have access checked."""
        current = {("session", *key): number for key, number in numbers.sessions.items()}
        current |= {("club", club_id, 0): number for club_id, number in numbers.clubs.items()}
        current |= {("log", club_id, 0): last for club_id, last in numbers.security_events.items()}
        for topic in topics:
            number = current.get(topic)
            if topic not in self._by_topic or (
                topic in self._numbers and self._numbers[topic] == number
            ):
                continue
            for follower in self._by_topic[topic]:
                if topic[0] == "log" or number is None:  # its access may have ended, or the topic
                    follower.check_at = 0.0
                else:
                    follower.number = number
            if topic in self._notifying:
                self._notifying[topic].cancel()
            self._notifying[topic] = asyncio.create_task(self._notify(topic))
            self._numbers[topic] = number  # last, so that the next read repeats a failure before

    async def _notify(self, topic: Topic) -> None:
        """Wake the followers of a topic in groups: each requests the page at once."""
        pending = [
            follower
            for follower in sorted(self._by_topic.get(topic, ()), key=lambda one: one.sent)
            if follower.sent != follower.number or not follower.check_at
        ]
        for first in range(0, len(pending), AT_ONCE):
            if first:
                await asyncio.sleep(NEXT_AFTER)
            while self.waiting_requests() > MOST_ASKING:
                await asyncio.sleep(NEXT_AFTER)
            for follower in pending[first : first + AT_ONCE]:
                follower.woken.set()
        del self._notifying[topic]


def _log_failure(error: Exception) -> None:
    """Log that followers get no news; with a traceback if the fault is ours."""
    traceback = None if isinstance(error, Problem | OSError) else error
    _log.error("followers can't be told of news just now: %s", error, exc_info=traceback)


async def _until_gone(follower: _Follower, receive: Receive) -> None:
    """Wait for the end of a connection, then mark its follower as gone and wake it."""
    while (await receive())["type"] != "http.disconnect":
        pass
    follower.gone = True
    follower.woken.set()


async def _send_entries(
    follower: _Follower, content: bytes, subscription: Subscription, send: Send
) -> None:
    """Send a follower its next entries; if they can't be read just now, wait a moment."""
    follower.sent = subscription.last_entry or 0
    follower.number = max(follower.number, subscription.number)
    if follower.lacks_entries and not content:
        await asyncio.sleep(LOOKS_EVERY)
    await send(_chunk(content or PING))


def _chunk(content: bytes) -> Event:
    return {"type": "http.response.body", "body": content, "more_body": True}


def _spread(seconds: float) -> float:
    """Return 60 to 100 % of ``seconds``, at random: followers that join together are checked apart."""
    return seconds * random.uniform(0.6, 1)  # noqa: S311 - spreads work, guards nothing
