"""A daily backup while the service runs; one missed before is made at once."""

import logging
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from datetime import time as time_of_day
from threading import Thread

from ledger.keeping.backup import Backup, Backups, made_between
from ledger.runtime.clock import now_at_the_table
from ledger.runtime.config import Settings

LOOKS_EVERY = 60.0
"""The seconds between two checks of the clock, and the most a machine that slept is late."""
TRIES_AGAIN_AFTER = 3600.0
"""The seconds until a retry, so that a lasting failure is one line an hour in the log."""

MAY_TAKE = timedelta(minutes=15)
"""The time that a due backup may take."""

_log = logging.getLogger("ledger")


def start(settings: Settings) -> None:
    """Start the thread for daily backups, if the settings name a time; it ends with the process."""
    if settings.backup_at is not None and settings.backups_kept:
        args = (Backups.of(settings), settings.backup_at)
        Thread(target=_watch, args=args, name="nightly backup", daemon=True).start()


def _watch(backups: Backups, daily: time_of_day) -> None:
    while True:
        time.sleep(look(backups, daily, now_at_the_table()))


def look(backups: Backups, daily: time_of_day, at: datetime) -> float:
    """Make the last due backup if it is missing; return the seconds until the next look.

    A failure is logged, never raised, and tried again after ``TRIES_AGAIN_AFTER``.
    """
    try:
        due_at = last_due(daily, at)
        if not made_between(backups.list_all(), due_at, at):
            backups.make(unless_since=due_at)
    except Exception as error:  # whatever the error, backups must continue
        _log.error("the nightly backup failed: %s", error)
        return TRIES_AGAIN_AFTER
    return LOOKS_EVERY


def last_due(daily: time_of_day, at: datetime) -> datetime:
    """Return the local time at which a backup was last due, at the latest ``at``."""
    today = datetime.combine(at.date(), daily).astimezone()
    if today <= at:
        return today
    return datetime.combine(at.date() - timedelta(days=1), daily).astimezone()


@dataclass(frozen=True, slots=True)
class BackupState:
    """The backups of a ledger, newest first, the time of the daily one, and when one was due but not made."""

    backups: tuple[Backup, ...]
    daily: time_of_day | None
    missed: datetime | None


def state_of(settings: Settings) -> BackupState:
    """Return the state of the ledger's backups."""
    backups = Backups.of(settings).list_all()
    daily = settings.backup_at if settings.backups_kept else None
    overdue = missed(backups, daily, now_at_the_table()) if daily else None
    return BackupState(tuple(backups), daily, overdue)


def missed(backups: Sequence[Backup], daily: time_of_day, at: datetime) -> datetime | None:
    """Return when the last backup was due if none was started since, else None.

    One due less than ``MAY_TAKE`` ago may still be under way, so the one before it counts.
    """
    due_at = last_due(daily, at - MAY_TAKE)
    return None if made_between(backups, due_at, at) else due_at
