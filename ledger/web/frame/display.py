"""How pages look on this device alone: the colours of the suits, and the language."""

from datetime import timedelta

from flask import Response, current_app, render_template, request, url_for
from flask.typing import ResponseReturnValue

from ledger.http import reader_language
from ledger.web.frame.context import FOUR, SUITS, four_suits, go, pages
from ledger.words.languages import LANGUAGES

_LASTS = timedelta(days=400)


@pages.app_context_processor
def _suits() -> dict[str, bool]:
    """Tell every page in how many colours it shows the suits."""
    return {"four_suits": four_suits()}


@pages.get("/display")
def display() -> ResponseReturnValue:
    """Show how this device shows the suits, and which language it has chosen, if it has."""
    return render_template("display.html", own=request.cookies.get(reader_language.COOKIE))


@pages.post("/display")
def change_display() -> ResponseReturnValue:
    """Keep what the form says for this device; no language is the browser's."""
    answer = go(url_for("web.display", done="display"))
    _keep(answer, SUITS, FOUR if request.form.get("suits") == FOUR else "two")
    own = request.form.get("language", "")
    _keep(answer, reader_language.COOKIE, own if own in LANGUAGES else "")
    return answer


def _keep(answer: Response, name: str, value: str) -> None:
    """Let the device keep a value, or forget it where there is none."""
    answer.set_cookie(
        name,
        value,
        max_age=_LASTS if value else 0,
        secure=current_app.config["SESSION_COOKIE_SECURE"],
        httponly=True,
        samesite="Lax",
    )
