"""How pages look on this device alone: the colours of the suits."""

from datetime import timedelta

from flask import current_app, render_template, request, url_for
from flask.typing import ResponseReturnValue

from ledger.web.context import FOUR, SUITS, four_suits, go, pages

_LASTS = timedelta(days=400)


@pages.app_context_processor
def _suits() -> dict[str, bool]:
    """Tell every page in how many colours it shows the suits."""
    return {"four_suits": four_suits()}


@pages.get("/display")
def display() -> ResponseReturnValue:
    """Show how this device shows the suits."""
    return render_template("display.html")


@pages.post("/display")
def change_display() -> ResponseReturnValue:
    """Show the suits in two colours or in four, from now on."""
    answer = go(url_for("web.display", done="display"))
    answer.set_cookie(
        SUITS,
        FOUR if request.form.get("suits") == FOUR else "two",
        max_age=_LASTS,
        secure=current_app.config["SESSION_COOKIE_SECURE"],
        httponly=True,
        samesite="Lax",
    )
    return answer
