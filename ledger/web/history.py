"""The history of a session: every hand, what it paid and why, and what it said before."""

from flask import request
from flask.typing import ResponseReturnValue

from ledger.services import history as read
from ledger.services import sessions
from ledger.web.door import SESSION, Here, in_club, pages


@pages.get(f"{SESSION}/history")
@in_club()
def history(here: Here, session_id: int) -> ResponseReturnValue:
    """List all hands, newest first."""
    text = request.args.get("saved", "")
    lines = read.hands(here.db, here.access, session_id)
    return here.page(
        "history.html",
        view=sessions.show(here.db, here.access, session_id),
        lines=lines[::-1],
        saved=next((line for line in lines if str(line.number) == text), None),
    )
