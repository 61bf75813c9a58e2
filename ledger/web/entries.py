"""The other entries, newest first; each can be looked at and undone by its own button."""

from flask import request, url_for
from flask.typing import ResponseReturnValue

from ledger.problems import Conflict, NotFound, Problem
from ledger.services.hands.preview import Preview
from ledger.services.undo import entry as services
from ledger.web.context import ID, SESSION, Errors, Here, errors_of, go, in_club, new_key, pages
from ledger.web.figures import page_of

A_PAGE = 30
"""How many entries are shown at once."""


@pages.get(f"{SESSION}/entries")
@in_club()
def entries(here: Here) -> ResponseReturnValue:
    """List the other entries."""
    page = page_of(request.args.get("page", "1"))
    lines, total = services.page(
        here.session, here.session_id, offset=(page - 1) * A_PAGE, limit=A_PAGE
    )
    return here.page(
        "entries.html",
        lines=lines,
        page=page,
        more=total > page * A_PAGE,
    )


@pages.get(f"{SESSION}/entries/<{ID}:entry>/take-back")
@in_club(writing=True)
def take_entry_back(here: Here, entry: int) -> ResponseReturnValue:
    """Show what undoing it would move."""
    return _page(here, entry, {})


@pages.post(f"{SESSION}/entries/<{ID}:entry>/take-back")
@in_club(writing=True)
def taken_entry_back(here: Here, entry: int) -> ResponseReturnValue:
    """Undo."""
    try:
        services.take_back(
            here.write,
            here.session_id,
            entry,
            reason=request.form.get("reason", ""),
        )
    except NotFound:
        raise
    except Problem as problem:
        errors = errors_of(problem, {"reason": "reason"})
        return _page(here, entry, errors, problem.status)
    return go(
        url_for("web.entries", club_id=here.club.id, session_id=here.session_id, done="taken-back")
    )


def _page(here: Here, entry: int, errors: Errors, status: int = 200) -> ResponseReturnValue:
    preview: Preview | None = None
    try:
        preview = services.take_back(here.dry_run, here.session_id, entry)
    except Conflict as conflict:
        errors = errors or {"": [conflict.message]}
    return here.page(
        "entry_back.html",
        status,
        line=services.show(here.session, here.session_id, entry),
        preview=preview,
        reason=request.form.get("reason", ""),
        errors=errors,
        key=new_key(),
    )
