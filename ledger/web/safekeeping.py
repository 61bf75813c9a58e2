"""Safekeeping: when the last backup of the ledger was made."""

from flask import current_app
from flask.typing import ResponseReturnValue

from ledger.config import Settings
from ledger.keeping.backup import Backups
from ledger.web.context import CLUB, Here, shows


@shows(f"{CLUB}/safekeeping", writing=True)
def safekeeping(here: Here) -> ResponseReturnValue:
    """Show which backups there are, newest first, and when the next one is made by itself."""
    settings: Settings = current_app.extensions["ledger.settings"]
    return here.page(
        "safekeeping.html",
        backups=Backups.of(settings).every(),
        daily=settings.backup_at if settings.backups_kept else None,
    )
