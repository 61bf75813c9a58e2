"""The pages that record, correct, void and restore a hand."""

from collections.abc import Callable
from typing import Any

from flask import request
from flask.typing import ResponseReturnValue

from engine.words.sentences import later, say
from ledger.services.common.writing import is_answered
from ledger.services.hands import correct
from ledger.services.hands.preview import Preview
from ledger.services.reads import session
from ledger.services.reads.summary import HandLine
from ledger.services.session.load import must_be_at, must_be_open, must_not_be_paused
from ledger.web.evening.history import page_with
from ledger.web.frame.context import HAND, SESSION, Here, in_club, pages, saves, shows
from ledger.web.frame.figures import number_of
from ledger.web.frame.forms import NOTHING_WRONG, Errors, sent_key, sent_revision, with_refusal
from ledger.web.hand import payouts, play
from ledger.web.hand.fields import INPUTS
from ledger.web.hand.form import HandForm
from ledger.web.hand.page import UNSEEN, HandPage, wrong_inputs
from ledger.words.problems import Conflict, Invalid, KeyReused, NoSuchHand, Stale

FILL = "fill"
"""The request for the form filled in from what was entered, while the scorer goes on."""

_LOOK_FIRST = {
    "payout": say("Look at the payout, then save it."),
    "score": say("Look at the score, then save it."),
}


@pages.route(f"{SESSION}/hands/new", methods=["GET", "POST"])
@in_club(writing=True)
def new_hand(here: Here) -> ResponseReturnValue:
    """Return the form of the next hand, or record the hand and redirect to the board.

    With too few or too many players, GET redirects to the table's page.
    """
    page, view = HandPage(here), here.view
    if request.method == "GET" and view.is_open and len(view.playing) not in view.sheet.seats:
        return here.to("table")
    return _hand(page)


@pages.post(f"{SESSION}/hands/preview")
@pages.post(f"{HAND}/preview")
@in_club(writing=True)
def preview_hand(here: Here, number: int | None = None) -> ResponseReturnValue:
    """Return the result of a new hand or a correction that is being filled in; nothing is saved."""
    page = HandPage(here, number)
    return page.show(page.read(), live=True, full_page=False)


@pages.route(f"{HAND}/correct", methods=["GET", "POST"])
@in_club(writing=True)
def correct_hand(here: Here, number: int) -> ResponseReturnValue:
    """Return the form to correct a hand, or save the correction and redirect to the hand in the history."""
    return _hand(HandPage(here, number))


def _hand(page: HandPage) -> ResponseReturnValue:
    """Return the form, or save it and redirect.

    The form is returned again with errors, if it is outdated, if its payout was not seen, if another hand
    like it was recorded since, or if its dealer is no longer due.
    """
    if request.method == "GET":
        (must_be_open if page.correcting is None else must_not_be_paused)(page.view)
        return page.show(page.read(), live=True)
    if request.form.get("do") == "meanwhile":
        return _news(page)
    if request.form.get("do") != "save":
        is_going_on = request.form.get("do") == FILL or "call" in request.form
        return page.show(page.read(), live=is_going_on)
    form = page.read(as_sent=True)
    try:
        if _is_new(page) and page.same(form) is not None:
            return page.show(form, Conflict.status)
        if notice := _of_another_deal(page, form):
            return page.show(page.read(), Conflict.status, notice=notice)
        draft, contradiction = page.draft(form)
        unseen = (UNSEEN,) if page.view.is_open else ()  # only the ledger previews money
        if request.form.get("seen") not in (*unseen, page.seal(draft)) and _is_new(page):
            page.preview(draft)
            return page.show(form, notice=_LOOK_FIRST[page.payout])
        if payouts.is_of_another_hand(page.rules, form.draft) and _is_new(page):
            return page.show(form, Invalid.status, differs=payouts.shown_payout(form.names))
        number = page.save(form, draft, contradiction)
    except Invalid as invalid:
        if any(fault.code == payouts.STATED_DIFFERS for fault in invalid.faults):
            return page.again().show(form, invalid.status, differs=payouts.shown_payout(form.names))
        refusal = play.explained(page.rules, form.names, page.draft(form)[0], invalid)
        return page.again().show(form, invalid.status, errors=wrong_inputs(refusal, form))
    except Stale as stale:
        current = page.again()
        return current.show(
            current.read(),
            stale.status,
            notice=stale.at_the_table,
            meanwhile=_since(current, stale),
            problem=stale,
        )
    except KeyReused as reused:
        current = page.again()
        return current.show(
            current.read(), reused.status, notice=reused.at_the_table, problem=reused
        )
    except Conflict as conflict:
        return page.again().show(form, conflict.status, errors={"": [conflict.at_the_table]})
    if page.correcting is None:
        return page.here.to("board", saved=number)
    return _to_history(page.here, number)


