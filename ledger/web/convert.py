"""From chips to money: the rate, what everybody would get, and the conversion."""

from contextlib import suppress

from flask import request, url_for
from flask.typing import ResponseReturnValue

from ledger.problems import NotFound, Problem, SessionClosed
from ledger.services.money import convert as money_convert
from ledger.services.money import currency as money_currency
from ledger.services.undo import entry
from ledger.web.context import SESSION, Errors, Here, errors_of, go, in_club, pages
from ledger.web.stakes import INPUTS, Stakes


@pages.get(f"{SESSION}/settle")
@in_club(writing=True)
def settle(here: Here) -> ResponseReturnValue:
    """Show what the chips of the session would come to in money."""
    return settling(here, {})


@pages.post(f"{SESSION}/rate")
@in_club(writing=True)
def set_rate(here: Here) -> ResponseReturnValue:
    """Agree on what chips are worth; left empty, the table plays for chips only."""
    try:
        rate = Stakes.read(request.form, money_currency.show(here.session).currency).rate
        money_convert.set_rate(here.write, here.session_id, rate=rate)
    except NotFound:
        raise
    except Problem as problem:
        return settling(here, errors_of(problem, INPUTS), problem.status)
    return go(url_for("web.settle", club_id=here.club.id, session_id=here.session_id, done="rate"))


@pages.post(f"{SESSION}/settle")
@in_club(writing=True)
def convert(here: Here) -> ResponseReturnValue:
    """Cash in all chips, at the rate agreed on."""
    try:
        money_convert.convert(here.write, here.session_id)
    except NotFound:
        raise
    except Problem as problem:
        return settling(here, errors_of(problem, INPUTS), problem.status)
    return go(url_for("web.club_money", club_id=here.club.id, done="converted"))


def settling(here: Here, errors: Errors, status: int = 200) -> ResponseReturnValue:
    """Answer with the page that turns a session's chips into money."""
    view = here.view
    currency = money_currency.show(here.session).currency
    sent = errors and "rate_chips" in request.form
    quote = None
    with suppress(SessionClosed):  # the page says how it is opened again
        quote = money_convert.quote(here.session, here.session_id)
    return here.page(
        "settle.html",
        status,
        quote=quote,
        currency=currency,
        converted=entry.last_conversion(here.session, here.session_id),
        stakes=Stakes.read(request.form, currency) if sent else Stakes.of_rate(view.rate, currency),
        errors=errors,
    )
