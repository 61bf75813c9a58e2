"""Chips that no hand moves: loans, adjustments, counts, and how a payout is paid, as sent and answered."""

from collections.abc import Mapping
from typing import Any

from marshmallow import ValidationError, fields
from marshmallow.validate import Length, Range, Regexp

from ledger.api.schemas.base import Answer, Part, Rows, Shape, Table, Text, Whole, says
from ledger.api.schemas.evening import PlayerHere
from ledger.services.chips.bank import MOST_CHIPS

MOST_TRANSFERS = 100
"""More than any hand has; each takes some time to find pieces for."""

_WHY = "Why; shown in the history. Up to 500 characters."


class PiecesField(fields.Dict):
    """How many pieces of each denomination: ``{"5": 6, "20": 6}``. A wrong one is named by its value."""

    default_error_messages = Table.default_error_messages

    def __init__(self, **settings: Any) -> None:
        value = fields.String(
            validate=Regexp(r"^[1-9][0-9]{0,8}\Z", error="A chip's value belongs here, such as 20.")
        )
        super().__init__(keys=value, values=Whole(), **settings)

    def _deserialize(self, value: Any, *given: Any, **more: Any) -> Any:
        try:
            read = super()._deserialize(value, *given, **more)  # type: ignore[no-untyped-call]
        except ValidationError as error:
            raise ValidationError(unkeyed(error.messages)) from error
        return {int(chip): number for chip, number in read.items()}


class CountsField(fields.Dict):
    """What was counted, by player."""

    default_error_messages = Table.default_error_messages

    def __init__(self, **settings: Any) -> None:
        super().__init__(keys=Text(), values=PiecesField(), **settings)

    def _deserialize(self, value: Any, *given: Any, **more: Any) -> Any:
        try:
            return super()._deserialize(value, *given, **more)  # type: ignore[no-untyped-call]
        except ValidationError as error:
            raise ValidationError(unkeyed(error.messages)) from error


def unkeyed(messages: Any) -> Any:
    """Return messages without the steps ``key`` and ``value``, which nobody sent."""
    if not isinstance(messages, Mapping):
        return messages
    return {
        place: told.get("value", told.get("key")) if isinstance(told, Mapping) else told
        for place, told in messages.items()
    }


class Exchange(PlayerHere):
    """Chips between the bank and a player."""

    chips = Whole(required=True, metadata=says("Above zero."))
    reason = Text(load_default=None, allow_none=True, metadata=says("Why, for the history."))


class Adjustment(PlayerHere):
    """What the table agrees on that no hand says."""

    chips = Whole(required=True, metadata=says("What the player gets or, if negative, gives."))
    reason = Text(required=True, metadata=says(_WHY))
    pot = Text(
        load_default=None,
        allow_none=True,
        metadata=says("The pot on the other side; if left out, the account of differences."),
    )


class Sharing(Shape):
    """Why something is shared out."""

    reason = Text(load_default=None, allow_none=True, metadata=says("Why, for the history."))


class CountQuery(Shape):
    """A count to be held against the ledger."""

    counts = CountsField(
        required=True,
        metadata=says("By player, how many pieces of each of the club's denominations."),
    )


class CountDraft(CountQuery):
    """A count to be written down."""

    post = fields.Boolean(
        load_default=False,
        truthy={True},
        falsy={False},
        metadata=says("Whether to adjust the ledger to what was counted."),
        error_messages={"invalid": "true or false belongs here.", "null": "This can't be null."},
    )
    reason = Text(load_default=None, allow_none=True, metadata=says("Why, for the history."))


class CountedSchema(Answer):
    """One player's chips."""

    player = Text()
    counted = Whole(metadata=says("What the pieces are worth."))
    expected = Whole(metadata=says("What the ledger says."))
    difference = Whole(
        metadata=says("How many chips too many are on the table or, if negative, too few.")
    )


class ComparisonSchema(Answer):
    """A count held against the ledger. Nothing is saved."""

    players = Rows(Part(CountedSchema), metadata=says("Clockwise."))
    difference = Whole(metadata=says("The sum of the differences."))


class WrittenCountSchema(Answer):
    """A count written down."""

    session = Whole()
    revision = Whole(metadata=says("The session's revision after it."))
    entry = Whole(allow_none=True, metadata=says("The adjustment made, if any."))
    differences = Table(
        values=Whole(), metadata=says("How much too much, or too little, each player had.")
    )
    difference = Whole(metadata=says("The sum of the differences."))


class TransferDraft(Shape):
    """One payment of a payout."""

    from_ = Text(
        required=True, data_key="from", attribute="from", metadata=says("A player, or a pot.")
    )
    to = Text(
        required=True,
        metadata=says("A player or a pot: `frog pot` or `solo pot`, as in a preview."),
    )
    amount = Whole(
        required=True,
        validate=Range(1, MOST_CHIPS, error=f"A payment is of 1 to {MOST_CHIPS:,} chips."),
    )


class PayoutDraft(Shape):
    """A payout, as a hand's preview shows it."""

    transfers = Rows(
        Part(TransferDraft),
        required=True,
        validate=Length(max=MOST_TRANSFERS, error=f"At most {MOST_TRANSFERS} payments."),
        metadata=says("In the order they are paid."),
    )


class ChipPaymentSchema(Answer):
    """How one payment is made with what the payer should be holding."""

    payer = Text()
    payee = Text()
    amount = Whole()
    pieces = Table(values=Whole(), metadata=says("The pieces handed over, by value."))
    gives = Table(values=Whole(), metadata=says("What the payer changes with the bank first."))
    gets = Table(values=Whole(), metadata=says("What the bank gives for it."))
    borrows = Table(values=Whole(), metadata=says("What the payer borrows from the bank."))
    rest = Whole(metadata=says("What no chips can pay, to be remembered."))


class HoldingSchema(Answer):
    """What a player should be holding."""

    player = Text()
    pieces = Table(values=Whole(), metadata=says("How many of each denomination."))
