"""Patroni's primary dies, hangs, is cut off or restarts while scorers save: every acknowledged hand is kept.

`FAILOVERS=200 python -m tests.trials cluster` sets how often. It needs the programs that
`.deploy/cluster/README.md` names, and is not tried without them: CI doesn't install them. The failover of a
node that hangs takes 45 seconds, so the short form only crashes and restarts PostgreSQL: about a minute.
"""

import http.client
import json
import os
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from threading import Event, Thread
from typing import Any

from tests.support.server import Server, ServerError, answering, fork_server, free_port
from tests.trials.patroni import FAULTS, LeaseWatch, PatroniCluster, missing, running
from tests.trials.rows import Row, count, seconds
from tests.trials.scorers import Books, Scorer, acknowledged, kept, made, more, scoring, until
from tests.trials.trial_followers import let_in

SECRET = "a secret that all processes were told by a setting"
FAILOVERS = {True: 3, False: int(os.environ.get("FAILOVERS", "12"))}
SHORT_FAULTS = 2
"""The short form uses so many kinds of faults: those that need not wait for the end of the lease."""

SCORERS = 2
"""How many save through each process."""

HANDS = 10
"""How many are saved before each failure, and after it."""

RESUMED_WITHIN = 5.0
"""The seconds from the end of the lease until saves succeed."""


class Processes:
    """Two processes of ours on one database, which the trial kills and starts again."""

    def __init__(self, folder: Path, books: Books) -> None:
        self._folder, self._books = folder, books
        self.ports = [free_port(), free_port()]
        self.servers = [self._begun(0), self._begun(1)]
        self.killed = 0

    def kill(self, number: int) -> None:
        """Kill one."""
        self.servers[number].kill()
        self.killed += 1

    def restart(self, number: int) -> None:
        """Start it until it runs, as a supervisor does: without a primary it ends."""
        for _ in range(10):
            with suppress(ServerError):
                self.servers[number] = self._begun(number)
                return
        raise ServerError("it does not start")

    def stop(self) -> None:
        """Stop both."""
        for server in self.servers:
            server.stop()

    def _begun(self, number: int) -> Server:
        place = self._folder / f"process-{number}"
        place.mkdir(exist_ok=True)
        settings = {
            "LEDGER_SECRET_KEY": SECRET,
            "LEDGER_SIGNING_KEY_FILE": str(self._folder / "signing-key"),
        }
        return answering(
            fork_server(
                place,
                database_url=self._books.url,
                environment=settings,
                port=self.ports[number],
            )
        )


def rows(folder: Path, short: bool) -> Iterator[Row]:
    """Break the primary again and again, and now and then a process of ours."""
    if packages := missing():
        yield Row("not tried: not installed", " ".join(packages))
        return
    with running(folder) as (cluster, url):
        books = made(url)
        processes = Processes(folder, books)
        try:
            yield from _broken(cluster, books, processes, short)
        finally:
            processes.stop()


