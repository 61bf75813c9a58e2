"""Bodies made to take long, and bodies of any shape that chance makes, up to a megabyte, without a token.

`/health` answers all the while, and a scorer saves. Once one body of 120 KB held everybody up for 7 to 12 s.
"""

import http.client
import json
import random
import time
from collections import Counter
from collections.abc import Iterator
from itertools import count as numbers
from pathlib import Path
from threading import Event, Thread
from typing import Any

from ledger.http.failures import MOST_BYTES
from tests.support.server import answering, fork_server, free_port
from tests.trials.rows import Row, count, percentile, seconds
from tests.trials.scorers import Books, acknowledged, kept, made, scoring

ATTACKERS = 2
MADE_UP = {True: 20, False: 200}
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
PATHS = ("/api/v1/score", "/api/v1/clubs", "/enter", "/api/v1/clubs?" + "a" * 2_000)
LETTERS = (
    "a",
    "\u0301",
    "e\u0301\u0316",
    "\ufdfa",
    "\ud800",
    "\0",
    " ",
    "\u202e",
    "٣",
    "🂡",
    '"',
    "\\",
)
KNOWN = (
    "name",
    "passcode",
    "game",
    "players",
    "dealer",
    "auction",
    "tricks",
    "contract",
    "options",
)


def made_up(chance: random.Random) -> bytes:
    """Make up a body of any size up to a megabyte: values in values, the same one often; some cut off."""
    room = int(10 ** chance.uniform(2, 6))
    value = _value(chance, room)
    if chance.random() < 0.7:
        value = dict.fromkeys(chance.sample(KNOWN, chance.randint(1, 4)), value)
    text = json.dumps(value, ensure_ascii=chance.random() < 0.5)
    data = text.encode("utf-8", "surrogatepass")[:MOST_BYTES]
    return data[: chance.randint(1, len(data))] if chance.random() < 0.2 else data


def _value(chance: random.Random, room: int) -> Any:
    """Return a value that takes about so many bytes."""
    many = int(room ** chance.uniform(0, 1)) + 1
    match chance.choice(("text", "number", "few", "list", "object", "deep")):
        case "text":
            return "".join(chance.choices(LETTERS, k=3)) * (room // 6 + 1)
        case "number":
            return [10 ** min(room, 4_000)] * (room // 4_000 + 1)
        case "few":
            return [chance.choice([None, 1, "QC", [], {}])] * (room // 4 + 1)
        case "list":
            return [_value(chance, room // many)] * many
        case "object":
            inner = _value(chance, room // many)
            return {f"{chance.choice(LETTERS)}{each}": inner for each in range(many)}
    inner = _value(chance, room // 2) if room > 100 else 1
    for _ in range(min(many, 300)):
        inner = [inner]
    return inner


class Attacker(Thread):
    """Sends one body after another until stopped."""

    def __init__(self, number: int, port: int, stop: Event, many: int) -> None:
        super().__init__(daemon=True)
        self.number, self.port, self.stop = number, port, stop
        self.answers: Counter[int] = Counter()
        self.times: list[float] = []
        chance = random.Random(number)  # noqa: S311 - no secret
        # Beforehand: making them would take time from the measurement.
        self._bodies = [*BODIES, *(made_up(chance) for _ in range(many))]
        chance.shuffle(self._bodies)

    def run(self) -> None:
        """Send each to an address, which are taken in turn."""
        for turn in numbers():
            if self.stop.is_set():
                return
            data = self._bodies[turn % len(self._bodies)]
            line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
            headers = {"Content-Type": "application/json"}
            begun = time.monotonic()
            line.request("POST", PATHS[turn % len(PATHS)], data, headers)
            answer = line.getresponse()
            answer.read()
            line.close()
            self.times.append(time.monotonic() - begun)
            self.answers[answer.status] += 1


class Probe(Thread):
    """Asks `/health` until stopped; stores the durations."""

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
    attackers = [Attacker(number, port, stop, MADE_UP[short]) for number in range(ATTACKERS)]
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
