"""Bodies made to take long, one after another, without a token: `/health` answers all the while.

And a scorer saves. Once one body of 120 KB held everybody up for 7 to 12 s.
"""

import http.client
import json
import time
from collections import Counter
from collections.abc import Iterator
from itertools import count as numbers
from pathlib import Path
from threading import Event, Thread
from typing import Any

from ledger.http import MOST_BYTES
from tests.support.server import answering, fork_server, free_port
from tests.trials.rows import Row, count, percentile, seconds
from tests.trials.scorers import Books, acknowledged, kept, made, scoring

ATTACKERS = 2
HANDS = {True: 10, False: 100}
SECONDS = {True: 2.0, False: 20.0}
"""How long they go on before a scorer begins to save."""

BODIES: tuple[Any, ...] = (
    json.dumps(dict.fromkeys(map(str, range(60_000)))).encode(),
    json.dumps({"name": "a" + "\u0301" * 60_000, "passcode": "four aces"}).encode(),
    b"[" * 400_000,
    b'{"a":' * 100_000,
    b"[" + b"1," * 400_000 + b"1]",
    b'{"n":' + b"9" * 400_000 + b"}",
    b'{"s":"' + b"\\\\u0301" * 100_000 + b'"}',
)
PATHS = ("/api/v1/score", "/api/v1/clubs", "/enter")


class Attacker(Thread):
    """Sends one body after another until told to stop."""

    def __init__(self, number: int, port: int, stop: Event) -> None:
        super().__init__(daemon=True)
        self.number, self.port, self.stop = number, port, stop
        self.answers: Counter[int] = Counter()
        self.times: list[float] = []

    def run(self) -> None:
        """Send each to each address in turn."""
        for turn in numbers(self.number):
            if self.stop.is_set():
                return
            line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
            headers = {"Content-Type": "application/json"}
            begun = time.monotonic()
            line.request("POST", PATHS[turn % 3], BODIES[turn % len(BODIES)], headers)
            answer = line.getresponse()
            answer.read()
            line.close()
            self.times.append(time.monotonic() - begun)
            self.answers[answer.status] += 1


class Probe(Thread):
    """Asks `/health` until told to stop; keeps how long each took."""

    def __init__(self, port: int, stop: Event) -> None:
        super().__init__(daemon=True)
        self.stop, self.times = stop, list[float]()
        self._line = http.client.HTTPConnection("127.0.0.1", port, timeout=60)

    def run(self) -> None:
        """Ask, wait a moment, ask again."""
        while not self.stop.wait(0.02):
            begun = time.monotonic()
            self._line.request("GET", "/health")
            assert b"ok" in self._line.getresponse().read()
            self.times.append(time.monotonic() - begun)


def rows(folder: Path, short: bool) -> Iterator[Row]:
    """Attack, ask for its health, and let one scorer save."""
    assert max(map(len, BODIES)) <= MOST_BYTES
    books, port, stop = made(f"sqlite:///{folder / 'ledger.sqlite'}"), free_port(), Event()
    server = answering(fork_server(folder, port=port))
    attackers = [Attacker(number, port, stop) for number in range(ATTACKERS)]
    probe = Probe(port, stop)
    try:
        yield from _attacked(attackers, probe, port, books, short)
    finally:
        stop.set()
        server.stop()


def _attacked(
    attackers: list[Attacker], probe: Probe, port: int, books: Books, short: bool
) -> Iterator[Row]:
    for thread in (*attackers, probe):
        thread.start()
    time.sleep(SECONDS[short])
    with scoring(port, books, 1, HANDS[short]) as scorers:
        pass
    probe.stop.set()
    for thread in (*attackers, probe):
        thread.join(60)
    times = [each for attacker in attackers for each in attacker.times]
    answers = sum((attacker.answers for attacker in attackers), Counter[int]())
    yield Row("bodies up to 1 MB", f"{len(times):,}", "some", bool(times))
    yield count(
        "answered by a fault of ours", sum(answers[each] for each in answers if each >= 500)
    )
    yield seconds("the slowest body", max(times), 0.5)
    yield seconds("/health meanwhile, 99 in 100 within", percentile(probe.times, 99), 0.1)
    yield seconds("the slowest /health", max(probe.times), 0.25)
    yield Row("hands of a scorer meanwhile", f"{acknowledged(scorers)}", f"{HANDS[short]}")
    yield seconds("the slowest save", max(scorers[0].times), 1)
    yield from kept(books, scorers)
