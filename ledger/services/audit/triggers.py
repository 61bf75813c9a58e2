"""The guards that keep the books from being changed: each table that only grows has its triggers."""

from sqlalchemy import Connection, text

from ledger.services.audit.lookups import Difference, Shelf

GUARDED = ("journal_entry", "posting", "hand_version")
_VERBS = {"sqlite": ("update", "delete", "replace"), "postgresql": ("change",)}
_CLOSED = "posting_open_account"
_LISTED = {
    "sqlite": "SELECT name FROM sqlite_master WHERE type = 'trigger'",
    "postgresql": "SELECT tgname FROM pg_trigger WHERE NOT tgisinternal AND tgenabled <> 'D'",
}


def check(connection: Connection, shelf: Shelf) -> None:
    """Note each guard that is gone."""
    kind = connection.dialect.name
    guards = {_CLOSED, *(f"{table}_no_{verb}" for table in GUARDED for verb in _VERBS[kind])}
    for guard in sorted(guards - set(connection.execute(text(_LISTED[kind])).scalars())):
        message = "this trigger is missing: entries could be changed"
        shelf.noted.append(Difference("The books", guard, message))
