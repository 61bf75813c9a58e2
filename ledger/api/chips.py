"""Chips that no hand moves: the bank, what the table agrees on, counting, and paying in chips."""

from typing import Any

from ledger.api.access import Read, reader
from ledger.api.blueprint import SESSION, Blueprint
from ledger.api.schemas import chips as shapes
from ledger.api.schemas.evening import ChangedTableSchema
from ledger.services.chips import adjust, bank, count, payout
from ledger.services.common.writing import DryRun, Write

blueprint = Blueprint("chips", __name__, "The bank, pots and counted chips of a session.")
Json = dict[str, Any]

_COUNT = {"counts": {"Ann": {"5": 6, "20": 6}}}


@blueprint.writes(f"{SESSION}/loans", ChangedTableSchema, 201)
@blueprint.takes(shapes.Exchange, examples={"a loan": {"player": "Bob", "chips": 150}})
def lend_chips(write: Write, sent: Json, session_id: int) -> Any:
    """Lend a player chips from the bank: more in hand, nothing won."""
    return bank.lend(write, session_id, **sent)


@blueprint.writes(f"{SESSION}/repayments", ChangedTableSchema, 201)
@blueprint.takes(shapes.Exchange, examples={"a part of it": {"player": "Bob", "chips": 100}})
def repay_chips(write: Write, sent: Json, session_id: int) -> Any:
    """Take chips back from a player, at most what the bank gave them."""
    return bank.take_repayment(write, session_id, **sent)


@blueprint.writes(f"{SESSION}/adjustments", ChangedTableSchema, 201)
@blueprint.takes(
    shapes.Adjustment,
    examples={"found": {"player": "Bob", "chips": 20, "reason": "under the table"}},
)
def adjust_chips(write: Write, sent: Json, session_id: int) -> Any:
    """Give a player chips, or take them: from the account of differences, or from a pot."""
    return adjust.adjust(write, session_id, **sent)


@blueprint.writes(f"{SESSION}/pots/share", ChangedTableSchema)
@blueprint.takes(shapes.Sharing, examples={"the end": {"reason": "the last hand is played"}})
def share_pots(write: Write, sent: Json, session_id: int) -> Any:
    """Divide every pot equally among those who play; what is left over goes clockwise."""
    return adjust.share_pots(write, session_id, **sent)


@blueprint.writes(f"{SESSION}/differences/share", ChangedTableSchema)
@blueprint.takes(shapes.Sharing, examples={"agreed": {"reason": "nobody knows where they went"}})
def share_differences(write: Write, sent: Json, session_id: int) -> Any:
    """Let those who play bear in equal parts what counts of chips left over or short."""
    return adjust.share_differences(write, session_id, **sent)


@blueprint.writes(f"{SESSION}/counts", shapes.WrittenCountSchema, 201, dry_run=True)
@blueprint.takes(
    shapes.CountDraft, examples={"Ann's": {**_COUNT, "post": True, "reason": "agreed"}}
)
def count_chips(write: Write | DryRun, sent: Json, session_id: int) -> Any:
    """Compare a count of chips with the ledger and record it; with `post` the ledger is adjusted to it."""
    return count.record(write, session_id, **sent)


@blueprint.reads(f"{SESSION}/chips", shapes.HoldingSchema(many=True))
def show_chips(read: Read, session_id: int) -> list[Json]:
    """Show the chips each player at the table should be holding, clockwise."""
    held = payout.holdings(read.session, session_id)
    return [{"player": player, "pieces": pieces} for player, pieces in held.items()]


@blueprint.serves(
    "POST", f"{SESSION}/chips/payout", shapes.ChipPaymentSchema(many=True), let_in=reader
)
@blueprint.takes(
    shapes.PayoutDraft,
    examples={"40 each": {"transfers": [{"from": "Cyd", "to": "Ann", "amount": 40}]}},
)
def show_payout(read: Read, sent: Json, session_id: int) -> Any:
    """Say how a payout can be paid in chips with what each payer should be holding.

    Send the transfers of a hand's dry run, before the hand is recorded. Nothing is written.
    """
    transfers = [(each["from"], each["to"], each["amount"]) for each in sent["transfers"]]
    return payout.in_chips(read.session, session_id, transfers)
