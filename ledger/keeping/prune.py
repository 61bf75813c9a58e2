"""Deleting old stored responses, and returning their space to the disk.

Each write's response is stored, so that a retry writes nothing twice. Nobody retries after weeks. Everything
is done in short steps, so that writers wait for a moment at most.
"""

import time
from datetime import timedelta
from typing import NamedTuple

from sqlalchemy import bindparam, select, text, tuple_

from ledger.books.transactions import Database
from ledger.database.models import metadata
from ledger.runtime.clock import now

_RESPONSES = metadata.tables["written_answer"]
_KEY = _RESPONSES.c.club_id, _RESPONSES.c.id
_PER_STEP = 200
"""The number of responses, or pages of the file, per step."""
_PAUSE = 0.05
"""The seconds between two steps, for waiting writers."""
_INCREMENTAL = 2


class Pruned(NamedTuple):
    """The number of deleted responses, and the bytes returned to the disk.

    ``inside`` are bytes in the file that are free for later writes only.
    """

    answers: int
    given_back: int
    inside: int


def prune(database: Database, days: int, *, rewrite: bool = False) -> Pruned:
    """Delete the responses older than ``days``, and return their space to the disk as far as possible.

    A file created by an earlier version can't shrink in steps: ``rewrite`` rewrites it once, while writers
    wait, and from then on it can.
    """
    answers = _delete_old(database, days)
    if database.is_sqlite:
        return Pruned(answers, *_shrink(database, rewrite=rewrite))
    with database.engine.connect() as connection:
        connection.execution_options(isolation_level="AUTOCOMMIT")
        before = connection.scalar(_SIZE)
        connection.execute(text("VACUUM written_answer"))
        return Pruned(answers, int(before) - int(connection.scalar(_SIZE)), 0)


_SIZE = text("SELECT pg_total_relation_size('written_answer')")


def _delete_old(database: Database, days: int) -> int:
    old = _RESPONSES.c.created_at < now() - timedelta(days=days)
    with database.read() as session:
        keys = session.connection().execute(select(*_KEY).where(old)).all()
    delete = _RESPONSES.delete().where(tuple_(*_KEY).in_(bindparam("keys", expanding=True)))
    for start in range(0, len(keys), _PER_STEP):
        with database.write() as session:
            step = [tuple(key) for key in keys[start : start + _PER_STEP]]
            session.connection().execute(delete, {"keys": step})
        time.sleep(_PAUSE)
    return len(keys)


def _shrink(database: Database, *, rewrite: bool) -> tuple[int, int]:
    """Return a file's free pages to the disk; return the bytes returned, and those still free inside."""
    with database.engine.connect() as connection:
        raw = connection.connection.driver_connection
        assert raw is not None  # none of this may run in a transaction

        def number(pragma: str) -> int:
            return int(raw.execute(f"PRAGMA {pragma}").fetchone()[0])

        before = number("page_count")
        if rewrite and number("auto_vacuum") != _INCREMENTAL:
            raw.execute("PRAGMA auto_vacuum = INCREMENTAL")
            raw.execute("VACUUM")
        while number("auto_vacuum") == _INCREMENTAL and number("freelist_count"):
            # As a script: execute() steps a statement without columns once, which frees one page.
            raw.executescript(f"PRAGMA incremental_vacuum({_PER_STEP})")
            time.sleep(_PAUSE)
        raw.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
        page = number("page_size")
        return (before - number("page_count")) * page, number("freelist_count") * page
