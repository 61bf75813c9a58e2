"""The page that lists the ledger's backups."""

from flask import current_app
from flask.typing import ResponseReturnValue

from ledger.keeping import nightly
from ledger.web.frame.context import CLUB, Here, shows


@shows(f"{CLUB}/safekeeping", writing=True)
def safekeeping(here: Here) -> ResponseReturnValue:
    """Return the list of backups, newest first, with a warning if a scheduled nightly one was not made."""
    state = nightly.state_of(current_app.extensions["ledger.settings"])
    return here.page("safekeeping.html", state=state)
