"""Undo: what was done last in a session undone, with a look at it before."""

from flask import url_for
from flask.typing import ResponseReturnValue

from ledger.problems import NotFound, Problem
from ledger.services.undo import last as services
from ledger.web.context import SESSION, Errors, Here, errors_of, go, in_club, pages, with_refusal


@pages.get(f"{SESSION}/undo")
@in_club(writing=True)
def undo(here: Here) -> ResponseReturnValue:
    """Say what would be undone."""
    return _page(here, {})


@pages.post(f"{SESSION}/undo")
@in_club(writing=True)
def undo_last(here: Here) -> ResponseReturnValue:
    """Undo."""
    try:
        services.undo(here.write, here.session_id)
    except NotFound:
        raise
    except Problem as problem:
        return _page(here, errors_of(problem, {}), problem.status)
    return go(url_for("web.board", club_id=here.club.id, session_id=here.session_id, done="undone"))


def _page(here: Here, errors: Errors, status: int = 200) -> ResponseReturnValue:
    look = services.look(here.session, here.session_id)
    if look.refusal:
        errors = with_refusal(errors, look.refusal)
    return here.page(
        "undo.html",
        status,
        look=look,
        last=look.last,
        preview=look.preview,
        errors=errors,
    )
