"""Chips moved outside hands: loans, adjustments, counts and payouts."""

from typing import Any

from ledger.api.access import Read, reader
from ledger.api.blueprint import SESSION, Blueprint, Json
from ledger.api.schemas import chips as shapes
from ledger.api.schemas.evening import ChangedTableSchema
from ledger.services.chips import adjust, bank, count, payout
from ledger.services.common.writing import DryRun, Write

blueprint = Blueprint("chips", __name__, "The bank, pots and counted chips of a session.")

_COUNT = {"counts": {"Ann": {"5": 6, "20": 6}}}


@blueprint.writes(f"{SESSION}/loans", ChangedTableSchema, 201)
@blueprint.accepts(shapes.ExchangeSchema, examples={"a loan": {"player": "Bob", "chips": 150}})
def lend_chips(write: Write, body: Json, session_id: int) -> Any:
    """Lend a player chips from the bank: more in hand, nothing won."""
    return bank.lend(write, session_id, **body)


@blueprint.writes(f"{SESSION}/repayments", ChangedTableSchema, 201)
@blueprint.accepts(
    shapes.ExchangeSchema, examples={"a part of it": {"player": "Bob", "chips": 100}}
)
def repay_chips(write: Write, body: Json, session_id: int) -> Any:
    """Take chips back from a player, up to the amount lent."""
    return bank.take_repayment(write, session_id, **body)


@blueprint.writes(f"{SESSION}/adjustments", ChangedTableSchema, 201)
@blueprint.accepts(
    shapes.Adjustment,
    examples={"found": {"player": "Bob", "chips": 20, "reason": "under the table"}},
)
def adjust_chips(write: Write, body: Json, session_id: int) -> Any:
    """Give a player chips, or take them: from the account of differences, or from a pot."""
    return adjust.adjust(write, session_id, **body)


@blueprint.writes(f"{SESSION}/pots/share", ChangedTableSchema)
@blueprint.accepts(shapes.Sharing, examples={"the end": {"reason": "the last hand is played"}})
def share_pots(write: Write, body: Json, session_id: int) -> Any:
    """Divide every pot equally among the players at the table; the remainder goes clockwise."""
    return adjust.share_pots(write, session_id, **body)


@blueprint.writes(f"{SESSION}/differences/share", ChangedTableSchema)
@blueprint.accepts(shapes.Sharing, examples={"agreed": {"reason": "nobody knows where they went"}})
def share_differences(write: Write, body: Json, session_id: int) -> Any:
    """Divide the account of differences, left by counts of chips, equally among the players at the table."""
    return adjust.share_differences(write, session_id, **body)


@blueprint.writes(f"{SESSION}/counts", shapes.WrittenCountSchema, 201, dry_run=True)
@blueprint.accepts(
    shapes.CountDraft, examples={"Ann's": {**_COUNT, "post": True, "reason": "agreed"}}
)
def count_chips(write: Write | DryRun, body: Json, session_id: int) -> Any:
    """Compare a count of chips with the ledger and record it; with `post` the ledger is adjusted to it."""
    return count.record(write, session_id, **body)


@blueprint.reads(f"{SESSION}/chips", shapes.HoldingSchema(many=True))
def show_chips(read: Read, session_id: int) -> list[Json]:
    """Show the chips each player at the table should be holding, clockwise."""
    holdings = payout.holdings(read.session, session_id)
    return [{"player": player, "pieces": pieces} for player, pieces in holdings.items()]


@blueprint.serves(
    "POST", f"{SESSION}/chips/payout", shapes.ChipPaymentSchema(many=True), let_in=reader
)
@blueprint.accepts(
    shapes.PayoutDraft,
    examples={"40 each": {"transfers": [{"from": "Cyd", "to": "Ann", "amount": 40}]}},
)
def show_payout(read: Read, body: Json, session_id: int) -> Any:
    """Show how a payout can be paid with the chips that each payer should be holding.

    Send the transfers of a hand's dry run, before the hand is recorded. Nothing is written.
    """
    transfers = [
        (transfer["from"], transfer["to"], transfer["amount"]) for transfer in body["transfers"]
    ]
    return payout.in_chips(read.session, session_id, transfers)
