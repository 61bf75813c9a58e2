"""Money: rates, conversion of chips, payments and statements."""

from dataclasses import replace
from operator import attrgetter
from typing import Any

from flask import Response, request

from ledger import report
from ledger.api.access import Read, reader, with_tag
from ledger.api.blueprint import SESSION, Blueprint, Json, Page
from ledger.api.schemas import money as shapes
from ledger.api.schemas.evening import WithReason
from ledger.api.schemas.lists import PDF, PeriodPaperQuery
from ledger.http import downloads
from ledger.runtime.clock import local, now
from ledger.services.club import clubs
from ledger.services.common.writing import DryRun, Write
from ledger.services.money import convert, currency, expenses, payments, statements
from ledger.services.session.session_filter import of_query
from ledger.services.session.view import Rate
from ledger.services.undo import payment as undo_payment

blueprint = Blueprint("money", __name__, "What chips are worth, who owes whom, who has paid.")

_RATE = {"rate": {"chips": 10, "money": 5}}
_PAYMENTS = {
    "a part": {"payer": "Ann", "payee": "Bob", "amount": 250},
    "once, whoever marks it": {"payer": "Ann", "payee": "Bob", "amount": 700, "seen": -700},
}
_PIZZA = {"title": "Pizza", "amount": 4800, "payer": "Ann"}
_EXPENSES = {
    "equally": {**_PIZZA, "shared_by": [{"player": "Ann"}, {"player": "Bob"}, {"player": "Cyd"}]},
    "by shares, settled separately": {
        **_PIZZA,
        "shared_by": [{"player": "Bob", "shares": 2}, {"player": "Cyd"}],
        "separate": True,
    },
}


@blueprint.writes(f"{SESSION}/rate", shapes.WrittenRateSchema, method="PUT")
@blueprint.accepts(shapes.RateDraft, examples={"10 chips to 5 cents": _RATE})
def set_rate(write: Write, body: Json, session_id: int) -> Any:
    """Set the value of chips in a session; null plays for chips only."""
    return convert.set_rate(write, session_id, rate=_rate(body))


@blueprint.writes(f"{SESSION}/conversion", shapes.WrittenConversionSchema, 201, dry_run=True)
@blueprint.accepts(shapes.ConversionDraft, examples={"10 chips to 5 cents": _RATE})
def convert_chips(write: Write | DryRun, body: Json, session_id: int) -> Any:
    """Cash in a session's chips: each player's result is credited to their account in the club.

    No minor unit is lost: shares are rounded down, and the remainder goes to the largest fractions.
    """
    return convert.convert(
        write,
        session_id,
        rate=_rate(body),
        reason=body["reason"],
        converted_at=body["converted_at"],
    )


@blueprint.reads("/club/money", shapes.ClubMoneySchema, tag="STATE")
def show_club_money(read: Read) -> Any:
    """Show the club's currency, the values of its chips, and the hands that another device confirms."""
    return with_tag(currency.show(read.session))


@blueprint.writes("/club/money", shapes.ClubMoneySchema, method="PATCH", matches=True, tag="STATE")
@blueprint.accepts(
    shapes.ClubMoneyDraft,
    examples={"chips": {"denominations": [5, 20, 30]}, "hands to confirm": {"confirm_from": 50}},
)
def change_club_money(write: Write, body: Json) -> Any:
    """Set the club's currency, its chip values or the hands to confirm; a field left out stays unchanged."""
    changed = currency.change(write, **body)
    return with_tag(
        currency.ClubMoney(
            changed["currency"], tuple(changed["denominations"]), changed.get("confirm_from", 0)
        )
    )


@blueprint.reads("/club/settlement", shapes.SettleUpSchema, tag="STATE")
def settle_up(read: Read) -> Any:
    """Show the balances in money and the fewest payments that would leave everybody even.

    No payments are proposed while some players of a session were cashed out and others were not.
    """
    return with_tag(payments.settle_up(read.session))


