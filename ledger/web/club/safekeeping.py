"""Safekeeping: when the last backup of the ledger was made."""

from flask import current_app
from flask.typing import ResponseReturnValue

from ledger.keeping import nightly
from ledger.keeping.backup import Backups
from ledger.runtime.clock import now_at_the_table
from ledger.runtime.config import Settings
from ledger.web.frame.context import CLUB, Here, shows


@shows(f"{CLUB}/safekeeping", writing=True)
def safekeeping(here: Here) -> ResponseReturnValue:
    """Show which backups there are, newest first, when one is made by itself, and that one is missing."""
    settings: Settings = current_app.extensions["ledger.settings"]
    made = Backups.of(settings).every()
    daily = settings.backup_at if settings.backups_kept else None
    missed = nightly.missed(made, daily, now_at_the_table()) if daily else None
    return here.page("safekeeping.html", backups=made, daily=daily, missed=missed)