_NOT_DUE = later(
    "Hand {number} is {due}'s deal, and it was entered as {dealer}'s. Look at what it comes to, then save it."
)


def _is_new(page: HandPage) -> bool:
    """Return whether the form was made at the current revision, and was not saved before."""
    is_current = sent_revision() == page.view.revision
    return is_current and not is_answered(page.here.session, sent_key())


def _of_another_deal(page: HandPage, form: HandForm) -> str:
    """Return the notice if a new hand's proposed dealer is no longer due, else an empty string.

    It happens to a hand that a device kept until its own hand before was saved. A form that is outdated or
    already saved gets no notice here.
    """
    chosen, expected = request.form.get("dealer"), form.turn.dealer
    is_chosen = not chosen or chosen != request.form.get("dealer_proposed")
    if page.correcting is not None or is_chosen or chosen == expected or not _is_new(page):
        return ""
    return say(_NOT_DUE, number=page.view.hands_dealt + 1, due=expected, dealer=chosen)


_NEW = later("Meanwhile: {what}. What you have entered stays.")
_NEW_WITHOUT_SOME = later(
    "Meanwhile: {what}. Of what you have entered, only what still fits the game stays."
)


def _news(page: HandPage) -> ResponseReturnValue:
    """Show the submitted form with the changes by others since it was made; without any, answer 204.

    After confirmations, which change nothing in it, it is shown without a notice.
    """
    try:
        must_be_at(page.here.session, page.view, sent_revision())
    except Stale as stale:
        form, since = page.read(), _since(page, stale)
        new = say(_NEW if form.keeps_all else _NEW_WITHOUT_SOME, what=stale.what)
        return page.show(form, live=True, notice=new, meanwhile=since, problem=stale)
    if number_of(request.form.get("number")) not in (None, page.view.live_number):
        return page.show(page.read(), live=True)
    return "", 204


def _to_history(here: Here, number: int) -> ResponseReturnValue:
    page = page_with(number, here.view.hands_dealt)
    page_number = page if page > 1 else None
    return here.to("history", page=page_number, saved=number, _anchor=f"hand-{number}")


def _since(page: HandPage, stale: Stale) -> list[HandLine]:
    """Return the hands recorded since the form was made, and the corrected hand if it was changed since."""
    seen_count = number_of(request.form.get("seen_hands")) or 0
    number, to = page.correcting, (page.here.session, page.view.id)
    own = session.hands(*to, first=number, last=number) if number in stale.hands and number else []
    return [*own, *session.hands(*to, first=seen_count + 1)]


@shows(f"{HAND}/void", writing=True)
def void_hand(here: Here, number: int, errors: Errors = NOTHING_WRONG) -> ResponseReturnValue:
    """Return the preview of voiding a hand, with a field for the reason; if it is refused, the error."""
    return _turn(here, number, correct.void, errors)


@saves(f"{HAND}/void", void_hand, INPUTS)
def voided_hand(here: Here, number: int) -> ResponseReturnValue:
    """Void a hand, so that it counts in no balance, and redirect to it in the history."""
    correct.void(here.write, here.session_id, number, reason=request.form.get("reason", ""))
    return _to_history(here, number)


@shows(f"{HAND}/restore", writing=True)
def restore_hand(here: Here, number: int, errors: Errors = NOTHING_WRONG) -> ResponseReturnValue:
    """Return the preview of restoring a void hand, with a field for the reason; if refused, the error."""
    return _turn(here, number, correct.restore, errors)


@saves(f"{HAND}/restore", restore_hand, INPUTS)
def restored_hand(here: Here, number: int) -> ResponseReturnValue:
    """Restore the last content of a void hand, and redirect to it in the history."""
    correct.restore(here.write, here.session_id, number, reason=request.form.get("reason", ""))
    return _to_history(here, number)


def _turn(here: Here, number: int, turn: Callable[..., Any], errors: Errors) -> ResponseReturnValue:
    if request.method == "GET":
        must_not_be_paused(here.view)
    line = next(iter(session.hands(here.session, here.session_id, first=number, last=number)), None)
    if line is None:
        raise NoSuchHand(number, here.view.title, here.view.hands_dealt)
    preview: Preview | None = None
    try:
        preview = turn(here.dry_run, here.session_id, number)
    except Conflict as conflict:
        errors = with_refusal(errors, conflict)
    return here.page(
        "hand_turn.html",
        errors,
        line=line,
        restoring=turn is correct.restore,
        preview=preview,
        reason=request.form.get("reason", ""),
    )
