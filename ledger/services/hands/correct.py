"""Changing what was recorded: a hand corrected, voided or restored, with all that follows from it.

A correction reverses the hand's entry and makes a new one; a voiding only reverses it; old versions stay
for the history. Where the table plays for pots, every later hand is recalculated for what the pots then
hold. A dry run makes the same plan, and shows it.
"""

from ledger.database.models import HandState
from ledger.services.common import reasons
from ledger.services.common.writing import WriteContext, WritePlan, WriteResponse, plans
from ledger.services.hands import after_leaving, posting, versions
from ledger.services.hands import plan as hands_plan
from ledger.services.hands import preview as previews
from ledger.services.hands.draft import Draft
from ledger.services.hands.plan import PlannedChange
from ledger.services.hands.preview import Preview, Recalculated
from ledger.services.hands.stored import HandChange
from ledger.services.session.load import advance, opened
from ledger.services.session.steps import AFTER_HAND, BY_HAND, Cause
from ledger.services.session.view import SessionView


@plans("correct hand")
def correct(
    tx: WriteContext, session_id: int, number: int, hand: Draft, *, reason: str = ""
) -> WritePlan[Preview]:
    """Correct hand ``number``, by the rules it was played by, and move every balance by the difference.

    Raises what ``hands.record`` raises, and ``NotFound``, ``AlreadyVoid``, ``Unchanged``, ``PotsSpent``,
    ``PotTooFull``, ``CannotStand`` where a hand that follows can't be recalculated, ``Invalid`` where no
    ``reason`` is given, which a dry run does not need.
    """
    view = opened(tx, session_id)
    plan = hands_plan.plan_correction(tx.session, view, number, hand)
    return prepared(tx, view, plan, reason)


@plans("void hand")
def void(tx: WriteContext, session_id: int, number: int, *, reason: str = "") -> WritePlan[Preview]:
    """Take hand ``number`` out of every balance; it stays in the history.

    Raises what ``correct`` raises, but for ``Unchanged``.
    """
    view = opened(tx, session_id)
    return prepared(tx, view, hands_plan.plan_voiding(tx.session, view, number), reason)


@plans("restore hand")
def restore(
    tx: WriteContext, session_id: int, number: int, *, reason: str = ""
) -> WritePlan[Preview]:
    """Restore void hand ``number`` as it last was. Raises ``NotVoid``, and what ``void`` raises."""
    view = opened(tx, session_id)
    return prepared(tx, view, hands_plan.plan_restoring(tx.session, view, number), reason)


def prepared(
    tx: WriteContext, view: SessionView, plan: PlannedChange, reason: str, cause: Cause = BY_HAND
) -> WritePlan[Preview]:
    """Return the preview of a plan; carried out, it writes the changes of all hands at once, in order.

    ``cause`` is that of the change asked for: an undo, a redo, or somebody's decision.
    """
    first, moved, unit = plan.first, plan.moved, plan.first.says.unit
    state = HandState.VOID if first.new is None else HandState.STANDING
    shown = Preview(
        first.new and first.new.record,
        plan.verdict,
        previews.balances(view, moved, unit),
        view.revision,
        previews.moves(tx.session, view, moved, unit)
        + after_leaving.money(tx.session, view, plan.settlings),
        tuple(recalculated(view, change) for change in plan.changes[1:]),
        previews.of_hand(view.id, first.hand.number, first.hand.version + 1, state),
        tuple(each.shown for each in plan.settlings),
    )

    def carry_out() -> WriteResponse:
        why = reasons.clean(reason)
        following = versions.reason_to_follow(first.hand.number, first.action, why)
        after: Cause = {AFTER_HAND: first.hand.number}
        later = [(change._replace(cause=after), following) for change in plan.changes[1:]]
        posting.write(tx, view, [(first._replace(cause=cause), why), *later])
        return previews.written(tx, advance(tx, view))

    return WritePlan(shown, carry_out)


def recalculated(view: SessionView, change: HandChange) -> Recalculated:
    """Say what a later hand is then played for, and what it pays more."""
    assert change.new is not None
    names = {seat.id: seat.name for seat in view.seats}
    return Recalculated(
        change.hand.number,
        change.new.record["pots"],
        {names[seat_id]: amount for seat_id, amount in change.more.items() if amount},
    )
