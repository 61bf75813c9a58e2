"""Pages of a club's money: settlement, payments, statements and settings."""

import re
from contextlib import suppress

from flask import request
from flask.typing import ResponseReturnValue

from ledger import report
from ledger.http import downloads
from ledger.runtime.clock import local, now
from ledger.services.club import players
from ledger.services.money import currency as settings
from ledger.services.money import payments, statements
from ledger.services.money.settle_up import Payment
from ledger.services.session.activity import UNDONE
from ledger.services.undo import payment as take_payment
from ledger.web.frame import live
from ledger.web.frame.context import CLUB, ID, Here, saves, shows
from ledger.web.frame.figures import chips_of, money_of, number_of, page_of
from ledger.web.frame.forms import NOTHING_WRONG, Errors
from ledger.web.frame.period import period_of
from ledger.words.problems import NotFound

A_PAGE = 30
"""The lines of a statement on one page."""

_INPUTS = {"payer": "payer", "payee": "payee", "amount": "amount", "reason": "reason"}


@shows(f"{CLUB}/money", of_books=True)
def club_money(here: Here, errors: Errors = NOTHING_WRONG) -> ResponseReturnValue:
    """Return the page of balances in money and the fewest payments that settle them.

    A request with the club's current ``number`` is answered 204.
    """
    number = live.standing(here)
    if live.is_known(number, errors):
        return "", 204
    everyone = players.everyone(here.session)
    up = payments.settle_up(here.session)
    return here.page(
        "money.html",
        errors,
        number=number,
        up=up,
        people=everyone,
        ids={player.name: player.id for player in everyone},
        balance_of={entry.player: entry.balance for entry in up.balances},
        separate_balance_of={entry.player: entry.balance for entry in up.separate_balances},
        payment=_paid(here),
        form=request.form if errors else {},
    )


@saves(f"{CLUB}/money/pay", club_money, _INPUTS)
def pay(here: Here) -> ResponseReturnValue:
    """Record a payment of a debt or a part of it; refused if the payer's balance is not the one seen."""
    form = request.form
    balance_seen = form.get("seen", "")
    currency = settings.show(here.session).currency
    answer = payments.pay(
        here.write,
        payer=form.get("payer", ""),
        payee=form.get("payee", ""),
        amount=money_of(form.get("amount", ""), currency, "amount"),
        reason=form.get("reason") or None,
        seen=int(balance_seen) if re.fullmatch(r"-?[0-9]{1,18}", balance_seen) else None,
        separate=form.get("separate") == "yes" or None,
    )
    return here.to("club_money", paid=answer["entry"])


@saves(f"{CLUB}/money/undo", club_money, _INPUTS)
def undo_payment(here: Here) -> ResponseReturnValue:
    """Undo the payment shown in a notice."""
    take_payment.take_back(here.write, chips_of(request.form.get("entry", "")), reason=UNDONE)
    return here.to("club_money", done="unpaid")


@shows(f"{CLUB}/players/<{ID}:player_id>/statement", of_books=True)
def statement(here: Here, player_id: int, errors: Errors = NOTHING_WRONG) -> ResponseReturnValue:
    """Return a player's statement, newest line first.

    A request with the club's current ``number`` is answered 204.
    """
    number = live.standing(here)
    if live.is_known(number, errors):
        return "", 204
    page = page_of(request.args.get("page", "1"))
    player_statement = statements.of_player(
        here.session, player_id, offset=(page - 1) * A_PAGE, limit=A_PAGE
    )
    return here.page(
        "statement.html",
        errors,
        number=number,
        player_id=player_id,
        statement=player_statement,
        page=page,
        more=player_statement.total > page * A_PAGE,
        after_undo={
            line.entry: take_payment.take_back(here.dry_run, line.entry).moves
            for line in player_statement.lines
            if here.access.may_write and line.is_debt and not line.taken_back
        },
        form=request.form if errors else {},
    )


@shows(f"{CLUB}/players/<{ID}:player_id>/statement.pdf")
def statement_pdf(here: Here, player_id: int) -> ResponseReturnValue:
    """Return a player's statement for the days in the URL as a PDF to download, on A4 or Letter."""
    chosen = period_of(here).chosen
    pdf, name = report.statement_pdf(
        here.session,
        player_id,
        here.club.name,
        (chosen.first_day, chosen.last_day),
        printed_at=local(now()),
        paper_size=report.paper_size_for(request.args.get("paper"), request.accept_languages.best),
    )
    return downloads.pdf(pdf, name, as_attachment=True)


@saves(f"{CLUB}/players/<{ID}:player_id>/statement", statement, _INPUTS)
def take_payment_back(here: Here, player_id: int) -> ResponseReturnValue:
    """Undo a payment of a statement."""
    entry, reason = chips_of(request.form.get("entry", "")), request.form.get("reason", "")
    take_payment.take_back(here.write, entry, reason=reason)
    return here.to("statement", player_id=player_id, done="unpaid")


@shows(f"{CLUB}/settings", writing=True)
def club_settings(here: Here, errors: Errors = NOTHING_WRONG) -> ResponseReturnValue:
    """Return the form for the club's currency, chip values and amount from which hands are confirmed.

    For scorers. With ``errors`` it contains the submitted values.
    """
    now = settings.show(here.session)
    form = {
        "currency": now.currency,
        "denominations": ", ".join(map(str, now.denominations)),
        "confirm_from": now.confirm_from or "",
    }
    return here.page("settings.html", errors, form=request.form if errors else form)


_SETTINGS = ("currency", "denominations", "confirm_from")


@saves(f"{CLUB}/settings", club_settings, {name: name for name in _SETTINGS})
def change_settings(here: Here) -> ResponseReturnValue:
    """Set the club's currency, its chip values, separated by spaces or commas, and the hands to confirm."""
    currency, chip_values, confirm_from = (request.form.get(name, "") for name in _SETTINGS)
    values = [chips_of(text) for text in chip_values.replace(",", " ").split()]
    # Any other text than a number is refused, rather than read as 0, which requires nothing.
    least = (chips_of(confirm_from) or -1) if confirm_from.strip(" 0") else 0
    settings.change(
        here.write,
        currency=currency,
        denominations=values,
        confirm_from=least,
    )
    return here.to("club_settings", done="settings")


def _paid(here: Here) -> Payment | None:
    """Return the payment named in the URL after a write, or None if it doesn't exist."""
    entry = number_of(request.args.get("paid"))
    with suppress(NotFound):
        return payments.show(here.session, entry) if entry else None
    return None
