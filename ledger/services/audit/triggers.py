"""The guards that keep the books from being changed: each table that only grows has its triggers."""

from collections.abc import Iterator

from sqlalchemy import Connection, text

from ledger.services.audit.lookups import Difference

GUARDED = ("journal_entry", "posting", "hand_version")
_GUARDS = {
    "sqlite": {
        f"{table}_no_{verb}" for table in GUARDED for verb in ("update", "delete", "replace")
    },
    "postgresql": {f"{table}_no_change" for table in GUARDED},
}
_CLOSED = "posting_open_account"
_LISTED = {
    "sqlite": "SELECT name FROM sqlite_master WHERE type = 'trigger'",
    "postgresql": "SELECT tgname FROM pg_trigger WHERE NOT tgisinternal AND tgenabled <> 'D'",
}


def check(connection: Connection) -> Iterator[Difference]:
    """Yield each guard that is gone."""
    kind = connection.dialect.name
    there = set(connection.execute(text(_LISTED[kind])).scalars())
    for guard in sorted(({_CLOSED} | _GUARDS[kind]) - there):
        yield Difference("The books", guard, "this trigger is missing: entries could be changed")
