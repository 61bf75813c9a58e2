"""Undo: what was done last in a session undone, with a look at it before."""

from flask.typing import ResponseReturnValue

from ledger.services.undo import last as services
from ledger.web.context import NOTHING_WRONG, SESSION, Errors, Here, saves, shows, with_refusal


@shows(f"{SESSION}/undo", writing=True)
def undo(here: Here, errors: Errors = NOTHING_WRONG) -> ResponseReturnValue:
    """Say what would be undone."""
    look = services.look(here.session, here.session_id)
    if look.refusal:
        errors = with_refusal(errors, look.refusal)
    return here.page("undo.html", errors, look=look, last=look.last, preview=look.preview)


@saves(f"{SESSION}/undo", undo, {})
def undo_last(here: Here) -> ResponseReturnValue:
    """Undo."""
    services.undo(here.write, here.session_id)
    return here.to("board", done="undone")
