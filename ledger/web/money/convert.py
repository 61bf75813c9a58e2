"""The page that sets a session's rate and converts its chips to money."""

from contextlib import suppress
from datetime import date

from flask import request
from flask.typing import ResponseReturnValue

from engine.words.sentences import say
from ledger.runtime.clock import today
from ledger.services.money import convert as money_convert
from ledger.services.money import currency as money_currency
from ledger.services.undo import entry
from ledger.web.frame.context import SESSION, Here, saves, shows
from ledger.web.frame.forms import NOTHING_WRONG, Errors
from ledger.web.money.stakes import INPUTS, Stakes
from ledger.words.problems import Invalid, SessionClosed


@shows(f"{SESSION}/settle", writing=True)
def settle(here: Here, errors: Errors = NOTHING_WRONG) -> ResponseReturnValue:
    """Return the page with the rate and every player's money after a conversion.

    A closed session's has no amounts, but an offer to reopen it.
    """
    view = here.view
    currency = money_currency.show(here.session).currency
    is_submitted = errors and "rate_chips" in request.form
    quote = None
    with suppress(SessionClosed):  # the page offers to reopen it
        quote = money_convert.quote(here.session, here.session_id)
    converted = entry.last_conversion(here.session, here.session_id)
    return here.page(
        "settle.html",
        errors,
        quote=quote,
        today=today(),
        proposed=quote.converted_at.astimezone().date()
        if quote and quote.converted_at
        else today(),
        day=request.form.get("day") if errors else None,
        currency=currency,
        converted=converted,
        cashed_in=converted is not None or any(seat.has_left for seat in view.seats),
        stakes=Stakes.read(request.form, currency)
        if is_submitted
        else Stakes.of_rate(view.rate, currency),
    )


@saves(f"{SESSION}/rate", settle, INPUTS)
def set_rate(here: Here) -> ResponseReturnValue:
    """Set the rate; empty inputs play for chips only."""
    rate = Stakes.read(request.form, money_currency.show(here.session).currency).rate
    money_convert.set_rate(here.write, here.session_id, rate=rate)
    return here.to("settle", done="rate")


@saves(f"{SESSION}/settle", settle, {**INPUTS, "converted_at": "day"})
def convert(here: Here) -> ResponseReturnValue:
    """Convert all chips at the session's rate, on the chosen or else the proposed day."""
    money_convert.convert(here.write, here.session_id, converted_at=_chosen())
    return here.to("club_money", done="converted")


def _chosen() -> date | None:
    """Return the chosen day, or None if the proposed one was kept.

    Raises ``Invalid`` at ``converted_at``.
    """
    day = request.form.get("day", "").strip()
    if day == request.form.get("day_proposed", "").strip():
        return None
    try:
        return date.fromisoformat(day)
    except ValueError as error:
        message = say("This is not a day; give one such as {today}.", today=today().isoformat())
        raise Invalid.at("converted_at", "ill-formed", message) from error
