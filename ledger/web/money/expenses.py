"""The page of a club's shared expenses: the form, and the list with everybody's part."""

from flask import request
from flask.typing import ResponseReturnValue

from ledger.services.club import players
from ledger.services.money import currency as settings
from ledger.services.money import expenses
from ledger.services.session.load import load
from ledger.services.table import same_table
from ledger.services.undo import payment as take_payment
from ledger.web.frame.context import CLUB, ID, Here, saves, shows
from ledger.web.frame.figures import chips_of, money_of, number_of, page_of
from ledger.web.frame.forms import NOTHING_WRONG, Errors

A_PAGE = 30
"""The expenses on one page of the list."""

_INPUTS = {name: name for name in ("title", "amount", "payer", "shared_by", "reason")}
_SHARES = "shares-"
"""The beginning of the name of a player's number of shares."""


@shows(f"{CLUB}/money/expenses", of_books=True)
def club_expenses(
    here: Here, errors: Errors = NOTHING_WRONG, entry_id: int | None = None
) -> ResponseReturnValue:
    """Return the club's expenses, newest first, with a form for the next one.

    The form begins with the players of the newest evening. ``entry_id`` is an expense whose undo was refused.
    """
    page = page_of(request.args.get("page", "1"))
    shared = expenses.page_of(here.session, offset=(page - 1) * A_PAGE, limit=A_PAGE)
    is_refused = bool(errors) and entry_id is None
    form = request.form
    added = number_of(request.args.get("added"))
    return here.page(
        "expenses.html",
        errors,
        expenses=shared,
        added=next((line for line in shared.lines if line.entry == added), None),
        people=players.everyone(here.session),
        sharing=set(form.getlist("shared_by")) if is_refused else _at_the_table(here),
        shares={name: form[name] for name in form if name.startswith(_SHARES)},
        form=form if is_refused else {},
        refused_entry=entry_id,
        reason=form.get("reason", ""),
        page=page,
        more=shared.total > page * A_PAGE,
    )


@saves(f"{CLUB}/money/expenses", club_expenses, _INPUTS)
def share_expense(here: Here) -> ResponseReturnValue:
    """Share an expense among the chosen players, each with one share unless the form has another number."""
    form = request.form
    currency = settings.show(here.session).currency
    ids = {player.name: player.id for player in players.everyone(here.session)}
    answer = expenses.share(
        here.write,
        title=form.get("title", ""),
        amount=money_of(form.get("amount", ""), currency, "amount"),
        payer=form.get("payer", ""),
        shared_by=[
            (name, chips_of(form.get(f"{_SHARES}{ids.get(name)}", "1")))
            for name in form.getlist("shared_by")
        ],
        separate=form.get("settled") == "separately",
    )
    return here.to("club_expenses", added=answer["entry"])


@saves(f"{CLUB}/money/expenses/<{ID}:entry_id>", club_expenses, _INPUTS)
def undo_expense(here: Here, entry_id: int) -> ResponseReturnValue:
    """Undo an expense."""
    take_payment.take_expense_back(here.write, entry_id, reason=request.form.get("reason", ""))
    return here.to("club_expenses", done="expense-undone")


def _at_the_table(here: Here) -> set[str]:
    """Return the players of the newest evening, or nobody before the first."""
    last = same_table.newest(here.session)
    return {seat.name for seat in load(here.session, last.id).seats} if last else set()