@blueprint.writes("/payments", shapes.WrittenPaymentSchema, 201, matches=True)
@blueprint.accepts(shapes.PaymentDraft, examples=_PAYMENTS)
def make_payment(write: Write, body: Json) -> Any:
    """Record a payment between two players: the whole debt, a part of it, or more.

    If another person might record the same payment, send `seen`, or the `ETag` of `GET /club/settlement` in
    `If-Match`; the latter fails if anything there has changed.
    """
    return payments.pay(write, **body)


@blueprint.writes("/payments/<id:entry_id>/take-back", shapes.PaymentTakenBackSchema, dry_run=True)
@blueprint.accepts(WithReason, examples={"a mistake": {"reason": "it was somebody else"}})
def take_payment_back(write: Write | DryRun, body: Json, entry_id: int) -> Any:
    """Undo a payment that was recorded by mistake."""
    return undo_payment.take_back(write, entry_id, reason=body["reason"])


@blueprint.reads("/expenses", shapes.ExpensesSchema)
@blueprint.pages()
def list_expenses(read: Read, page: Page) -> expenses.Expenses:
    """List the club's shared expenses, newest first, with everybody's part; undone ones are marked."""
    shared = expenses.page_of(read.session, **page.span, **page.query)
    return replace(
        shared,
        lines=tuple(page.of(shared.lines, shared.total, attrgetter("entry"))),
    )


@blueprint.writes("/expenses", shapes.WrittenExpenseSchema, 201)
@blueprint.accepts(shapes.ExpenseDraft, examples=_EXPENSES)
def share_expense(write: Write, body: Json) -> Any:
    """Share what one player paid for several: pizza, drinks, the room.

    Minor units that can't be divided go to the largest fractions and, of equal ones, to the next players
    after the payer in the order in which the players were added.
    """
    shared_by = [(part["player"], part["shares"]) for part in body.pop("shared_by")]
    return expenses.share(write, **body, shared_by=shared_by)


@blueprint.writes(
    "/expenses/<id:expense_id>/take-back", shapes.ExpenseTakenBackSchema, dry_run=True
)
@blueprint.accepts(WithReason, examples={"a mistake": {"reason": "the host paid"}})
def take_expense_back(write: Write | DryRun, body: Json, expense_id: int) -> Any:
    """Undo an expense that was shared by mistake."""
    return undo_payment.take_expense_back(write, expense_id, reason=body["reason"])


@blueprint.reads("/players/<id:player_id>/statement", shapes.StatementSchema)
@blueprint.pages()
def show_statement(read: Read, page: Page, player_id: int) -> statements.Statement:
    """Show a player's money and its changes, newest first."""
    statement = statements.of_player(read.session, player_id, **page.span, **page.query)
    lines = page.of(statement.lines, statement.total, attrgetter("entry"))
    return replace(statement, lines=tuple(lines))


@blueprint.reads(
    "/players/<id:player_id>/statement.pdf",
    PDF,
    let_in=reader,
    tag=None,
    content_type="application/pdf",
)
@blueprint.accepts(PeriodPaperQuery, "query")
def print_statement(read: Read, query: Json, player_id: int) -> Response:
    """Return a player's statement as a PDF: balances around the days, changes and evenings."""
    paper = query.pop("paper", None)
    chosen = of_query(read.session, query)
    pdf, name = report.statement_pdf(
        read.session,
        player_id,
        clubs.show(read.session).name,
        (chosen.first_day, chosen.last_day),
        printed_at=local(now()),
        paper_size=report.paper_size_for(paper, request.accept_languages.best),
    )
    return downloads.pdf(pdf, name)


@blueprint.reads("/accounts/<id:account_id>/balance", shapes.BalanceSchema)
@blueprint.accepts(shapes.BalanceQuery, "query")
def show_balance(read: Read, query: Json, account_id: int) -> Json:
    """Show an account's balance at a point in time."""
    balance = statements.balance_at(read.session, account_id, query["at"])
    return {"account": account_id, "at": query["at"], "balance": balance}


def _rate(body: Json) -> Rate | None:
    return None if body["rate"] is None else Rate(**body["rate"])
