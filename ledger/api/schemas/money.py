"""Money: the rate of a session, the conversion, payments between players, statements."""

from datetime import UTC, datetime

from marshmallow import ValidationError
from marshmallow.validate import Length

from ledger.api.schemas.base import (
    Answer,
    Flag,
    Moment,
    Part,
    Rows,
    Shape,
    Table,
    Text,
    Whole,
    wants,
)
from ledger.api.schemas.books import PaymentSchema
from ledger.api.schemas.evening import ChangedTableSchema
from ledger.api.schemas.hands import MoveSchema
from ledger.models import SessionState

_MINOR = "In minor units of the club's currency: `decimals` of `GET /club/money` says which."


class Minor(Whole):
    """Money, as a whole number of minor units."""

    default_error_messages = wants(
        "A whole number of the currency's smallest parts, such as 1250 for 12.50 EUR,"
    )


def _in_the_calendar(at: datetime) -> None:
    """Refuse the few hours at either end of the calendar that have no name in UTC."""
    try:
        at.astimezone(UTC)
    except OverflowError as error:
        raise ValidationError("This lies outside the calendar; check the year.") from error


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


class WrittenRateSchema(Answer):
    """A rate agreed on."""

    session = Whole()
    revision = Whole("The session's revision after it.")


class QuoteSchema(Answer):
    """What one player gets."""

    player = Text()
    chips = Whole("In hand.")
    borrowed = Whole("Of these, what goes back to the bank.")
    won = Whole("Of these, what was won or, if negative, lost.")
    money = Whole("In minor units; null if the table has no rate.", allow_none=True)


class LeftSchema(ChangedTableSchema, QuoteSchema):
    """What a player leaves with."""


class WrittenConversionSchema(ChangedTableSchema):
    """Cashed-in chips: what everybody gets."""

    currency = Text()
    rate = Part(RateSchema)
    paid_before = Whole("What those who left before were paid, in minor units.")
    players = Rows(Part(QuoteSchema), "Clockwise.")


class ClubMoneyDraft(Shape):
    """What of a club's money is to change."""

    currency = Text("Three letters (ISO 4217), such as EUR.", optional=True)
    denominations = Rows(
        Whole(),
        "The values of the club's chips.",
        validate=Length(max=100, error="100 chip values are more than any club has."),
        optional=True,
    )


class ClubMoneySchema(Answer):
    """What a club's money and chips are."""

    currency = Text()
    decimals = Whole(
        "How many decimals the currency has; amounts are whole numbers, so with 2 "
        "decimals 1250 is 12.50."
    )
    denominations = Rows(Whole(), "The values of its chips, smallest first.")


class OwedSchema(Answer):
    """A player's money."""

    player = Text()
    balance = Whole("What the others owe them or, if negative, they owe the others.")


class UnfinishedSchema(Answer):
    """A session somebody was cashed out of for money while the others' chips are still chips."""

    id = Whole()
    title = Text()
    state = Text("If closed, reopen it first.", enum=[state.value for state in SessionState])
    left = Rows(
        Part(OwedSchema), "Who was cashed out, and what they get for it or, if negative, owe."
    )


class WinningsSchema(Answer):
    """What somebody won of chips that are worth money and no money yet."""

    player = Text()
    chips = Whole("Negative: they lost them.")


class UnconvertedSchema(Answer):
    """A session played at a rate, some of whose chips are not cashed in."""

    id = Whole()
    title = Text()
    state = Text("If closed, reopen it first.", enum=[state.value for state in SessionState])
    players = Rows(Part(WinningsSchema), "Whose chips they are.")


class SettleUpSchema(Answer):
    """The money of a club as it stands."""

    currency = Text()
    balances = Rows(Part(OwedSchema), f"Of everybody who is not even. {_MINOR}")
    payments = Rows(Part(PaymentSchema), "The fewest possible, for up to twelve players.")
    unfinished = Rows(
        Part(UnfinishedSchema),
        "While there is one, no payments are proposed: cash in its chips, or undo the leaving, "
        "first. Payments can be marked as made all the same.",
    )
    unconverted = Rows(
        Part(UnconvertedSchema),
        "The proposed payments leave out their chips until they are cashed in.",
    )


class PaymentDraft(Shape):
    """A payment that was made, of all that was owed, a part, or more."""

    payer = Text("A player of the club.", required=True)
    payee = Text("A player of the club.", required=True)
    amount = Minor(f"Above zero. {_MINOR}", required=True)
    reason = Text("Why, for the history.", optional=True)
    paid_at = Moment(
        "When it was paid, from 1900 to now; if left out, now.",
        optional=True,
    )
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


class StatementLineSchema(Answer):
    """One posting on a player's money account."""

    entry = Whole()
    kind = Text("`cash-out`, `conversion`, `payment` or `reversal`.")
    session = Text("The title of its session.", allow_none=True)
    others = Rows(Text(), "The players on the other side.")
    amount = Whole("What came in or, if negative, went out.")
    balance = Whole("The balance after it.")
    author = Text()
    reason = Text(allow_none=True)
    occurred_at = Moment()
    entered_at = Moment()
    taken_back = Flag("Whether a later entry reverses it.")


class StatementSchema(Answer):
    """A player's money, newest first."""

    player = Text()
    currency = Text()
    balance = Whole()
    lines = Rows(Part(StatementLineSchema), "One page of them.")
    unfinished = Rows(Part(UnfinishedSchema), "While there is one, a balance of 0 is not even yet.")
    unconverted = Rows(
        Part(UnconvertedSchema), "Those in which this player still has chips to cash in."
    )


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
