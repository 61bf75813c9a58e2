"""Whether the ledger can do its work: what an operator's probe asks; `/health` asks the process alone."""

import time
from functools import lru_cache

from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from ledger.db import Database
from ledger.migrate import NEWEST
from ledger.problems import Problem

OK = "ok"
INTEGRITY_SECONDS = 60.0
"""How long a look through the whole file counts; each one reads all of it."""

WRITE_WITHIN = 2.0
"""Seconds that a probe waits for its turn to write; who asks waits hardly longer for an answer."""

WRITE_SECONDS = 1.0
"""How long a write counts: anybody may ask, and each one waits for its turn among those who save."""


def states(database: Database) -> dict[str, str]:
    """Return what was tried and how it went: "ok", or what is wrong, for the file, its schema and a write."""
    tried = {"file": _file, "schema": _schema, "integrity": _integrity, "write": _write}
    found: dict[str, str] = {}
    for name, look in tried.items():
        try:
            found[name] = look(database)
        except Problem as problem:
            found[name] = problem.message
        except DBAPIError as error:
            found[name] = str(error.orig)
    return found


def _file(database: Database) -> str:
    return OK if database.same_file else "moved, replaced or deleted while the service ran"


def _schema(database: Database) -> str:
    with database.read() as session:
        revision = session.execute(text("SELECT version_num FROM alembic_version")).scalar_one()
    return OK if revision == NEWEST else f"at {revision}, this program's is {NEWEST}"


def _integrity(database: Database) -> str:
    return _looked_through(database, int(time.monotonic() // INTEGRITY_SECONDS))


@lru_cache(maxsize=2)
def _looked_through(database: Database, _minute: int) -> str:
    if not database.is_sqlite:
        return OK  # PostgreSQL checks its own pages as it reads them
    with database.read() as session:
        said = str(session.execute(text("PRAGMA quick_check(1)")).scalar_one())
    return OK if said == "ok" else "damaged: run solo-ledger verify, and restore a backup"


def _write(database: Database) -> str:
    return _written(database, int(time.monotonic() // WRITE_SECONDS))


@lru_cache(maxsize=2)
def _written(database: Database, _second: int) -> str:
    """Write something that changes nothing, to the disk and through the writers' line."""
    with database.write(within=WRITE_WITHIN) as session:
        if database.is_sqlite:
            version = session.execute(text("PRAGMA user_version")).scalar_one()
            session.execute(text(f"PRAGMA user_version = {int(version)}"))
        else:
            session.execute(text("SELECT pg_current_xact_id()"))
    return OK
