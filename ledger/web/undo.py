"""Undo: what was written last in a session taken back, with a look at it before."""

from flask import url_for
from flask.typing import ResponseReturnValue

from ledger.problems import NotFound, Problem
from ledger.services.table import start
from ledger.services.undo import undo as services
from ledger.web.context import (
    SESSION,
    Errors,
    Here,
    errors_of,
    go,
    in_club,
    pages,
    with_refusal,
)


@pages.get(f"{SESSION}/undo")
@in_club(writing=True)
def undo(here: Here, session_id: int) -> ResponseReturnValue:
    """Say what would be taken back."""
    return _page(here, session_id, {})


@pages.post(f"{SESSION}/undo")
@in_club(writing=True)
def undo_last(here: Here, session_id: int) -> ResponseReturnValue:
    """Undo."""
    try:
        services.undo(here.write, session_id)
    except NotFound:
        raise
    except Problem as problem:
        return _page(here, session_id, errors_of(problem, {}), problem.status)
    return go(url_for("web.board", club_id=here.club.id, session_id=session_id, done="undone"))


def _page(here: Here, session_id: int, errors: Errors, status: int = 200) -> ResponseReturnValue:
    look = services.look(here.db, here.access, session_id)
    if look.refusal:
        errors = with_refusal(errors, look.refusal)
    return here.page(
        "undo.html",
        status,
        view=start.show(here.db, here.access, session_id),
        look=look,
        last=look.last,
        preview=look.preview,
        errors=errors,
    )
