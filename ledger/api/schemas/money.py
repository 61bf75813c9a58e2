"""Schemas of rates, conversions, payments and statements."""

from datetime import UTC, datetime

from marshmallow import ValidationError

from engine.words.sentences import say
from ledger.api.schemas.base import (
    Flag,
    Length,
    Moment,
    Part,
    ResponseShape,
    Rows,
    Shape,
    Table,
    Text,
    WholeNumber,
    field_messages,
    shape_of,
)
from ledger.api.schemas.evening import ChangedTableSchema, entry_made
from ledger.api.schemas.hands import MoveSchema
from ledger.services.money.currency import ClubMoney
from ledger.services.money.expenses import MOST_SHARES, Expenses
from ledger.services.money.payments import SettleUp
from ledger.services.money.quotes import LeavingQuote, Quote
from ledger.services.money.statements import Statement, StatementLine

_MINOR = "In minor units of the club's currency: `decimals` of `GET /club/money` says which."


class Minor(WholeNumber):
    """Money, as a whole number of minor units."""

    default_error_messages = field_messages(
        say(
            "A whole number of the currency's smallest parts, such as 1250 for 12.50 EUR, belongs here."
        )
    )


def _in_the_calendar(at: datetime) -> None:
    """Raise ``ValidationError`` in the hours at either end of the calendar that can't be converted to UTC."""
    try:
        at.astimezone(UTC)
    except OverflowError as error:
        raise ValidationError(say("This lies outside the calendar; check the year.")) from error


class RateSchema(Shape):
    """The value of chips."""

    chips = WholeNumber("This many chips …", required=True)
    money = Minor("… are worth this many minor units.", required=True)


class RateDraft(Shape):
    """A session's rate."""

    rate = Part(RateSchema, "Null to play for chips only.", required=True, allow_none=True)


class ConversionDraft(Shape):
    """The rate, reason and time of a conversion."""

    rate = Part(RateSchema, "Agreed on first; if left out, the session's own.", optional=True)
    reason = Text("Why, for the history.", optional=True)
    converted_at = Moment(
        "When the chips were cashed in, from 1900 to now; if left out, now or, 12 hours after the last hand "
        "and later, when that was played.",
        optional=True,
    )


class WrittenRateSchema(ResponseShape):
    """The revision after a change of the rate."""

    session = WholeNumber()
    revision = WholeNumber("The session's revision after it.")


QuoteSchema = shape_of("Quote", Quote, without={"revision"})
LeftSchema = shape_of("Left", LeavingQuote, entry=entry_made())


class WrittenConversionSchema(ChangedTableSchema):
    """A conversion: the money each player gets."""

    currency = Text()
    rate = Part(RateSchema)
    paid_before = WholeNumber("The money paid to players who left before, in minor units.")
    players = Rows(Part(QuoteSchema), "Clockwise.")
    converted_at = Text(
        "The time shown in statements; null if it is the time of entry.",
        allow_none=True,
        may_miss=True,
    )


class ClubMoneyDraft(Shape):
    """Changes to a club's settings."""

    currency = Text("Three letters (ISO 4217), such as EUR.", optional=True)
    denominations = Rows(
        WholeNumber(),
        "The values of the club's chips.",
        validate=Length(max=100, error=say("100 chip values are more than any club has.")),
        optional=True,
    )
    confirm_from = WholeNumber(
        "Another device confirms hands in which somebody wins or loses at least this; with 0 none.",
        optional=True,
    )


ClubMoneySchema = shape_of("ClubMoney", ClubMoney, "decimals")
SettleUpSchema = shape_of("SettleUp", SettleUp)


class PaymentDraft(Shape):
    """A payment between two players: the whole debt, a part of it, or more."""

    payer = Text("A player of the club.", required=True)
    payee = Text("A player of the club.", required=True)
    amount = Minor(f"Above zero. {_MINOR}", required=True)
    reason = Text("Why, for the history.", optional=True)
    paid_at = Moment("When it was paid, from 1900 to now; if left out, now.", optional=True)
    seen = WholeNumber(
        "The payer's balance when you looked, from `GET /club/settlement`. If it has moved since, "
        "nothing is written (412), so that two people who mark the same payment record it once.",
        optional=True,
    )
    separate = Flag("Whether it pays for expenses that are settled separately.", optional=True)


class WrittenPaymentSchema(ResponseShape):
    """A recorded payment."""

    entry = WholeNumber("The journal entry; it can be undone.")
    currency = Text()
    balances = Table(
        "Both balances after it: positive is owed to the player, negative owed by them.",
        values=WholeNumber(),
    )


class PaymentTakenBackSchema(ResponseShape):
    """An undone payment."""

    entry = WholeNumber("The reversal; null for a dry run.", allow_none=True)
    takes_back = WholeNumber("The payment's entry.")
    moves = Rows(Part(MoveSchema), "Both balances before and after.")


class ShareDraft(Shape):
    """A player whom an expense was paid for."""

    player = Text("A player of the club.", required=True)
    shares = WholeNumber(f"From 1 to {MOST_SHARES}.", load_default=1)


class ExpenseDraft(Shape):
    """A cost that one player paid for several."""

    title = Text("What was paid for, such as pizza, drinks or the room.", required=True)
    amount = Minor(f"Above zero. {_MINOR}", required=True)
    payer = Text("A player of the club.", required=True)
    shared_by = Rows(
        Part(ShareDraft),
        "The players it was paid for, equally or by shares, the payer among them or not.",
        required=True,
        validate=Length(max=1000, error=say("1,000 players are more than any club has.")),
    )
    separate = Flag(
        "Whether it is settled apart from the card results; if left out, together with them.",
        load_default=False,
    )
    paid_at = Moment("When it was paid, from 1900 to now; if left out, now.", optional=True)


class WrittenExpenseSchema(ResponseShape):
    """A shared expense."""

    entry = WholeNumber("The journal entry; it can be undone.")
    currency = Text()


class ExpenseTakenBackSchema(PaymentTakenBackSchema):
    """An undone expense."""

    takes_back = WholeNumber("The expense's entry.")
    moves = Rows(Part(MoveSchema), "The balances before and after.")


ExpensesSchema = shape_of("Expenses", Expenses, without={"total"})

shape_of("StatementLine", StatementLine, without={"session_id", "currency"})
StatementSchema = shape_of("Statement", Statement, without={"total"})


class BalanceQuery(Shape):
    """The time of a requested balance."""

    at = Moment(
        "A time with its offset, such as 2026-01-31T21:15:00Z.",
        required=True,
        validate=_in_the_calendar,
    )


class BalanceSchema(ResponseShape):
    """An account's balance at a time."""

    account = WholeNumber()
    at = Moment()
    balance = WholeNumber()
