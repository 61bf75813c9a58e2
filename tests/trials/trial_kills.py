"""The service is killed again and again while clients write: each acknowledged hand is there, once.

Like `tests/ledger/books/test_crash.py`, which does it thirty times, but as often as you like.
"""

import random
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from threading import Event

from ledger.books.transactions import Database
from ledger.services.audit import verify
from tests.ledger.books.test_crash import (
    CLIENTS,
    Books,
    Client,
    wait_for_a_write,
    wait_for_an_answer,
)
from tests.ledger.books.test_crash import written as found_in
from tests.support.server import fork_server, free_port
from tests.trials.rows import Row, count
from tests.trials.scorers import made

KILLS = {True: 10, False: 200}


def rows(folder: Path, short: bool) -> Iterator[Row]:
    """Kill at any moment, half of the times just as the database's log was written to."""
    file = folder / "ledger.sqlite"
    own = made(f"sqlite:///{file}")
    books, port, stop = Books(folder, own.token, (own.evening, own.evening)), free_port(), Event()
    clients = [Client(number, port, books, stop) for number in range(CLIENTS)]
    for client in clients:
        client.start()
    chance = random.Random("when to kill")  # noqa: S311 - no secret
    for _ in range(KILLS[short]):
        life = fork_server(folder, port=port)
        wait_for_an_answer(clients)
        time.sleep(chance.uniform(0, 0.2))
        if chance.random() < 0.5:
            wait_for_a_write(file.with_name(f"{file.name}-wal"))
        life.kill()
    life = fork_server(folder, port=port)
    stop.set()
    for client in clients:
        client.join(120)
    life.kill()
    there = Counter(key for key, *_ in found_in(file))
    told = {key for client in clients for key in client.acknowledged}
    failures = [str(client.failure) for client in clients if client.failure]
    yield Row("kills", str(KILLS[short]))
    yield Row("answers cut off by them", str(sum(client.cut_off for client in clients)))
    yield Row("writes acknowledged", f"{len(told):,}", "some", bool(told))
    yield count("of these lost", len(told - there.keys()))
    yield count("saved twice", sum(times > 1 for times in there.values()))
    yield Row("failures of clients", failures[0] if failures else "0", "0", not failures)
    database = Database(own.url)
    yield count("differences that verify finds", len(list(verify(database))))
    database.close()