def _broken(
    cluster: PatroniCluster, books: Books, processes: Processes, short: bool
) -> Iterator[Row]:
    faults = FAULTS[:SHORT_FAULTS] if short else FAULTS
    after_lease: dict[str, list[float]] = defaultdict(list)
    pauses: list[float] = []
    news: list[float] = []
    followers = [
        Follower(port, books, let_in(server, books, SECRET))
        for port, server in zip(processes.ports, processes.servers, strict=True)
    ]
    with (
        scoring(processes.ports[0], books, SCORERS) as here,
        scoring(processes.ports[1], books, SCORERS, first=SCORERS) as there,
    ):
        scorers = [*here, *there]
        readers = [Reader(port, books, scorers) for port in processes.ports]
        for thread in (*followers, *readers):
            thread.start()
        for number in range(FAILOVERS[short]):
            more(scorers, HANDS)
            fault = faults[number % len(faults)]
            node = cluster.primary()
            lease = LeaseWatch(cluster, node.name)
            lease.start()
            began = time.monotonic()
            repair = fault(node)
            if kills := number % 3 == 1:
                processes.kill(number % 2)
            until(lease.has_ended, 120)
            if kills:
                processes.restart(number % 2)
            resumed = _first_after(scorers, lease.ended_at)
            after_lease[fault.__name__].append(resumed - lease.ended_at)
            pauses.append(_pause(scorers, began, resumed))
            for follower in followers:
                until(lambda one=follower, after=resumed: one.last > after)  # type: ignore[misc]
            news.append(time.monotonic() - resumed)
            more(scorers, HANDS)
            repair()
            until(cluster.is_complete, 180)
    for left in (*(each.left for each in followers), *(each.left for each in readers)):
        left.set()
    yield Row("failovers", f"{FAILOVERS[short]}")
    yield Row("processes of ours killed", f"{processes.killed}")
    for name, waits in after_lease.items():
        yield seconds(f"{name}: from the lease's end to a save", max(waits), RESUMED_WITHIN)
    yield Row("the longest pause between saves", f"{max(pauses):.1f} s")
    yield seconds("from that save to every follower's news", max(news), RESUMED_WITHIN)
    yield Row("answers 503", f"{sum(scorer.answers[503] for scorer in scorers):,}")
    reads = sum(reader.reads for reader in readers)
    yield Row("reads", f"{reads:,}", "some", bool(reads))
    yield count("reads of an old state", sum(reader.stale for reader in readers))
    yield from kept(books, scorers)


def _first_after(scorers: list[Scorer], moment: float) -> float:
    """Wait for the first hand acknowledged after a moment; return its time."""

    def times() -> list[float]:
        return [at for each in scorers for at in list(each.acknowledged.values()) if at > moment]

    until(lambda: bool(times()), 120)
    return min(times())


def _pause(scorers: list[Scorer], began: float, end: float) -> float:
    """Return the longest time without an acknowledged hand between these two."""
    times = sorted(at for each in scorers for at in list(each.acknowledged.values()))
    within = [began, *(at for at in times if began < at <= end)]
    return max((later - earlier for earlier, later in pairwise(within)), default=0)


class Follower(Thread):
    """Follows an evening as a page does, again after each interruption; ``last`` is the time of its news."""

    def __init__(self, port: int, books: Books, cookie: str) -> None:
        super().__init__(daemon=True)
        self._port, self._cookie = port, cookie
        self._path = f"/clubs/{books.access.club_id}/sessions/{books.evening}/live"
        self.last, self.left = 0.0, Event()

    def run(self) -> None:
        """Follow until told to leave."""
        while not self.left.is_set():
            with suppress(OSError, http.client.HTTPException):
                line = http.client.HTTPConnection("127.0.0.1", self._port, timeout=60)
                line.request("GET", self._path, headers={"Cookie": self._cookie})
                stream = line.getresponse()
                while stream.status == 200 and (text := stream.readline()):
                    if text.startswith(b"data: "):
                        self.last = time.monotonic()
            time.sleep(1)


class Reader(Thread):
    """Reads the session again and again; counts reads that lack a hand acknowledged before they began."""

    def __init__(self, port: int, books: Books, scorers: list[Scorer]) -> None:
        super().__init__(daemon=True)
        self._port, self._books, self._scorers = port, books, scorers
        self.reads = self.stale = 0
        self.left = Event()

    def run(self) -> None:
        """Read until told to leave."""
        while not self.left.is_set():
            saved = acknowledged(self._scorers)
            with suppress(OSError, http.client.HTTPException):
                if (session := self._session()) is not None:
                    self.reads += 1
                    self.stale += session["hands_dealt"] < saved
            time.sleep(0.05)

    def _session(self) -> Any:
        line = http.client.HTTPConnection("127.0.0.1", self._port, timeout=20)
        try:
            path = f"/api/v1/sessions/{self._books.evening}"
            line.request("GET", path, headers={"Authorization": f"Bearer {self._books.token}"})
            answer = line.getresponse()
            content = answer.read()
            return json.loads(content) if answer.status == 200 else None
        finally:
            line.close()
