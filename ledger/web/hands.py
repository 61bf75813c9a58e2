"""A hand written down, corrected, voided."""

from flask import request, url_for
from flask.typing import ResponseReturnValue

from ledger.problems import Conflict, Invalid, KeyReused, NotFound, Problem, SessionClosed, Stale
from ledger.services import corrections, history, sessions
from ledger.services.summary import HandLine
from ledger.web.door import (
    HAND,
    SESSION,
    Errors,
    Here,
    errors_of,
    go,
    in_club,
    new_key,
    pages,
    sent_key,
    sent_revision,
)
from ledger.web.form import INPUTS
from ledger.web.hand_page import HandPage

_LOOK_FIRST = "Look at the payout, then save it."
_SAVED_BEFORE = (
    "This form was saved before, and changed since. To write down another hand, save once more; to "
    "change the one that was saved, correct it in the history."
)


@pages.route(f"{SESSION}/hands/new", methods=["GET", "POST"])
@in_club(writing=True)
def new_hand(here: Here, session_id: int) -> ResponseReturnValue:
    """Write down the next hand."""
    return _hand(_page(here, session_id))


@pages.post(f"{SESSION}/hands/preview")
@in_club(writing=True)
def preview_new(here: Here, session_id: int) -> ResponseReturnValue:
    """Show the form as it stands, while it is being filled in."""
    page = _page(here, session_id)
    return page.show(page.read(), live=True)


@pages.route(f"{HAND}/correct", methods=["GET", "POST"])
@in_club(writing=True)
def correct_hand(here: Here, session_id: int, number: int) -> ResponseReturnValue:
    """Write a hand anew."""
    return _hand(_page(here, session_id, number))


@pages.post(f"{HAND}/preview")
@in_club(writing=True)
def preview_correction(here: Here, session_id: int, number: int) -> ResponseReturnValue:
    """Show a correction as it stands, while it is being filled in."""
    page = _page(here, session_id, number)
    return page.show(page.read(), live=True)


def _page(here: Here, session_id: int, number: int | None = None) -> HandPage:
    return HandPage(here, sessions.show(here.db, here.access, session_id), number)


def _hand(page: HandPage) -> ResponseReturnValue:
    if request.method == "GET":
        if not page.view.is_open:
            raise SessionClosed(page.view.title)
        return page.show(page.read(), live=True)
    if request.form.get("do") != "save":
        return page.show(page.read())
    form = page.read(as_sent=True)
    try:
        if request.form.get("seen") != form.seal:
            page.preview(form)
            return page.show(form, notice=_LOOK_FIRST)
        number = page.save(form)
    except Invalid as invalid:
        return page.show(form, invalid.status, errors=errors_of(invalid, INPUTS))
    except Stale as stale:
        now = _page(page.here, page.view.id, page.correcting)
        return now.show(
            now.read(),
            stale.status,
            notice=stale.message,
            meanwhile=_since(page),
            revision=now.view.revision,
        )
    except KeyReused as reused:
        revision = page.view.revision
        return page.show(
            page.read(), reused.status, notice=_SAVED_BEFORE, key=new_key(), revision=revision
        )
    except Conflict as conflict:
        return page.show(form, conflict.status, errors={"": [conflict.message]})
    if page.correcting is None:
        club_id, session_id = page.here.club.id, page.view.id
        return go(url_for("web.board", club_id=club_id, session_id=session_id, saved=number))
    return _to_history(page.here, page.view.id, number)


def _to_history(here: Here, session_id: int, number: int) -> ResponseReturnValue:
    return go(
        url_for(
            "web.history",
            club_id=here.club.id,
            session_id=session_id,
            saved=number,
            _anchor=f"hand-{number}",
        )
    )


def _since(page: HandPage) -> list[HandLine]:
    """Return the hands written down since the form was made."""
    text = request.form.get("seen_hands", "")
    seen = int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0
    return [line for line in _lines(page.here, page.view.id) if line.number > seen]


def _lines(here: Here, session_id: int) -> list[HandLine]:
    return history.hands(here.db, here.access, session_id)


@pages.route(f"{HAND}/void", methods=["GET", "POST"])
@in_club(writing=True)
def void_hand(here: Here, session_id: int, number: int) -> ResponseReturnValue:
    """Ask why, then take a hand out of every balance."""
    if request.method == "GET":
        return _voiding(here, session_id, number, {})
    try:
        corrections.void(
            here.db,
            here.access,
            sent_key(),
            session_id,
            number,
            reason=request.form.get("reason", ""),
            revision=sent_revision(),
        )
    except NotFound:
        raise
    except Problem as problem:
        errors = errors_of(problem, INPUTS)
        return _voiding(here, session_id, number, errors, problem.status)
    return _to_history(here, session_id, number)


def _voiding(
    here: Here, session_id: int, number: int, errors: Errors, status: int = 200
) -> ResponseReturnValue:
    view = sessions.show(here.db, here.access, session_id)
    line = next((each for each in _lines(here, session_id) if each.number == number), None)
    if line is None:
        raise NotFound(f"There is no hand {number} in “{view.title}”.")
    return here.page(
        "hand_void.html",
        status,
        view=view,
        line=line,
        errors=errors,
        reason=request.form.get("reason", ""),
        key=sent_key(),
    )
