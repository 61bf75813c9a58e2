"""Pages of the journal entries that are not hands, each with a button to undo it."""

from flask import request
from flask.typing import ResponseReturnValue

from ledger.services.hands.preview import Preview
from ledger.services.undo import entry as services
from ledger.web.frame.context import ID, SESSION, Here, saves, shows
from ledger.web.frame.figures import page_of
from ledger.web.frame.forms import NOTHING_WRONG, Errors, new_key
from ledger.words.problems import Conflict

A_PAGE = 30
"""The entries on one page."""


@shows(f"{SESSION}/entries", of_books=True)
def entries(here: Here) -> ResponseReturnValue:
    """Return a page of the session's journal entries other than hands, newest first."""
    page = page_of(request.args.get("page", "1"))
    lines, total = services.page(
        here.session, here.session_id, offset=(page - 1) * A_PAGE, limit=A_PAGE
    )
    return here.page("entries.html", lines=lines, page=page, more=total > page * A_PAGE)


@shows(f"{SESSION}/entries/<{ID}:entry>/take-back", writing=True)
def take_entry_back(here: Here, entry: int, errors: Errors = NOTHING_WRONG) -> ResponseReturnValue:
    """Return the preview of undoing an entry; if it can't be undone, the reason instead."""
    preview: Preview | None = None
    try:
        preview = services.take_back(here.dry_run, here.session_id, entry)
    except Conflict as conflict:
        errors = errors or {"": [conflict.message]}
    return here.page(
        "entry_back.html",
        errors,
        line=services.show(here.session, here.session_id, entry),
        preview=preview,
        reason=request.form.get("reason", ""),
        key=new_key(),
    )


@saves(f"{SESSION}/entries/<{ID}:entry>/take-back", take_entry_back, {"reason": "reason"})
def taken_entry_back(here: Here, entry: int) -> ResponseReturnValue:
    """Undo an entry that is not a hand's by a reversal, with the form's reason."""
    reason = request.form.get("reason", "")
    services.take_back(here.write, here.session_id, entry, reason=reason)
    return here.to("entries", done="taken-back")
