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
    says,
    wants,
)
from ledger.api.schemas.books import PaymentSchema
from ledger.api.schemas.evening import ChangedTableSchema
from ledger.models import SessionState

_NO_MOMENT = "A time with its offset, such as 2026-01-31T21:15:00Z, belongs here."
_MOMENTS = {
    "required": "This is missing.",
    "null": "This can't be null.",
    "invalid": _NO_MOMENT,
    "invalid_awareness": _NO_MOMENT,
}
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

    chips = Whole(required=True, metadata=says("This many chips …"))
    money = Minor(required=True, metadata=says("… are worth this many minor units."))


class RateDraft(Shape):
    """The rate a session is played at."""

    rate = Part(
        RateSchema, required=True, allow_none=True, metadata=says("Null to play for chips only.")
    )


class ConversionDraft(Shape):
    """What turns chips into money."""

    rate = Part(
        RateSchema,
        load_default=None,
        allow_none=True,
        metadata=says("Agreed on first; if left out, the session's own."),
    )
    reason = Text(load_default=None, allow_none=True, metadata=says("Why, for the history."))


class WrittenRateSchema(Answer):
    """A rate agreed on."""

    session = Whole()
    revision = Whole(metadata=says("The session's revision after it."))


class WrittenConversionSchema(ChangedTableSchema):
    """Chips turned into money."""

    currency = Text()


class QuoteQuery(Shape):
    """The rate a conversion is asked for."""

    rate = Part(
        RateSchema,
        load_default=None,
        allow_none=True,
        metadata=says("If left out, the session's own."),
    )


class QuoteSchema(Answer):
    """What one player would get."""

    player = Text()
    chips = Whole(metadata=says("In hand."))
    borrowed = Whole(metadata=says("Of these, what goes back to the bank."))
    won = Whole(metadata=says("Of these, what was won or, if negative, lost."))
    money = Whole(
        allow_none=True,
        metadata=says(
            "In minor units; null while it is not known, as there is no rate or "
            "something comes first."
        ),
    )


class ConversionQuoteSchema(Answer):
    """What everybody would get. Nothing is saved."""

    currency = Text()
    rate = Part(RateSchema, allow_none=True)
    paid_before = Whole(metadata=says("What those who left were paid, in minor units."))
    players = Rows(Part(QuoteSchema), metadata=says("Clockwise."))
    waits = Table(
        values=Whole(),
        metadata=says(
            "What comes first, with its chips: pots and `differences` have to come to 0; `world` "
            "is named while a hand played for scores counts, whatever the scores come to in total."
        ),
    )


class ClubMoneyDraft(Shape):
    """What of a club's money is to change."""

    currency = Text(
        load_default=None, allow_none=True, metadata=says("Three letters (ISO 4217), such as EUR.")
    )
    denominations = Rows(
        Whole(),
        load_default=None,
        allow_none=True,
        validate=Length(max=100, error="100 chip values are more than any club has."),
        metadata=says("The values of the club's chips."),
    )


class ClubMoneySchema(Answer):
    """What a club's money and chips are."""

    currency = Text()
    decimals = Whole(
        metadata=says(
            "How many decimals the currency has; amounts are whole numbers, so with 2 "
            "decimals 1250 is 12.50."
        )
    )
    denominations = Rows(Whole(), metadata=says("The values of its chips, smallest first."))


class OwedSchema(Answer):
    """A player's money."""

    player = Text()
    balance = Whole(metadata=says("What the others owe them or, if negative, they owe the others."))


class UnfinishedSchema(Answer):
    """A session somebody was cashed out of for money while the others' chips are still chips."""

    id = Whole()
    title = Text()
    state = Text(
        metadata=says("If closed, reopen it first.", enum=[state.value for state in SessionState])
    )
    left = Rows(
        Part(OwedSchema),
        metadata=says("Who was cashed out, and what they get for it or, if negative, owe."),
    )


