"""A process that upgrades a ledger is killed at any moment: its revision is the old one or the new one.

Run on SQLite and on PostgreSQL, from the last revision with ids of the whole installation: the upgrade
rebuilds every table of the clubs' rows. Whichever revision a kill leaves, no row has
changed in the columns that both revisions have.
"""

import hashlib
import random
import time
from collections.abc import Iterator
from contextlib import closing
from multiprocessing import get_context
from multiprocessing.process import BaseProcess
from pathlib import Path

from sqlalchemy import inspect, text

from ledger.books.transactions import Database
from ledger.database import revisions
from ledger.database.revisions import NEWEST
from ledger.keeping import migrate
from ledger.services.audit import verify
from tests.benchmarks.filling import Filler, found
from tests.support.postgres import running_cluster
from tests.trials.rows import Row, count
from tests.trials.trial_postgres import KEPT, migrate_at

BEFORE, HANDS = "0027", 500
KILLS = {True: 4, False: 100}
_TABLES = ("player", "hand", "account", "journal_entry", "posting", "hand_version", "result")
_processes = get_context("fork")  # all modules are imported already


def rows(folder: Path, short: bool) -> Iterator[Row]:
    """Kill the upgrade of either database."""
    url = f"sqlite:///{folder / 'ledger.sqlite'}"
    migrate_at(url)
    yield from _killed("SQLite", url, KILLS[short])
    with running_cluster(KEPT if KEPT.is_dir() else folder, migrate_at) as cluster:
        yield from _killed("PostgreSQL", cluster.migrated(), KILLS[short])


def _killed(name: str, url: str, kills: int) -> Iterator[Row]:
    with closing(Database(url)) as database:
        Filler(database, found(database, "Club of long standing")).fill(HANDS)
        complete = _content(database, newest := _columns(database))
        took = _time_to_migrate(database)
        migrate.downgrade(database, BEFORE)
        kept = _common(newest, _columns(database))
        before = _content(database, kept)
        chance = random.Random("when to kill")  # noqa: S311 - no secret
        old = new = others = changed = 0
        for _ in range(kills):
            migrate.downgrade(database, BEFORE)
            database.close()
            life = _begin(url)
            time.sleep(chance.uniform(0, 1.2 * took))
            life.kill()
            life.join()
            at = revisions.at(database)
            old, new = old + (at == BEFORE), new + (at == NEWEST)
            others += at not in (BEFORE, NEWEST)
            changed += _content(database, kept) != before
            migrate.upgrade(database)
        yield Row(f"kills of an upgrade of {took:.1f} s on {name}", str(kills))
        yield Row("at the old revision after it", str(old), "some", old > 0)
        yield Row("at the new one", str(new))
        yield count("at another one", others)
        yield count("with a row changed", changed)
        yield count("with a row changed by going on", int(_content(database, newest) != complete))
        yield count("differences that verify finds at the end", len(list(verify(database))))


def _time_to_migrate(database: Database) -> float:
    """Return the seconds that an upgrade takes in a process of its own."""
    migrate.downgrade(database, BEFORE)
    database.close()
    began = time.monotonic()
    _begin(str(database.url.render_as_string(hide_password=False))).join()
    return time.monotonic() - began


def _begin(url: str) -> BaseProcess:
    life = _processes.Process(target=migrate_at, args=(url,))
    life.start()
    return life


def _columns(database: Database) -> dict[str, list[str]]:
    """Return the names of the compared tables' columns at the database's revision, sorted."""
    inspector = inspect(database.engine)
    return {table: sorted(c["name"] for c in inspector.get_columns(table)) for table in _TABLES}


def _common(newer: dict[str, list[str]], older: dict[str, list[str]]) -> dict[str, list[str]]:
    """Return the columns that both revisions have."""
    return {table: sorted({*newer[table]} & {*older[table]}) for table in _TABLES}


def _content(database: Database, columns: dict[str, list[str]]) -> str:
    """Return the digest of these columns of all rows of players, hands and the journal."""
    content = hashlib.sha256()
    with database.engine.connect() as connection:
        for table, names in columns.items():
            query = text(f"SELECT {', '.join(names)} FROM {table} ORDER BY club_id, id")
            for row in connection.execute(query):
                content.update(repr(tuple(row)).encode())
    return content.hexdigest()
