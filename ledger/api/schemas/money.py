"""Money: the rate of a session, the conversion, payments between players, statements."""

from datetime import UTC, datetime

from marshmallow import ValidationError

from engine.words.sentences import say
from ledger.api.schemas.base import (
    Answer,
    Length,
    Moment,
    Part,
    Rows,
    Shape,
    Table,
    Text,
    Whole,
    answer,
    wants,
)
from ledger.api.schemas.evening import ChangedTableSchema, entry_made
from ledger.api.schemas.hands import MoveSchema
from ledger.services.money.currency import ClubMoney
from ledger.services.money.payments import SettleUp
from ledger.services.money.quotes import LeavingQuote, Quote
from ledger.services.money.statements import Statement, StatementLine

_MINOR = "In minor units of the club's currency: `decimals` of `GET /club/money` says which."


class Minor(Whole):
    """Money, as a whole number of minor units."""

    default_error_messages = wants(
        say(
            "A whole number of the currency's smallest parts, such as 1250 for 12.50 EUR, belongs here."
        )
    )


def _in_the_calendar(at: datetime) -> None:
    """Refuse the few hours at either end of the calendar that have no name in UTC."""
    try:
        at.astimezone(UTC)
    except OverflowError as error:
        raise ValidationError(say("This lies outside the calendar; check the year.")) from error


class RateSchema(Shape):
    """What chips are worth."""

    chips = Whole("This many chips …", required=True)
    money = Minor("… are worth this many minor units.", required=True)


class RateDraft(Shape):
    """The rate a session is played at."""

    rate = Part(RateSchema, "Null to play for chips only.", required=True, allow_none=True)


class ConversionDraft(Shape):
    """What cashes in chips."""

    rate = Part(RateSchema, "Agreed on first; if left out, the session's own.", optional=True)
    reason = Text("Why, for the history.", optional=True)
    converted_at = Moment(
        "When the chips were cashed in, from 1900 to now; if left out, now or, 12 hours after the last hand "
        "and later, when that was played.",
        optional=True,
    )


class WrittenRateSchema(Answer):
    """A rate agreed on."""

    session = Whole()
    revision = Whole("The session's revision after it.")


QuoteSchema = answer("Quote", Quote, without={"revision"})
LeftSchema = answer("Left", LeavingQuote, entry=entry_made())


class WrittenConversionSchema(ChangedTableSchema):
    """Cashed-in chips: what everybody gets."""

    currency = Text()
    rate = Part(RateSchema)
    paid_before = Whole("What those who left before were paid, in minor units.")
    players = Rows(Part(QuoteSchema), "Clockwise.")
    converted_at = Text(
        "When it counts as done, which statements show; null: when it was entered.",
        allow_none=True,
        may_miss=True,
    )


class ClubMoneyDraft(Shape):
    """What of a club's money is to change."""

    currency = Text("Three letters (ISO 4217), such as EUR.", optional=True)
    denominations = Rows(
        Whole(),
        "The values of the club's chips.",
        validate=Length(max=100, error=say("100 chip values are more than any club has.")),
        optional=True,
    )


ClubMoneySchema = answer("ClubMoney", ClubMoney, "decimals")
SettleUpSchema = answer("SettleUp", SettleUp)


class PaymentDraft(Shape):
    """A payment that was made, of all that was owed, a part, or more."""

    payer = Text("A player of the club.", required=True)
    payee = Text("A player of the club.", required=True)
    amount = Minor(f"Above zero. {_MINOR}", required=True)
    reason = Text("Why, for the history.", optional=True)
    paid_at = Moment("When it was paid, from 1900 to now; if left out, now.", optional=True)
    seen = Whole(
        "The payer's balance when you looked, from `GET /club/settlement`. If it has moved since, "
        "nothing is written (412), so that two people who mark the same payment record it once.",
        optional=True,
    )


class WrittenPaymentSchema(Answer):
    """A payment as it was entered."""

    entry = Whole("The journal entry; it can be undone.")
    currency = Text()
    balances = Table("What both are owed or, if negative, owe after it.", values=Whole())


class PaymentTakenBackSchema(Answer):
    """A payment undone."""

    entry = Whole("The reversal; null for a dry run.", allow_none=True)
    takes_back = Whole("The payment's entry.")
    moves = Rows(Part(MoveSchema), "What both are owed then.")


answer("StatementLine", StatementLine, without={"session_id", "currency"})
StatementSchema = answer("Statement", Statement, without={"total"})


class BalanceQuery(Shape):
    """The time a balance is asked for."""

    at = Moment(
        "A time with its offset, such as 2026-01-31T21:15:00Z.",
        required=True,
        validate=_in_the_calendar,
    )


class BalanceSchema(Answer):
    """What an account held."""

    account = Whole()
    at = Moment()
    balance = Whole()
