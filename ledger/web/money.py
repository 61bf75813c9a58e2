"""A club's money: who owes whom, payments marked as made or undone, a player's statement."""

import re
from contextlib import suppress
from typing import Any

from flask import request, url_for
from flask.typing import ResponseReturnValue

from ledger.problems import NotFound, Problem
from ledger.services.club import players
from ledger.services.money import currency as settings
from ledger.services.money import payments, statements
from ledger.services.money.settle_up import Payment
from ledger.services.undo import payment as undo_payment
from ledger.web.context import CLUB, ID, Errors, Here, errors_of, go, in_club, pages
from ledger.web.figures import chips_of, money_of, page_of

A_PAGE = 30
"""How many lines of a statement are shown at once."""

_INPUTS = {"payer": "payer", "payee": "payee", "amount": "amount", "reason": "reason"}


@pages.get(f"{CLUB}/money")
@in_club()
def club_money(here: Here) -> ResponseReturnValue:
    """Show who is owed and who owes, and the fewest payments that settle it."""
    return _page(here, {})


@pages.post(f"{CLUB}/money/pay")
@in_club(writing=True)
def pay(here: Here) -> ResponseReturnValue:
    """Mark a payment as made, all of it or a part."""
    form = request.form
    seen = form.get("seen", "")
    currency = settings.show(here.session).currency
    try:
        answer = payments.pay(
            here.write,
            payer=form.get("payer", ""),
            payee=form.get("payee", ""),
            amount=money_of(form.get("amount", ""), currency, "amount"),
            reason=form.get("reason") or None,
            seen=int(seen) if re.fullmatch(r"-?[0-9]{1,18}", seen) else None,
        )
    except Problem as problem:
        return _page(here, errors_of(problem, _INPUTS), problem.status)
    return go(url_for("web.club_money", club_id=here.club.id, paid=answer["entry"]))


@pages.get(f"{CLUB}/players/<{ID}:player_id>/statement")
@in_club()
def statement(here: Here, player_id: int) -> ResponseReturnValue:
    """Show what moved a player's money, newest first."""
    return _statement(here, player_id, {})


@pages.post(f"{CLUB}/players/<{ID}:player_id>/statement")
@in_club(writing=True)
def take_payment_back(here: Here, player_id: int) -> ResponseReturnValue:
    """Undo a payment that was not made after all."""
    try:
        undo_payment.take_back(
            here.write,
            chips_of(request.form.get("entry", "")),
            reason=request.form.get("reason", ""),
        )
    except NotFound:
        raise
    except Problem as problem:
        return _statement(here, player_id, errors_of(problem, _INPUTS), problem.status)
    return go(url_for("web.statement", club_id=here.club.id, player_id=player_id, done="unpaid"))


@pages.route(f"{CLUB}/settings", methods=["GET", "POST"])
@in_club(writing=True)
def club_settings(here: Here) -> ResponseReturnValue:
    """Set the club's currency and the values of its chips."""
    now = settings.show(here.session)
    typed: dict[str, Any] = {
        "currency": now.currency,
        "denominations": ", ".join(map(str, now.denominations)),
    }
    if request.method == "GET":
        return here.page("settings.html", form=typed, errors={})
    sent = {name: request.form.get(name, "") for name in typed}
    values = [chips_of(text) for text in sent["denominations"].replace(",", " ").split()]
    try:
        settings.change(here.write, currency=sent["currency"], denominations=values)
    except Problem as problem:
        errors = errors_of(problem, {name: name for name in typed})
        return here.page("settings.html", problem.status, form=sent, errors=errors)
    return go(url_for("web.club_settings", club_id=here.club.id, done="settings"))


def _page(here: Here, errors: Errors, status: int = 200) -> ResponseReturnValue:
    everyone = players.everyone(here.session)
    up = payments.settle_up(here.session)
    return here.page(
        "money.html",
        status,
        up=up,
        people=everyone,
        ids={player.name: player.id for player in everyone},
        owed={owed.player: owed.balance for owed in up.balances},
        paid=_paid(here),
        form=request.form if errors else {},
        errors=errors,
    )


def _paid(here: Here) -> Payment | None:
    """Return the payment that was just recorded, which the address names."""
    text = request.args.get("paid", "")
    if not re.fullmatch("[0-9]{1,18}", text, re.ASCII):
        return None
    with suppress(NotFound):
        return payments.show(here.session, int(text))
    return None


def _statement(
    here: Here, player_id: int, errors: Errors, status: int = 200
) -> ResponseReturnValue:
    page = page_of(request.args.get("page", "1"))
    found = statements.of_player(here.session, player_id, offset=(page - 1) * A_PAGE, limit=A_PAGE)
    return here.page(
        "statement.html",
        status,
        player_id=player_id,
        statement=found,
        page=page,
        more=found.total > page * A_PAGE,
        after_undo={
            line.entry: undo_payment.take_back(here.dry_run, line.entry).moves
            for line in found.lines
            if here.access.may_write and line.is_payment and not line.taken_back
        },
        form=request.form if errors else {},
        errors=errors,
    )
