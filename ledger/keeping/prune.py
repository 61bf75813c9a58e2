"""Forgetting old answers, and giving the room they took back to the disk.

Each write keeps its answer, so that sending it again writes nothing twice. Nobody sends again after weeks.
All is done in steps so short that who saves meanwhile waits for a moment at most.
"""

import time
from datetime import timedelta
from typing import NamedTuple

from sqlalchemy import bindparam, select, text

from ledger.books.transactions import Database
from ledger.database.models import metadata
from ledger.runtime.clock import now

_ANSWERS = metadata.tables["written_answer"]
_AT_ONCE = 200
"""How many answers, or pages of the file, one step takes."""
_PAUSE = 0.05
"""Seconds between two steps, in which those who wait get their turn."""
_INCREMENTAL = 2


class Pruned(NamedTuple):
    """How many answers were forgotten, and by how many bytes the ledger has shrunk.

    ``inside`` are bytes of the file that are free for what is saved next, but not the disk's.
    """

    answers: int
    given_back: int
    inside: int


def prune(database: Database, days: int, *, rewrite: bool = False) -> Pruned:
    """Forget the answers that are older than so many days.

    A file that an earlier version made can't shrink in steps: ``rewrite`` writes it again once, and who saves
    meanwhile waits until that is done; from then on it can.
    """
    answers = _forget(database, days)
    if database.is_sqlite:
        return Pruned(answers, *_shrink(database, rewrite=rewrite))
    with database.engine.connect() as connection:
        connection.execution_options(isolation_level="AUTOCOMMIT")
        before = connection.scalar(_ROOM)
        connection.execute(text("VACUUM written_answer"))
        return Pruned(answers, int(before) - int(connection.scalar(_ROOM)), 0)


_ROOM = text("SELECT pg_total_relation_size('written_answer')")


def _forget(database: Database, days: int) -> int:
    old = _ANSWERS.c.created_at < now() - timedelta(days=days)
    with database.read() as session:
        ids = list(session.connection().scalars(select(_ANSWERS.c.id).where(old)))
    some = _ANSWERS.delete().where(_ANSWERS.c.id.in_(bindparam("some", expanding=True)))
    for start in range(0, len(ids), _AT_ONCE):
        with database.write() as session:
            session.connection().execute(some, {"some": ids[start : start + _AT_ONCE]})
        time.sleep(_PAUSE)
    return len(ids)


def _shrink(database: Database, *, rewrite: bool) -> tuple[int, int]:
    """Give the free pages of a file back; return the bytes that went, and those that are left in it."""
    with database.engine.connect() as connection:
        raw = connection.connection.driver_connection
        assert raw is not None  # none of this may be in a transaction

        def number(pragma: str) -> int:
            return int(raw.execute(f"PRAGMA {pragma}").fetchone()[0])

        before = number("page_count")
        if rewrite and number("auto_vacuum") != _INCREMENTAL:
            raw.execute("PRAGMA auto_vacuum = INCREMENTAL")
            raw.execute("VACUUM")
        while number("auto_vacuum") == _INCREMENTAL and number("freelist_count"):
            # As a script: a statement without columns is stepped once otherwise, and frees one page.
            raw.executescript(f"PRAGMA incremental_vacuum({_AT_ONCE})")
            time.sleep(_PAUSE)
        raw.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
        page = number("page_size")
        return (before - number("page_count")) * page, number("freelist_count") * page
