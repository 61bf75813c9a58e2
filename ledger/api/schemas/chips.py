"""Chips that no hand moves: loans, adjustments, counts, and how a payout is paid, as sent and answered."""

from collections.abc import Mapping
from typing import Any

from marshmallow import ValidationError, fields

from engine.words.sentences import say
from ledger.api.schemas.base import (
    Answer,
    Flag,
    Length,
    Part,
    Range,
    Regexp,
    Rows,
    Shape,
    Table,
    Text,
    Whole,
    answer,
)
from ledger.api.schemas.evening import PlayerHere
from ledger.services.chips.change import ChipPayment
from ledger.services.chips.count import Comparison, CountedChips
from ledger.services.common.stakes import MOST_CHIPS

MOST_TRANSFERS = 100
"""More than any hand has; each takes some time to find pieces for."""

_WHY = "Why; shown in the history. Up to 500 characters."


class Keyed(Table):
    """An object with keys of the sender's own; what is wrong is named by its key, and no step beyond."""

    def _deserialize(self, value: Any, *given: Any, **more: Any) -> Any:
        try:
            return super()._deserialize(value, *given, **more)  # type: ignore[no-untyped-call]
        except ValidationError as error:
            raise ValidationError(_unkeyed(error.messages)) from error


def _unkeyed(messages: Any) -> Any:
    """Return messages without the steps ``key`` and ``value``, which nobody sent."""
    if not isinstance(messages, Mapping):
        return messages
    return {
        place: told.get("value", told.get("key")) if isinstance(told, Mapping) else told
        for place, told in messages.items()
    }


class Pieces(Keyed):
    """How many pieces of each denomination: ``{"5": 6, "20": 6}``."""

    def __init__(self, **settings: Any) -> None:
        value = fields.String(
            validate=Regexp(
                r"^[1-9][0-9]{0,8}\Z", error=say("A chip's value belongs here, such as 20.")
            )
        )
        super().__init__(keys=value, values=Whole(), **settings)

    def _deserialize(self, value: Any, *given: Any, **more: Any) -> Any:
        read = super()._deserialize(value, *given, **more)
        return {int(chip): number for chip, number in read.items()}


class Exchange(PlayerHere):
    """Chips between the bank and a player."""

    chips = Whole("Above zero.", required=True)
    reason = Text("Why, for the history.", optional=True)


class Adjustment(PlayerHere):
    """What the table agrees on that no hand says."""

    chips = Whole("What the player gets or, if negative, gives.", required=True)
    reason = Text(_WHY, required=True)
    pot = Text("The pot on the other side; if left out, the account of differences.", optional=True)


class Sharing(Shape):
    """Why something is shared out."""

    reason = Text("Why, for the history.", optional=True)


class CountDraft(Shape):
    """A count, to be compared with the ledger and recorded."""

    counts = Keyed(
        "By player, how many pieces of each of the club's denominations.",
        keys=Text(),
        values=Pieces(),
        required=True,
    )
    post = Flag(
        "Whether to adjust the ledger to what was counted.",
        load_default=False,
        truthy={True},
        falsy={False},
        error_messages={"invalid": say("Send true or false."), "null": say("This can't be null.")},
    )
    reason = Text("Why, for the history.", optional=True)


answer("Counted", CountedChips, "difference", without={"seat_id", "pieces"})
WrittenCountSchema = answer(
    "WrittenCount",
    Comparison,
    "difference",
    entry=Whole("The adjustment made, if any.", allow_none=True),
    differences=Table("How much too much, or too little, each player had.", values=Whole()),
)


class TransferDraft(Shape):
    """One payment of a payout."""

    from_ = Text("A player, or a pot.", required=True, data_key="from", attribute="from")
    to = Text(
        "A player or a pot: `frog pot` or `solo pot`, as a hand's verdict has it.", required=True
    )
    amount = Whole(
        required=True,
        validate=Range(
            1, MOST_CHIPS, error=say("A payment is of 1 to {most:,} chips.", most=MOST_CHIPS)
        ),
    )


class PayoutDraft(Shape):
    """A payout, as a hand's verdict has it."""

    transfers = Rows(
        Part(TransferDraft),
        "In the order they are paid.",
        required=True,
        validate=Length(
            max=MOST_TRANSFERS, error=say("At most {most} payments.", most=MOST_TRANSFERS)
        ),
    )


ChipPaymentSchema = answer("ChipPayment", ChipPayment)


class HoldingSchema(Answer):
    """What a player should be holding."""

    player = Text()
    pieces = Table("How many of each denomination.", values=Whole())
