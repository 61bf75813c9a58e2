"""Money: what chips are worth, cashing them in, paying one another, statements."""

from typing import Any

from ledger.api.access import Read, with_tag
from ledger.api.blueprint import SESSION, Blueprint, Page
from ledger.api.schemas import money as shapes
from ledger.api.schemas.evening import WithReason
from ledger.services.common.writing import DryRun, Write
from ledger.services.money import convert, currency, payments, statements
from ledger.services.session.view import Rate
from ledger.services.undo import payment as undo_payment

blueprint = Blueprint("money", __name__, "What chips are worth, who owes whom, who has paid.")
Json = dict[str, Any]

_RATE = {"rate": {"chips": 10, "money": 5}}
_PAYMENTS = {
    "a part": {"payer": "Ann", "payee": "Bob", "amount": 250},
    "once, whoever marks it": {"payer": "Ann", "payee": "Bob", "amount": 700, "seen": -700},
}


@blueprint.writes(f"{SESSION}/rate", shapes.WrittenRateSchema, method="PUT")
@blueprint.takes(shapes.RateDraft, examples={"10 chips to 5 cents": _RATE})
def set_rate(write: Write, sent: Json, session_id: int) -> Any:
    """Agree on what chips are worth in a session; null plays for chips only."""
    return convert.set_rate(write, session_id, rate=_rate(sent))


@blueprint.writes(f"{SESSION}/conversion", shapes.WrittenConversionSchema, 201, dry_run=True)
@blueprint.takes(shapes.ConversionDraft, examples={"10 chips to 5 cents": _RATE})
def convert_chips(write: Write | DryRun, sent: Json, session_id: int) -> Any:
    """Cash in the chips of a session: what each player won goes to their account in the club.

    No minor unit is lost: shares are rounded down, and the largest fractions get the rest.
    """
    return convert.convert(
        write,
        session_id,
        rate=_rate(sent),
        reason=sent["reason"],
        converted_at=sent["converted_at"],
    )


@blueprint.reads("/club/money", shapes.ClubMoneySchema, tag="STATE")
def show_club_money(read: Read) -> Any:
    """Show the club's currency and the values of its chips."""
    return with_tag(currency.show(read.session))


@blueprint.writes("/club/money", shapes.ClubMoneySchema, method="PATCH", matches=True, tag="STATE")
@blueprint.takes(shapes.ClubMoneyDraft, examples={"chips": {"denominations": [5, 20, 30]}})
def change_club_money(write: Write, sent: Json) -> Any:
    """Set the club's currency, its chips, or both; what is left out stays."""
    changed = currency.change(write, **sent)
    return with_tag(currency.ClubMoney(changed["currency"], tuple(changed["denominations"])))


@blueprint.reads("/club/settlement", shapes.SettleUpSchema, tag="STATE")
def settle_up(read: Read) -> Any:
    """Show who owes and is owed money, and the fewest payments that would leave everybody even.

    There are none while a session is unfinished: somebody was cashed out, the others were not.
    """
    return with_tag(payments.settle_up(read.session))


@blueprint.writes("/payments", shapes.WrittenPaymentSchema, 201, matches=True)
@blueprint.takes(shapes.PaymentDraft, examples=_PAYMENTS)
def make_payment(write: Write, sent: Json) -> Any:
    """Mark a payment between two players as made: all that was owed, a part of it, or more.

    Send `seen` as well if somebody else might be marking the same one, or in `If-Match` the `ETag` of
    `GET /club/settlement`: then nothing at all may have changed there.
    """
    return payments.pay(write, **sent)


@blueprint.writes("/payments/<id:entry_id>/take-back", shapes.PaymentTakenBackSchema, dry_run=True)
@blueprint.takes(WithReason, examples={"a mistake": {"reason": "it was somebody else"}})
def take_payment_back(write: Write | DryRun, sent: Json, entry_id: int) -> Any:
    """Undo a payment: it was not made after all."""
    return undo_payment.take_back(write, entry_id, reason=sent["reason"])


@blueprint.reads("/players/<id:player_id>/statement", shapes.StatementSchema)
@blueprint.pages()
def show_statement(read: Read, page: Page, player_id: int) -> statements.Statement:
    """Show a player's money and, newest first, what moved it."""
    found = statements.of_player(read.session, player_id, offset=page.offset, limit=page.limit)
    page.of(found.total)
    return found


@blueprint.reads("/accounts/<id:account_id>/balance", shapes.BalanceSchema)
@blueprint.takes(shapes.BalanceQuery, "query")
def show_balance(read: Read, asked: Json, account_id: int) -> Json:
    """Show what an account held by the books as they stood at some time."""
    balance = statements.balance_at(read.session, account_id, asked["at"])
    return {"account": account_id, "at": asked["at"], "balance": balance}


def _rate(sent: Json) -> Rate | None:
    return None if sent["rate"] is None else Rate(**sent["rate"])
