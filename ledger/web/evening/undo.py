"""Undo and redo in a session: from their page, which previews them, or from the notice of a change."""

from dataclasses import dataclass

from flask import Flask, request
from flask.typing import ResponseReturnValue

from ledger.database.kinds.entries import KINDS
from ledger.database.models import AccountKind, HandAction
from ledger.services.session.activity import Action
from ledger.services.undo import last as services
from ledger.web.frame.context import SESSION, Here, saves, shows
from ledger.web.frame.forms import NOTHING_WRONG, Errors, with_refusal

_BACK_TO = ("board", "bank", "table", "history")
"""The pages of a session that have such notices, and are returned to."""


@dataclass(frozen=True, slots=True)
class Offer:
    """The buttons of a notice: undo ``last``, unless that was an undo, and ``redo``, at a ``revision``.

    An undo ``needs_a_look`` first if it moves money or may recalculate later hands; a redo restores a state
    that was seen before. ``page`` is the page of the notice.
    """

    last: Action
    revision: int
    page: str
    needs_a_look: bool
    redo: Action | None = None


def init_app(app: Flask) -> None:
    """Register the undo button shown in notices."""
    app.jinja_env.globals["undo_offered"] = offered


def offered(here: Here, hand: int | None = None) -> Offer | None:
    """Return the undo or redo to offer in this page's notice: of the last change, if its reader made it.

    The notice of a ``hand`` offers that hand alone. A redo is offered only right after an undo or redo. None
    for viewers, outside a session, if somebody else has written since, or if nothing can be undone.
    """
    if not here.session_id or not here.access.may_write:
        return None
    last = services.latest(here.session, here.view, hand)
    if last is None or last.author != here.access.author:
        return None
    if last.was_undo:
        needs_a_look = False
    elif last.hand is None:
        needs_a_look = AccountKind.PLAYER in KINDS[last.what].moves
    else:
        needs_a_look = last.what != HandAction.RECORDED  # later hands may be recalculated
    page = (request.endpoint or "").removeprefix("web.")
    offers_redo = request.args.get("done") in ("undone", "redone") and hand is None
    redo = services.next_redo(here.session, here.session_id) if offers_redo else None
    return Offer(last, here.view.revision, page, needs_a_look, redo)


@shows(f"{SESSION}/undo", writing=True)
def undo(here: Here, errors: Errors = NOTHING_WRONG) -> ResponseReturnValue:
    """Return the page of the next undo, with its preview or the error that refuses it, and the next redo."""
    look = services.look(here.session, here.session_id)
    if look.refusal:
        errors = with_refusal(errors, look.refusal)
    return here.page("undo.html", errors, look=look, last=look.last, preview=look.preview)


@saves(f"{SESSION}/undo", undo, {})
def undo_last(here: Here) -> ResponseReturnValue:
    """Undo the session's last step, and redirect to the notice's page or the scoreboard."""
    services.undo(here.write, here.session_id)
    return _back(here, "undone")


@saves(f"{SESSION}/redo", undo, {})
def redo_last(here: Here) -> ResponseReturnValue:
    """Redo the step undone last, and redirect to the notice's page or the scoreboard."""
    services.redo(here.write, here.session_id)
    return _back(here, "redone")


def _back(here: Here, notice: str) -> ResponseReturnValue:
    page = request.form.get("page")
    return here.to(page if page in _BACK_TO else "board", done=notice)
