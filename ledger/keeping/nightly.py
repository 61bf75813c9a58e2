"""A backup each day while the service runs, and at once where it did not run when one was due."""

import logging
import time
from collections.abc import Sequence
from datetime import datetime, timedelta
from datetime import time as time_of_day
from threading import Thread

from ledger.keeping.backup import Backup, Backups, made_between
from ledger.runtime.clock import now_at_the_table
from ledger.runtime.config import Settings

LOOKS_EVERY = 60.0
"""Seconds between two looks at the clock; a machine that slept is late by no more."""
TRIES_AGAIN_AFTER = 3600.0
"""Seconds after a failure, so that one that lasts is a line an hour in the log."""

MAY_TAKE = timedelta(minutes=15)
"""How long after it was due a backup may still be under way."""

_log = logging.getLogger("ledger")


def start(settings: Settings) -> None:
    """Begin, where the settings say at what time; it ends with the process, whenever that is."""
    if settings.backup_at is not None and settings.backups_kept:
        given = (Backups.of(settings), settings.backup_at)
        Thread(target=_watch, args=given, name="nightly backup", daemon=True).start()


def _watch(backups: Backups, daily: time_of_day) -> None:
    while True:
        time.sleep(look(backups, daily, now_at_the_table()))


def look(backups: Backups, daily: time_of_day, at: datetime) -> float:
    """Make a backup where there is none since one was last due; return the seconds until the next look."""
    try:
        due = last_due(daily, at)
        if not made_between(backups.every(), due, at):
            backups.make(unless_since=due)
    except Exception as error:  # whatever it is, tomorrow there must be a backup again
        _log.error("the nightly backup failed: %s", error)
        return TRIES_AGAIN_AFTER
    return LOOKS_EVERY


def last_due(daily: time_of_day, at: datetime) -> datetime:
    """Return when a backup was due last, by the clock on the wall at ``at``."""
    today = datetime.combine(at.date(), daily).astimezone()
    if today <= at:
        return today
    return datetime.combine(at.date() - timedelta(days=1), daily).astimezone()


def missed(made: Sequence[Backup], daily: time_of_day, at: datetime) -> datetime | None:
    """Return when the backup was due that should be among those ``made`` at ``at``, and is not."""
    due = last_due(daily, at - MAY_TAKE)
    return None if made_between(made, due, at) else due
