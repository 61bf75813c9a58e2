"""Display settings of a device: colours of the suits, and language."""

from datetime import timedelta

from flask import Response, current_app, render_template, request, url_for
from flask.typing import ResponseReturnValue

from ledger.http import reader_language
from ledger.web.frame.context import FOUR, SUITS, four_suits, go, pages
from ledger.words.languages import LANGUAGES

_LASTS = timedelta(days=400)


@pages.app_context_processor
def _suits() -> dict[str, bool]:
    """Add ``four_suits`` to the context of every template."""
    return {"four_suits": four_suits()}


@pages.get("/display")
def display() -> ResponseReturnValue:
    """Return the form for the display settings."""
    return render_template("display.html", own=request.cookies.get(reader_language.COOKIE))


@pages.post("/display")
def change_display() -> ResponseReturnValue:
    """Store the settings in cookies and redirect to the form.

    Without a known language its cookie is deleted, and the browser's language is used.
    """
    answer = go(url_for("web.display", done="display"))
    _keep(answer, SUITS, FOUR if request.form.get("suits") == FOUR else "two")
    own = request.form.get("language", "")
    _keep(answer, reader_language.COOKIE, own if own in LANGUAGES else "")
    return answer


def _keep(answer: Response, name: str, value: str) -> None:
    """Set a cookie, or delete it if the value is empty."""
    answer.set_cookie(
        name,
        value,
        max_age=_LASTS if value else 0,
        secure=current_app.config["SESSION_COOKIE_SECURE"],
        httponly=True,
        samesite="Lax",
    )
