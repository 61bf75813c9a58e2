"""Changing what was recorded: a hand corrected, voided or restored, with all that follows from it.

A correction reverses the hand's entry and makes a new one; a voiding only reverses it; old versions stay
for the history. Where the table plays for pots, every later hand is recalculated for what the pots then
hold. A preview makes the same plan as saving does, and shows it.
"""

from collections.abc import Callable, Mapping
from typing import Any

from ledger.models import HandState, PlaySession
from ledger.scope import ScopedSession
from ledger.services.common import reasons
from ledger.services.common.writing import Answer, Writing, writes
from ledger.services.hands import plan as hands_plan
from ledger.services.hands import posting, record, versions
from ledger.services.hands import preview as previews
from ledger.services.hands.cascade import Change
from ledger.services.hands.draft import Draft
from ledger.services.hands.plan import Plan
from ledger.services.hands.preview import Followed, Preview
from ledger.services.hands.stored import Written
from ledger.services.session import load as session_load
from ledger.services.session import view as session_view
from ledger.services.session.load import open_view
from ledger.services.session.view import SessionView

Planner = Callable[[ScopedSession, SessionView], Plan]


def preview(session: ScopedSession, session_id: int, number: int, draft: Draft) -> Preview:
    """Show what correcting hand ``number`` would do. Raises what ``correct`` raises."""
    return _preview(session, session_id, _correcting(number, draft))


def preview_void(session: ScopedSession, session_id: int, number: int) -> Preview:
    """Show what voiding hand ``number`` would do. Raises what ``void`` raises."""
    return _preview(session, session_id, _voiding(number))


def preview_restore(session: ScopedSession, session_id: int, number: int) -> Preview:
    """Show what restoring hand ``number`` would do. Raises what ``restore`` raises."""
    return _preview(session, session_id, _restoring(number))


@writes("correct hand")
def correct(tx: Writing, session_id: int, number: int, hand: Draft, *, reason: str) -> Answer:
    """Correct hand ``number``, by the rules it was played by, and move every balance by the difference.

    Raises what ``hands.record`` raises, and ``NotFound``, ``AlreadyVoid``, ``Unchanged``, ``AccountClosed``
    where somebody the hand paid has left, ``PotsSpent``, ``PotTooFull``, ``CannotStand`` where a hand that
    follows can't be recalculated.
    """
    return _change(tx, session_id, reason, _correcting(number, hand))


@writes("void hand")
def void(tx: Writing, session_id: int, number: int, *, reason: str) -> Answer:
    """Take hand ``number`` out of every balance; it stays in the history.

    Raises what ``correct`` raises, but for ``Unchanged``.
    """
    return _change(tx, session_id, reason, _voiding(number))


@writes("restore hand")
def restore(tx: Writing, session_id: int, number: int, *, reason: str) -> Answer:
    """Restore void hand ``number`` as it last was. Raises ``NotVoid``, and what ``void`` raises."""
    return _change(tx, session_id, reason, _restoring(number))


def carry_out(tx: Writing, row: PlaySession, view: SessionView, plan: Plan, reason: str) -> None:
    """Write a plan down: each hand's reversal, new entry and version, in the order of the hands."""
    first = plan.first
    following = versions.reason_to_follow(first.hand.number, first.action, reason)
    known = previews.account_ids(view)
    for change in plan.changes:
        turn(tx, change, known, reason if change is first else following)
    row.revision += 1


def answer(tx: Writing, row: PlaySession, view: SessionView, plan: Plan) -> dict[str, Any]:
    """Say what a plan, carried out, has done."""
    verdict = plan.verdict.to_mapping() if plan.verdict else None
    recorded = record.answer(tx, row, plan.first.hand, view, verdict)
    return {**recorded, "followed": [change.hand.number for change in plan.changes[1:]]}


def turn(tx: Writing, change: Change, known: Mapping[str, int], reason: str) -> None:
    """Write one hand's change down: its reversal, its new entry and version."""
    hand, old = change.hand, change.old
    if hand.state == HandState.STANDING:
        posting.reverse(tx, old, reason)
    if change.new is None:
        posting.mark_void(tx, hand, old, reason)
        return
    posting.enter(
        tx, hand, change.new, action=change.action, when=change.when, reason=reason, known=known
    )


def _change(tx: Writing, session_id: int, reason: str, planner: Planner) -> Answer:
    why = reasons.clean(reason)
    row = session_load.open_row(tx.session, session_id, tx.revision)
    view = session_view.view(tx.session, row)
    plan = planner(tx.session, view)
    carry_out(tx, row, view, plan, why)
    return answer(tx, row, view, plan)


def _preview(session: ScopedSession, session_id: int, planner: Planner) -> Preview:
    view = open_view(session, session_id)
    return shown(session, view, planner(session, view))


def shown(session: ScopedSession, view: SessionView, plan: Plan) -> Preview:
    """Show what carrying out a plan would do."""
    moved = plan.moved(view.id)
    return Preview(
        plan.record,
        plan.verdict,
        previews.balances(view, moved),
        view.revision,
        previews.moves(session, view, moved),
        tuple(followed(view, change) for change in plan.changes[1:]),
    )


def followed(view: SessionView, change: Change) -> Followed:
    """Say what a hand that follows would be played for, and what it would pay more."""
    assert change.new is not None
    names = {seat.id: seat.name for seat in view.seats}
    old = Written.of(change.old).deltas
    more = {seat_id: amount - old[seat_id] for seat_id, amount in change.new.deltas.items()}
    return Followed(
        change.hand.number,
        change.new.record["pots"],
        {names[seat_id]: amount for seat_id, amount in more.items() if amount},
    )


def _correcting(number: int, draft: Draft) -> Planner:
    return lambda session, view: hands_plan.plan_correction(session, view, number, draft)


def _voiding(number: int) -> Planner:
    return lambda session, view: hands_plan.plan_voiding(session, view, number)


def _restoring(number: int) -> Planner:
    return lambda session, view: hands_plan.plan_restoring(session, view, number)
