"""Correcting, voiding and restoring hands, with the later hands that follow from the change.

A correction reverses the hand's entry and posts a new one; a voiding only reverses it. Every version is kept
for the history. At a table with pots, every later hand is recalculated for the contents of the pots after the
change. A closed evening stays closed, and if its chips were cashed in, so are the differences.
"""

from dataclasses import replace

from ledger.database.models import SessionState
from ledger.services.common import reasons
from ledger.services.common.writing import WriteContext, WritePlan, WriteResponse, plans
from ledger.services.hands import after_cashing_in, after_leaving, posting
from ledger.services.hands import plan as hands_plan
from ledger.services.hands import preview as previews
from ledger.services.hands.draft import HandDraft
from ledger.services.hands.plan import PlannedChange
from ledger.services.hands.preview import Preview, Recalculated
from ledger.services.session.hand_versions import AFTER_HAND, BY_HAND, Cause, HandChange
from ledger.services.session.load import advance, find_row, not_paused
from ledger.services.session.view import SessionView, load_ahead


@plans("correct hand", load_ahead)
def correct(
    tx: WriteContext, session_id: int, number: int, hand: HandDraft, *, reason: str = ""
) -> WritePlan[Preview]:
    """Correct a hand, by the rules it was scored by, and pay the difference to everybody's balance.

    Later hands are recalculated if the pots change. Raises the errors of ``record.record``, and ``NotFound``,
    ``AlreadyVoid``, ``Unchanged``, ``PotsSpent``, ``PotTooFull``, ``CannotStand`` if a later hand can't be
    recalculated, ``Invalid`` without a ``reason``, which a dry run does not need.
    """
    view = not_paused(tx, session_id)
    plan = hands_plan.plan_correction(tx.session, view, number, hand)
    return prepared(tx, view, plan, reason)


@plans("void hand", load_ahead)
def void(tx: WriteContext, session_id: int, number: int, *, reason: str = "") -> WritePlan[Preview]:
    """Void a hand: remove it from every balance and sum; it stays in the history.

    Later hands are recalculated if the pots change. Raises the errors of ``correct`` except ``Unchanged``.
    """
    view = not_paused(tx, session_id)
    return prepared(tx, view, hands_plan.plan_voiding(tx.session, view, number), reason)


@plans("restore hand", load_ahead)
def restore(
    tx: WriteContext, session_id: int, number: int, *, reason: str = ""
) -> WritePlan[Preview]:
    """Restore the last content of a void hand, so that it counts again; its pots are those it would have had.

    Raises ``NotVoid``, and the errors of ``void`` except ``AlreadyVoid``.
    """
    view = not_paused(tx, session_id)
    return prepared(tx, view, hands_plan.plan_restoring(tx.session, view, number), reason)


def prepared(
    tx: WriteContext,
    view: SessionView,
    plan: PlannedChange,
    reason: str,
    cause: Cause = BY_HAND,
    *,
    cash_in: bool = True,
) -> WritePlan[Preview]:
    """Return the write plan of a planned change of a hand, with the later hands that follow, in order.

    ``cause`` is that of the first change: an undo, a redo, or a decision. With ``cash_in``, chips that it
    moves in a closed evening become money if the others did. Raises ``BalanceTooLarge`` and,
    only when it is carried out, ``Invalid`` without a ``reason``.
    """
    first, *later = plan.changes
    new, unit = first.new, first.new.unit
    cashed_in = after_cashing_in.plan(tx.session, view, plan) if cash_in else None
    moved = posting.together(plan.moved, after_cashing_in.chips(cashed_in, view))
    preview = Preview(
        new.record if first.after else None,
        plan.verdict,
        previews.balances(view, moved, unit),
        view.revision,
        previews.moves(tx.session, view, moved, unit)
        + (
            after_cashing_in.money(tx.session, cashed_in, plan.settlings)
            if cashed_in
            else after_leaving.money(tx.session, view, plan.settlings)
        ),
        tuple(recalculated(view, change) for change in later),
        previews.of_hand(new),
        tuple(settling.sums for settling in plan.settlings),
        cashed_in.sums if cashed_in else (),
    )

    def carry_out() -> WriteResponse:
        why = reasons.clean(reason)
        changes = [
            first.because(why, cause),
            *(
                change.because(f"hand {new.number} {new.action}: {why}", {AFTER_HAND: new.number})
                for change in later
            ),
        ]
        posting.write(tx, view, changes)
        if cashed_in:
            after_cashing_in.write(tx, view, cashed_in, new.number, why)
        elif view.state == SessionState.CLOSED:
            seats = after_cashing_in.seats_after(view, plan)
            find_row(tx.session, view.id).unconverted = bool(replace(view, seats=seats).unconverted)
        return previews.written(tx, advance(tx, view))

    return WritePlan(preview, carry_out)


def recalculated(view: SessionView, change: HandChange) -> Recalculated:
    """Return the preview of a later hand: its pots, and the differences of its payments that are not 0."""
    names = {seat.id: seat.name for seat in view.seats}
    deltas = {names[seat_id]: amount for seat_id, amount in change.gains.items() if amount}
    return Recalculated(change.new.number, change.new.record["pots"], deltas)
