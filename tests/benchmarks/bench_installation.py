"""Many clubs on one PostgreSQL: plans and times of every page's statements, bytes per hand, saves per second.

Run: python -m tests.benchmarks installation
``LEDGER_BENCH_CLUBS`` and ``LEDGER_BENCH_HANDS`` set the number of clubs, of 100 hands each, and the hands of
the largest club. Its pages and those of a club in the middle are opened. No statement may read the rows of
other clubs or take 20 ms, with the values of its parameters or with PostgreSQL's generic plan; it is printed.
Saves are those of several processes at once, in one club or each in its own, with both databases syncing.
"""

import multiprocessing
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, closing
from multiprocessing.synchronize import Barrier
from pathlib import Path
from queue import Queue
from time import perf_counter
from typing import NamedTuple

import psycopg
from sqlalchemy import text

from ledger.books.transactions import Database
from ledger.database.access import Access, Role
from ledger.keeping import migrate
from ledger.runtime.config import Settings
from ledger.server.app import create_app
from ledger.services.common.writing import Write
from ledger.services.hands import record
from tests.benchmarks.filling import Filler, found
from tests.benchmarks.rows import Row
from tests.ledger import table
from tests.ledger.evenings import CardClub
from tests.ledger.installation import KINDS_OF_PLANS, OWNED, Pages, furnish, multiply
from tests.support.postgres import running_cluster
from tests.trials.trial_postgres import KEPT, migrate_at

CLUBS = int(os.environ.get("LEDGER_BENCH_CLUBS", "1000"))
HANDS = int(os.environ.get("LEDGER_BENCH_HANDS", "3000"))
HANDS_OF_OTHERS, HANDS_ON_SQLITE = 100, 3_000
MOST_MILLISECONDS, LOOKS = 20, 3
PROCESSES, SECONDS = (1, 2, 4), 3


class Slowest(NamedTuple):
    """The slowest statement of a club's pages, and the statements that read the rows of others."""

    milliseconds: float
    page: str
    sql: str
    whole_tables: list[str]
    number: int


def look(pages: Pages) -> Slowest:
    """Open all pages of a club, and have PostgreSQL explain their statements."""
    first = {
        each.text: (each, name)
        for name, address in pages.addresses.items()
        for each in pages.statements(address)
        if each.is_planned
    }
    times: list[tuple[float, str, str]] = []
    whole: dict[str, None] = {}
    with pages.club.db.engine.connect() as connection:
        raw = connection.connection.driver_connection
        assert isinstance(raw, psycopg.Connection)
        for statement, name in first.values():
            for kind in KINDS_OF_PLANS:
                plans = [statement.plan(raw, kind) for _ in range(LOOKS)]
                for part in plans[0].whole_tables:
                    whole[f"{name}: {part}: {statement.text}"] = None
                took = min(plan.milliseconds or 0 for plan in plans)
                times.append((took, name, statement.text))
    return Slowest(*max(times), list(whole), len(first))


def bytes_per_hand(database: Database, hands: int) -> float:
    """Return the bytes of the clubs' tables with their indexes on PostgreSQL, or of the file, per hand."""
    with database.engine.connect() as connection:
        if database.is_sqlite:
            connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
            return Path(str(database.url.database)).stat().st_size / hands
        sizes = text(
            "SELECT sum(pg_total_relation_size(oid)) FROM pg_class WHERE relname = ANY(:names)"
        )
        return float(connection.scalar(sizes, {"names": sorted(OWNED)})) / hands


def save(url: str, club_id: int, evening: int, start: Barrier, saved: "Queue[int]") -> None:
    """Save hands for some seconds, beginning with the other processes; put their number into a queue."""
    database, access = Database(url), Access(club_id, Role.OWNER, "Sue")
    number = 0

    def save_one() -> None:
        write = Write(database, access, f"hand {number} of process {os.getpid()}")
        record.record(write, evening, table.HEARTS_74)

    save_one()
    start.wait()
    end = perf_counter() + SECONDS
    while perf_counter() < end:
        number += 1
        save_one()
    saved.put(number)


