"""The time of last use of devices and tokens, written at most once an hour.

A separate thread writes it, so that no reader waits for a writer. A failed write is ignored.
"""

from datetime import datetime, timedelta
from threading import Lock, Thread
from typing import Any

from sqlalchemy import bindparam
from sqlmodel import col, update

from ledger.books.transactions import Database
from ledger.database.access import Access
from ledger.database.models import ApiToken, Device
from ledger.database.narrowing import OutOfScope, Scope
from ledger.database.scope import Change, narrow
from ledger.runtime.clock import now
from ledger.words.problems import Problem

INTERVAL = timedelta(hours=1)
THREAD = "last use"
_MOST_NOTED = 10_000


class _Noted:
    """The uses noted within the hour, so that only the first of many requests at once writes."""

    def __init__(self) -> None:
        self._noted: dict[tuple[str, int, str], datetime] = {}
        self._lock = Lock()

    def claim(self, key: tuple[str, int, str], at: datetime) -> bool:
        """Note a use and return true if none was noted within the hour, else return false.

        At ``_MOST_NOTED`` notes all are forgotten.
        """
        with self._lock:
            is_due = _is_due(self._noted.get(key), at)
            if is_due and len(self._noted) >= _MOST_NOTED:
                self._noted.clear()
            if is_due:
                self._noted[key] = at
            return is_due


_uses = _Noted()

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
    """Return ``access``; start a thread that stores its time of last use, and for a device its ``network``.

    Nothing is stored within an hour of the last time, or for an access without a holder. A failed write is
    ignored.
    """
    at = now()
    is_due = access.holder and _is_due(access.used_at, at)
    if is_due and _uses.claim((str(db.url), access.club_id, access.holder), at):
        Thread(target=_write, args=(db, access, at, network), name=THREAD, daemon=True).start()
    return access


def _is_due(noted: datetime | None, at: datetime) -> bool:
    """Return whether a use is to be stored: the last is missing, an hour old, or an hour ahead."""
    return noted is None or abs(at - noted) >= INTERVAL


def _write(db: Database, access: Access, at: datetime, network: str) -> None:
    kind, _, number = access.holder.partition(" ")
    values = {"row": int(number), "at": at}
    if kind == "device":
        values["network"] = network
    try:
        with db.write() as session:
            narrow(session, Scope(access.club_id))
            session.change(_CHANGES[kind], values)
    except (Problem, OutOfScope):  # busy, unreachable, or deleted in between
        return
