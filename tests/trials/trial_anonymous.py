"""Strangers send bodies that never end, and have hands scored; a scorer saves all the while."""

import asyncio
import json
import multiprocessing
import re
import time
from collections import Counter
from collections.abc import Iterator
from multiprocessing.connection import Connection
from pathlib import Path

from ledger.http.failures import MOST_BYTES
from tests.ledger import table
from tests.ledger.server.test_serving import head
from tests.support.server import Server, answering, fork_server, free_port
from tests.trials.rows import Row, count, percentile
from tests.trials.scorers import Books, Scorer, acknowledged, kept, made, many_connections, scoring

BODIES = {True: 100, False: 800}
CLIENTS = {True: 100, False: 450}
HANDS = {True: 5, False: 60}
MOST_MEGABYTES = 200
MOST_SECONDS = 0.3

UNENDED = b"x" * (MOST_BYTES - 1_000)
RECORD = json.dumps(
    {
        "format": 1,
        "game": "crazy-solo",
        "players": list(table.SEVEN),
        "dealer": table.SEVEN[-1],
        **table.HEARTS_74,
    }
).encode()


def rows(folder: Path, short: bool) -> Iterator[Row]:
    """Send the bodies to one service, and have hands scored by another."""
    with many_connections():
        for name, trial in (("bodies", _bodies), ("scoring", _scored)):
            place = folder / name
            place.mkdir()
            books, port = made(f"sqlite:///{place / 'ledger.sqlite'}"), free_port()
            server = answering(fork_server(place, port=port))
            try:
                yield from trial(server, port, books, short)
            finally:
                server.stop()


def _bodies(server: Server, port: int, books: Books, short: bool) -> Iterator[Row]:
    """Measure the service's memory while many bodies of 1 MB wait for their last bytes."""
    many = BODIES[short]
    with scoring(port, books, 1, 3):
        pass
    before = megabytes(server)
    answers, during, scorers = asyncio.run(_unended(server, port, many, books))
    yield Row("memory before", f"{before:.0f} MB")
    aim = f"{MOST_MEGABYTES} MB"
    yield Row(
        f"with {many} unended bodies of 1 MB", f"{during:.0f} MB", aim, during <= MOST_MEGABYTES
    )
    yield Row("of these were answered 429 or 503", f"{answers[429] + answers[503]}")
    yield Row("hands saved meanwhile", f"{acknowledged(scorers)}", "3", acknowledged(scorers) == 3)


async def _unended(
    server: Server, port: int, many: int, books: Books
) -> tuple[Counter[int], float, list[Scorer]]:
    """Return the bodies' answers, the most memory in megabytes, and the scorers."""
    start = head("POST", "/api/v1/score", MOST_BYTES)
    answers: Counter[int] = Counter()

    async def send() -> None:
        reading, out = await asyncio.open_connection("127.0.0.1", port)
        try:
            out.write(start + UNENDED)
            answers[int((await reading.readline()).split()[1])] += 1
            await asyncio.Event().wait()
        except (OSError, IndexError):  # hung up on while it was still sending
            answers[0] += 1
        finally:
            out.close()

    tasks = [asyncio.create_task(send()) for _ in range(many)]
    most, until = 0.0, time.monotonic() + 8
    while time.monotonic() < until:
        await asyncio.sleep(0.2)
        most = max(most, megabytes(server))

    def save() -> list[Scorer]:
        with scoring(port, books, 1, 3, first=10) as scorers:
            pass
        return scorers

    scorers = await asyncio.to_thread(save)
    for task in tasks:
        task.cancel()
    return answers, most, scorers


def _scored(_server: Server, port: int, books: Books, short: bool) -> Iterator[Row]:
    """Measure saves without strangers, and while many of them have a hand scored again and again."""
    with scoring(port, books, 1, HANDS[short]) as alone:
        pass
    ours, theirs = multiprocessing.Pipe()
    many = CLIENTS[short]
    crowd = multiprocessing.Process(target=_crowd, args=(port, many, theirs), daemon=True)
    crowd.start()
    time.sleep(3)
    with scoring(port, books, 1, HANDS[short], first=1) as among:
        pass
    ours.send("stop")
    answers: Counter[int] = ours.recv()
    crowd.join(30)
    for share in (50, 99):
        without, took = (percentile(each[0].times, share) for each in (alone, among))
        yield Row(f"a save, {share} in 100, without them", f"{without:.3f} s")
        most = f"{MOST_SECONDS:g} s"
        what = f"a save, {share} in 100, while {many} have hands scored"
        yield Row(what, f"{took:.3f} s", most, took <= MOST_SECONDS, timed=True)
    yield Row("hands scored meanwhile", f"{answers[200]:,}", "some", bool(answers[200]))
    yield Row("told to come again", f"{answers[503]:,}")
    yield count("answered otherwise", sum(answers.values()) - answers[200] - answers[503])
    yield from kept(books, [*alone, *among])


def _crowd(port: int, many: int, line: Connection) -> None:
    """Have one hand scored by many clients, again and again, until the line has a message."""
    line.send(asyncio.run(_asking(port, many, line)))


async def _asking(port: int, many: int, line: Connection) -> Counter[int]:
    request = head("POST", "/api/v1/score", len(RECORD)) + RECORD
    answers: Counter[int] = Counter()

    async def one() -> None:
        while True:
            reading, out = await asyncio.open_connection("127.0.0.1", port)
            try:
                while True:
                    out.write(request)
                    said = await reading.readuntil(b"\r\n\r\n")
                    found = re.search(rb"content-length: (\d+)", said, re.IGNORECASE)
                    assert found
                    await reading.readexactly(int(found[1]))
                    answers[int(said.split()[1])] += 1
                    if b"connection: close" in said.lower():
                        break
            except (OSError, asyncio.IncompleteReadError):
                await asyncio.sleep(0.1)
            finally:
                out.close()

    tasks = [asyncio.create_task(one()) for _ in range(many)]
    while not line.poll():
        await asyncio.sleep(0.05)
    for task in tasks:
        task.cancel()
    return answers


def megabytes(server: Server) -> float:
    """Return the service's memory."""
    said = Path(f"/proc/{server.process.pid}/status").read_text()
    found = re.search(r"VmRSS:\s+(\d+)", said)
    assert found
    return int(found[1]) / 1024