def saves_per_second(database: Database, evenings: list[tuple[int, int]]) -> float:
    """Return the saves per second of a process for each club and evening."""
    url = database.url.render_as_string(hide_password=False)
    spawning = multiprocessing.get_context("spawn")
    start, saved = spawning.Barrier(len(evenings)), spawning.Queue()
    processes = [
        spawning.Process(target=save, args=(url, *evening, start, saved)) for evening in evenings
    ]
    for process in processes:
        process.start()
    total: int = sum(saved.get() for _ in processes)
    for process in processes:
        process.join()
    return total / SECONDS


def of_saves(on_postgres: Database, on_sqlite: Database) -> Iterator[Row]:
    """Compare the saves of several processes on both databases, in turns."""
    evenings = {}
    for database in (on_postgres, on_sqlite):
        accesses = [found(database, f"Club of saves {number}") for number in range(max(PROCESSES))]
        each = [(access.club_id, table.start(database, access)) for access in accesses]
        one = [(each[0][0], table.start(database, accesses[0])) for _ in accesses]
        evenings[database] = {"one club": one, "each its own": each}
    for where in ("one club", "each its own"):
        for number in PROCESSES:
            ours, reference = (
                saves_per_second(database, evenings[database][where][:number])
                for database in (on_postgres, on_sqlite)
            )
            label = f"saves per second of {number} processes, {where}, relative to SQLite"
            yield Row(label, f"{ours:.0f}", f"{reference:.0f}", ours / reference)


def of_pages(pages: Pages, club: str) -> Iterator[Row]:
    """Compare a club's statements with the targets."""
    slowest = look(pages)
    for line in slowest.whole_tables:
        print(" ".join(line.split()), file=sys.stderr)
    others = len(slowest.whole_tables)
    label = (
        f"{club}: of {slowest.number} statements of {len(pages.addresses)} pages, read others' rows"
    )
    yield Row(label, str(others), "0", float(not others), 1)
    label = f"{club}: slowest statement ({slowest.page}), relative to the target"
    ours, target = f"{slowest.milliseconds:.1f} ms", f"{MOST_MILLISECONDS} ms"
    yield Row(label, ours, target, MOST_MILLISECONDS / slowest.milliseconds, 1)
    if slowest.milliseconds > MOST_MILLISECONDS:
        print(" ".join(slowest.sql.split()), file=sys.stderr)


def filled(database: Database, name: str, hands: int) -> CardClub:
    """Return a new club with so many hands."""
    club = CardClub(database, found(database, name))
    Filler(database, club.access).fill(hands)
    return club


def rows() -> Iterator[Row]:
    """Build the installation and measure it."""
    with tempfile.TemporaryDirectory() as place, ExitStack() as stack:
        folder = Path(place)
        cluster = stack.enter_context(
            running_cluster(KEPT if KEPT.is_dir() else folder, migrate_at)
        )
        url = cluster.migrated()
        database = stack.enter_context(closing(Database(url)))
        on_sqlite = stack.enter_context(closing(Database(f"sqlite:///{folder / 'ledger.sqlite'}")))
        migrate.upgrade(on_sqlite)
        filled(on_sqlite, "The same hands", HANDS_ON_SQLITE)
        large = filled(database, "The largest", HANDS)
        ours = bytes_per_hand(database, HANDS)
        reference = bytes_per_hand(on_sqlite, HANDS_ON_SQLITE)
        label = "bytes per hand with all indexes, relative to SQLite"
        yield Row(label, f"{ours:,.0f}", f"{reference:,.0f}", reference / ours)
        of_large = furnish(large)
        small = filled(database, "One of many", HANDS_OF_OTHERS)
        of_small = furnish(small)
        multiply(database, small.access.club_id, CLUBS)
        middle = CardClub(database, Access(CLUBS // 2, Role.OWNER, "Sue"))
        app = create_app(Settings(url, folder, table.SECRET), database)
        yield from of_pages(Pages(app, middle, of_small), f"one of {CLUBS:,} clubs")
        yield from of_pages(Pages(app, large, of_large), f"the club of {HANDS:,} hands")
        with database.engine.connect() as connection:
            connection.execution_options(isolation_level="AUTOCOMMIT")
            connection.execute(text("ALTER SYSTEM SET fsync = on"))
            connection.execute(text("SELECT pg_reload_conf()"))
            connection.execute(text("CHECKPOINT"))
        yield from of_saves(database, on_sqlite)
