"""Confirming a hand that another device entered, from the pages that show it."""

from dataclasses import replace

from flask import request
from flask.typing import ResponseReturnValue

from ledger.services.hands import confirm
from ledger.web.evening.sessions import board
from ledger.web.frame.context import HAND, Here, saves
from ledger.web.frame.figures import number_of
from ledger.web.frame.forms import NOTHING_WRONG, Errors


def _board(here: Here, number: int, errors: Errors = NOTHING_WRONG) -> ResponseReturnValue:  # noqa: ARG001 - saves passes it
    return board(here, errors)


@saves(f"{HAND}/confirm", _board)
def confirm_hand(here: Here, number: int) -> ResponseReturnValue:
    """Confirm the version of a hand that was shown, and redirect to its page; a hand form stays as it is.

    Hands saved since then don't matter, so the session's revision is not compared.
    """
    version = number_of(request.form.get("version")) or 0
    confirm.confirm(replace(here.write, seen=None), here.session_id, number, version=version)
    page = request.form.get("page")
    if page == "form":
        return "", 204
    if page == "hand":
        return here.to("hand", number=number, done="confirmed")
    if page == "history":
        return here.to("history", hand=number, done="confirmed", _anchor=f"hand-{number}")
    return here.to("board", done="confirmed")
