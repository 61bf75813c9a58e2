"""Schemas of chips moved outside hands: loans, adjustments, counts and payouts."""

from collections.abc import Mapping
from typing import Any

from marshmallow import ValidationError, fields

from engine.words.sentences import say
from ledger.api.schemas.base import (
    Flag,
    Length,
    Part,
    Range,
    Regexp,
    ResponseShape,
    Rows,
    Shape,
    Table,
    Text,
    WholeNumber,
    shape_of,
)
from ledger.api.schemas.evening import PlayerHere
from ledger.services.chips.change import ChipPayment
from ledger.services.chips.count import Comparison, CountedChips
from ledger.services.common.stakes import MOST_CHIPS

MOST_TRANSFERS = 100
"""More than any hand has; a limit because finding the pieces takes time for each."""

_WHY = "Why; shown in the history. Up to 500 characters."


class Keyed(Table):
    """An object with arbitrary keys that reports errors under the key itself."""

    def _deserialize(self, value: Any, *args: Any, **more: Any) -> Any:
        try:
            return super()._deserialize(value, *args, **more)  # type: ignore[no-untyped-call]
        except ValidationError as error:
            raise ValidationError(_unkeyed(error.messages)) from error


def _unkeyed(messages: Any) -> Any:
    """Return messages without marshmallow's levels ``key`` and ``value``, which the body does not have."""
    if not isinstance(messages, Mapping):
        return messages
    return {
        place: message.get("value", message.get("key")) if isinstance(message, Mapping) else message
        for place, message in messages.items()
    }


class Pieces(Keyed):
    """The number of pieces of each denomination: ``{"5": 6, "20": 6}``."""

    def __init__(self, **settings: Any) -> None:
        value = fields.String(
            validate=Regexp(
                r"^[1-9][0-9]{0,8}\Z", error=say("A chip's value belongs here, such as 20.")
            )
        )
        super().__init__(keys=value, values=WholeNumber(), **settings)

    def _deserialize(self, value: Any, *args: Any, **more: Any) -> Any:
        read = super()._deserialize(value, *args, **more)
        return {int(chip): number for chip, number in read.items()}


class ExchangeSchema(PlayerHere):
    """Chips between the bank and a player."""

    chips = WholeNumber("Above zero.", required=True)
    reason = Text("Why, for the history.", optional=True)


class Adjustment(PlayerHere):
    """Chips moved by agreement, outside any hand."""

    chips = WholeNumber("What the player gets or, if negative, gives.", required=True)
    reason = Text(_WHY, required=True)
    pot = Text("The pot on the other side; if left out, the account of differences.", optional=True)


class Sharing(Shape):
    """The reason for dividing pots or differences."""

    reason = Text("Why, for the history.", optional=True)


class CountDraft(Shape):
    """Counted chips, to be compared with the ledger and recorded."""

    counts = Keyed(
        "By player, how many pieces of each of the club's denominations.",
        keys=Text(),
        values=Pieces(),
        required=True,
    )
    post = Flag(
        "Whether to adjust the ledger to what was counted.",
        load_default=False,
    )
    reason = Text("Why, for the history.", optional=True)


shape_of("Counted", CountedChips, "difference", without={"seat_id", "pieces"})
WrittenCountSchema = shape_of(
    "WrittenCount",
    Comparison,
    "difference",
    entry=WholeNumber("The adjustment made, if any.", allow_none=True),
    differences=Table("How much too much, or too little, each player had.", values=WholeNumber()),
)


class TransferDraft(Shape):
    """One payment of a payout."""

    from_ = Text("A player, or a pot.", required=True, data_key="from", attribute="from")
    to = Text(
        "A player or a pot: `frog pot` or `solo pot`, as a hand's verdict has it.", required=True
    )
    amount = WholeNumber(
        required=True,
        validate=Range(
            1, MOST_CHIPS, error=say("A payment is of 1 to {most:,} chips.", most=MOST_CHIPS)
        ),
    )


class PayoutDraft(Shape):
    """A payout, with the transfers of a hand's verdict."""

    transfers = Rows(
        Part(TransferDraft),
        "In the order they are paid.",
        required=True,
        validate=Length(
            max=MOST_TRANSFERS, error=say("At most {most} payments.", most=MOST_TRANSFERS)
        ),
    )


ChipPaymentSchema = shape_of("ChipPayment", ChipPayment)


class HoldingSchema(ResponseShape):
    """The chips that a player should be holding."""

    player = Text()
    pieces = Table("How many of each denomination.", values=WholeNumber())
