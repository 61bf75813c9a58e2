"""Undo: what was done last in a session, after a look at it, or from the notice that tells of it."""

from dataclasses import dataclass

from flask import Flask, request
from flask.typing import ResponseReturnValue

from ledger.entry_kinds import KINDS
from ledger.models import AccountKind, HandAction
from ledger.services.session.activity import Action
from ledger.services.undo import last as services
from ledger.web.context import SESSION, Here, saves, shows
from ledger.web.forms import NOTHING_WRONG, Errors, with_refusal

_BACK_TO = ("board", "bank", "table", "history")
"""The pages of a session that have such notices, and are returned to."""


@dataclass(frozen=True, slots=True)
class Offer:
    """What a notice offers to undo: ``last``, at a ``revision``, and the page that it stands on.

    It ``needs_a_look`` first where money moves, or later hands with it.
    """

    last: Action
    revision: int
    page: str
    needs_a_look: bool


def init_app(app: Flask) -> None:
    """Let notices offer the undo of what they tell of."""
    app.jinja_env.globals["undo_offered"] = offered


def offered(here: Here, hand: int | None = None) -> Offer | None:
    """Return what the notice of this page offers to undo: what was done last, if whoever looks did it.

    Of a notice of a ``hand`` that alone. Nothing where somebody else has written since, where it can't be
    undone, or was an undo itself.
    """
    if not here.session_id or not here.access.may_write:
        return None
    last = services.latest(here.session, here.view, hand)
    if last is None or last.was_undo or last.author != here.access.author:
        return None
    if last.hand is None:
        needs_a_look = AccountKind.PLAYER in KINDS[last.what].moves
    else:
        needs_a_look = last.what != HandAction.RECORDED  # later hands may be recalculated
    page = (request.endpoint or "").removeprefix("web.")
    return Offer(last, here.view.revision, page, needs_a_look)


@shows(f"{SESSION}/undo", writing=True)
def undo(here: Here, errors: Errors = NOTHING_WRONG) -> ResponseReturnValue:
    """Say what would be undone."""
    look = services.look(here.session, here.session_id)
    if look.refusal:
        errors = with_refusal(errors, look.refusal)
    return here.page("undo.html", errors, look=look, last=look.last, preview=look.preview)


@saves(f"{SESSION}/undo", undo, {})
def undo_last(here: Here) -> ResponseReturnValue:
    """Undo; then show the page that the notice stood on, or the scoreboard."""
    services.undo(here.write, here.session_id)
    page = request.form.get("page")
    return here.to(page if page in _BACK_TO else "board", done="undone")
