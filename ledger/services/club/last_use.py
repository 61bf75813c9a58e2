"""When a device or token was last used: noted once an hour, and never while somebody waits for it.

It is written by a thread of its own once the request that noticed has gone on: who reads waits for no writer,
and what asks for news all evening writes nothing but that. What can't be written is not missed.
"""

from datetime import datetime, timedelta
from threading import Lock, Thread
from typing import Any

from sqlalchemy import bindparam
from sqlmodel import col, update

from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.database.models import ApiToken, Device
from ledger.database.scope import Change, OutOfScope, Scope, narrow
from ledger.runtime.clock import now
from ledger.words.problems import Problem

EVERY = timedelta(hours=1)
THREAD = "last use"
_MOST_NOTED = 10_000
_noted: dict[tuple[str, int, str], datetime] = {}
_lock = Lock()

_row: Any = bindparam("row")
_CHANGES = {
    "device": Change(
        update(Device)
        .where(col(Device.id) == _row)
        .values(last_used_at=bindparam("at"), network=bindparam("network"))
    ),
    "token": Change(
        update(ApiToken).where(col(ApiToken.id) == _row).values(last_used_at=bindparam("at"))
    ),
}


def note(db: Database, access: Access, network: str) -> Access:
    """Note that whoever has ``access`` uses it, if that was not noted within the hour."""
    at = now()
    if access.holder and _is_due(access.used_at, at):
        key = (str(db.url), access.club_id, access.holder)
        with _lock:
            due = _is_due(_noted.get(key), at)
            if due and len(_noted) >= _MOST_NOTED:
                _noted.clear()
            if due:
                _noted[key] = at
        if due:
            Thread(target=_write, args=(db, access, at, network), name=THREAD, daemon=True).start()
    return access


def _is_due(noted: datetime | None, at: datetime) -> bool:
    """Return whether the last note is an hour old, or was made by a clock that was an hour ahead."""
    return noted is None or abs(at - noted) >= EVERY


def _write(db: Database, access: Access, at: datetime, network: str) -> None:
    kind, _, number = access.holder.partition(" ")
    given = {"row": int(number), "at": at}
    if kind == "device":
        given["network"] = network
    try:
        with db.write() as session:
            narrow(session, Scope(access.club_id))
            session.change(_CHANGES[kind], given)
    except (Problem, OutOfScope):  # busy, out of reach, or gone meanwhile
        return
