"""The page that lists the ledger's backups."""

from flask import current_app
from flask.typing import ResponseReturnValue

from ledger.keeping import nightly
from ledger.keeping.backup import Backups
from ledger.runtime.clock import now_at_the_table
from ledger.runtime.config import Settings
from ledger.web.frame.context import CLUB, Here, shows


@shows(f"{CLUB}/safekeeping", writing=True)
def safekeeping(here: Here) -> ResponseReturnValue:
    """Return the list of backups, newest first, with a warning if a scheduled nightly one was not made."""
    settings: Settings = current_app.extensions["ledger.settings"]
    backups = Backups.of(settings).list_all()
    daily = settings.backup_at if settings.backups_kept else None
    missed = nightly.missed(backups, daily, now_at_the_table()) if daily else None
    return here.page("safekeeping.html", backups=backups, daily=daily, missed=missed)