class WinningsSchema(Answer):
    """What somebody won of chips that are worth money and no money yet."""

    player = Text()
    chips = Whole(metadata=says("Negative: they lost them."))


class UnconvertedSchema(Answer):
    """A session played at a rate, some of whose chips are no money yet."""

    id = Whole()
    title = Text()
    state = Text(
        metadata=says("If closed, reopen it first.", enum=[state.value for state in SessionState])
    )
    players = Rows(Part(WinningsSchema), metadata=says("Whose chips they are."))


class SettleUpSchema(Answer):
    """The money of a club as it stands."""

    currency = Text()
    balances = Rows(Part(OwedSchema), metadata=says(f"Of everybody who is not even. {_MINOR}"))
    payments = Rows(
        Part(PaymentSchema), metadata=says("The fewest possible, for up to twelve players.")
    )
    unfinished = Rows(
        Part(UnfinishedSchema),
        metadata=says(
            "While there is one, no payments are proposed: cash in its chips, or undo the "
            "leaving, first. Payments can be marked as made all the same."
        ),
    )
    unconverted = Rows(
        Part(UnconvertedSchema),
        metadata=says("The proposed payments leave out their chips until they are cashed in."),
    )


class PaymentDraft(Shape):
    """A payment that was made, of all that was owed, a part, or more."""

    payer = Text(required=True, metadata=says("A player of the club."))
    payee = Text(required=True, metadata=says("A player of the club."))
    amount = Minor(required=True, metadata=says(f"Above zero. {_MINOR}"))
    reason = Text(load_default=None, allow_none=True, metadata=says("Why, for the history."))
    paid_at = Moment(
        load_default=None,
        allow_none=True,
        metadata=says("When it was paid, from 1900 to now; if left out, now."),
        error_messages=_MOMENTS,
    )
    seen = Whole(
        load_default=None,
        allow_none=True,
        metadata=says(
            "The payer's balance when you looked, from `GET /club/settlement`. If it has moved "
            "since, nothing is written (412), so that two people who mark the same payment record it once."
        ),
    )


class WrittenPaymentSchema(Answer):
    """A payment as it was entered."""

    entry = Whole(metadata=says("The journal entry; it can be undone."))
    currency = Text()
    balances = Table(
        values=Whole(), metadata=says("What both are owed or, if negative, owe after it.")
    )


class PaymentTakenBackSchema(Answer):
    """A payment taken back."""

    entry = Whole(metadata=says("The reversal."))
    takes_back = Whole(metadata=says("The payment's entry."))


class StatementLineSchema(Answer):
    """One posting on a player's money account."""

    entry = Whole()
    kind = Text(metadata=says("`cash-out`, `conversion`, `payment` or `reversal`."))
    session = Text(allow_none=True, metadata=says("The title of its session."))
    others = Rows(Text(), metadata=says("The players on the other side."))
    amount = Whole(metadata=says("What came in or, if negative, went out."))
    balance = Whole(metadata=says("The balance after it."))
    author = Text()
    reason = Text(allow_none=True)
    occurred_at = Moment()
    entered_at = Moment()
    taken_back = Flag(metadata=says("Whether a later entry reverses it."))


class StatementSchema(Answer):
    """A player's money, newest first."""

    player = Text()
    currency = Text()
    balance = Whole()
    lines = Rows(Part(StatementLineSchema), metadata=says("One page of them."))
    unfinished = Rows(
        Part(UnfinishedSchema), metadata=says("While there is one, a balance of 0 is not even yet.")
    )
    unconverted = Rows(
        Part(UnconvertedSchema),
        metadata=says("Those in which this player still has chips to cash in."),
    )


class BalanceQuery(Shape):
    """The time a balance is asked for."""

    at = Moment(
        required=True,
        validate=_in_the_calendar,
        metadata=says("A time with its offset, such as 2026-01-31T21:15:00Z."),
        error_messages=_MOMENTS,
    )


class BalanceSchema(Answer):
    """What an account held."""

    account = Whole()
    at = Moment()
    balance = Whole()
