"""Stopped while pages follow and answers are under way: all comes to its end, the books are put away.

Followers' streams end at once and answers go out. A client that reads nothing holds the stop up for
less than the ten seconds after which a container is killed.
"""

import signal
import socket
import sqlite3
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

from ledger.server.protocol import MOST_IN_LINE
from tests.ledger.server.test_serving import head
from tests.support.server import Server, answering, fork_server, free_port
from tests.trials.rows import Row, count, seconds
from tests.trials.scorers import Scorer, kept, made, many_connections, more, scoring
from tests.trials.trial_followers import Crowd, devices, room_for, wait

FOLLOWERS = {True: 50, False: 1_000}
SCORERS = 6
HANDS = 20
DEAF = 5
"""How many ask for large pages and read nothing."""
ROUNDS = 3
"""So often do they ask for as many as they may: more than the system keeps for one connection."""


def rows(folder: Path, short: bool) -> Iterator[Row]:
    """Stop it among followers and scorers; then among clients that read nothing."""
    with many_connections():
        yield from _among_followers(folder, FOLLOWERS[short])
        if not short:  # nothing happens in all these seconds
            yield from _among_the_deaf(folder)


def _among_followers(folder: Path, many: int) -> Iterator[Row]:
    file = folder / "ledger.sqlite"
    books, port = made(f"sqlite:///{file}"), free_port()
    server = answering(fork_server(folder, port=port, environment=room_for(many)))
    evening = f"/clubs/{books.access.club_id}/sessions/{books.evening}"
    crowd = Crowd(server, evening, devices(server, books, many), many)
    crowd.start()
    try:
        wait(crowd, "told", many)
        with scoring(port, books, SCORERS) as scorers:
            more(scorers, HANDS)
            took = _stopped(server)
            left = file.with_name("ledger.sqlite-wal").exists()
            for scorer in scorers:
                scorer.stop.set()
    finally:
        crowd.left.set()
        crowd.join(30)
        server.stop()
    yield Row("followers and scorers", f"{many:,} and {SCORERS}")
    yield seconds("told to stop, until it has", took, 2)
    yield count("answers that were cut off", sum(_cut_off(scorer) for scorer in scorers))
    yield count("logs left beside the books", left)
    yield from kept(books, scorers)


def _cut_off(scorer: Scorer) -> int:
    """Count the saves without an answer to their scorer: at most its last hand can be one."""
    with closing(sqlite3.connect(scorer.books.url.removeprefix("sqlite:///"))) as books:
        found = {
            note
            for (note,) in books.execute("SELECT json_extract(record, '$.note') FROM hand_version")
        }
    own = {note for note in found if str(note).startswith(f"scorer-{scorer.number}-")}
    return len(own - scorer.acknowledged.keys())


def _among_the_deaf(folder: Path) -> Iterator[Row]:
    port = free_port()
    server = answering(fork_server(folder, port=port))
    asked = head("GET", "/api/v1/openapi.json") * MOST_IN_LINE
    open_lines: list[socket.socket] = []
    try:
        with ExitStack() as open_ones:
            for _ in range(DEAF):
                line = open_ones.enter_context(socket.socket())
                line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
                line.connect(("127.0.0.1", port))
                open_lines.append(line)
            for line in open_lines * ROUNDS:
                line.sendall(asked)
                time.sleep(0.2)
            took = _stopped(server)
    finally:
        server.stop()
    yield Row("who read nothing of what they asked for", f"{DEAF}")
    yield seconds("told to stop, until it has", took, 10)
    yield count("logs left beside the books", (folder / "ledger.sqlite-wal").exists())


def _stopped(server: Server) -> float:
    began = time.monotonic()
    server.process.send_signal(signal.SIGTERM)
    server.process.wait(60)
    return time.monotonic() - began
