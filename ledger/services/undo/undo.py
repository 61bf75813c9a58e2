"""Undoing what was done last in a session, whatever it was, with one tap.

A hand that was recorded or restored is voided; one that was voided is restored; a correction returns to what
the hand said before. What is not a hand is reversed. Undone twice, a hand is as it was: so a slip of the
thumb costs nothing. Older things are changed one by one, with a reason. Whatever is done to a session is an
entry, so nothing older is ever undone in place of what was done last.
"""

from dataclasses import dataclass

from sqlmodel import col, select

from ledger.models import Hand, HandAction, HandVersion, JournalEntry, PlaySession
from ledger.problems import Conflict
from ledger.scope import ScopedSession, asked_once
from ledger.services.common.writing import Answer, Writing, writes
from ledger.services.hands import correct, plan
from ledger.services.hands.plan import Plan
from ledger.services.hands.preview import Preview
from ledger.services.session import activity, reversals, seats
from ledger.services.session import view as session_view
from ledger.services.session.activity import Action
from ledger.services.session.load import find_row, open_row, unclosed_row
from ledger.services.session.view import SessionView
from ledger.services.undo import reverse
from ledger.services.undo.reverse import ReversalPlan

REASON = activity.UNDONE


class NothingToUndo(Conflict):
    """Nothing has been done in the session yet that could be undone."""

    code = "nothing-to-undo"

    def __init__(self, title: str) -> None:
        super().__init__(f"Nothing has been recorded in “{title}” yet that could be undone.")


@dataclass(frozen=True, slots=True)
class Undoing:
    """What would be undone, and every balance that would move."""

    last: Action
    preview: Preview


@dataclass(frozen=True, slots=True)
class Look:
    """What can be undone, all of it as it is at one ``revision`` of the session.

    ``last`` is None where there is nothing; ``preview`` is None where undoing is refused, which ``refusal``
    says why.
    """

    last: Action | None
    revision: int
    preview: Preview | None = None
    refusal: Conflict | None = None


def look(session: ScopedSession, session_id: int) -> Look:
    """Show what was written last, and what undoing it would move or why it can't be. Raises ``NotFound``."""
    row = find_row(session, session_id)
    written = _last(session, row)
    try:
        return Look(written, row.revision, preview=_preview(session, session_id))
    except Conflict as refusal:
        return Look(written, row.revision, refusal=refusal)


def preview(session: ScopedSession, session_id: int) -> Undoing:
    """Show what ``undo`` would undo and move; nothing is written. Raises what ``undo`` raises."""
    shown = _preview(session, session_id)
    return Undoing(_action(session, _found(session, find_row(session, session_id))), shown)


@writes("undo")
def undo(tx: Writing, session_id: int) -> Answer:
    """Undo what was done last in a session.

    Raises ``NothingToUndo``, ``CannotUndo`` for what has its own way back, ``AccountClosed``,
    ``SessionClosed``, ``SessionPaused`` where it is a hand's, ``Stale``, ``KeyReused``.
    """
    session = tx.session
    row = unclosed_row(session, session_id, tx.revision)
    entry = _found(session, row)
    action = _action(session, entry)
    way = _way(session, row, entry)
    if isinstance(way, Plan):
        view = session_view.view(session, row)
        correct.carry_out(tx, row, view, way, REASON)
        return {**correct.answer(tx, row, view, way), "undone": action.what}
    reversal = reverse.carry_out(tx, row, way, REASON)
    answer = seats.answer(session, row, reversal)
    return {**answer, "undone": action.what, "hand": None, "followed": []}


def _last(session: ScopedSession, row: PlaySession) -> Action | None:
    entry = _last_entry(session, row.id)
    if entry is None:
        return None
    if entry.hand_id is None and (
        reverse.why_not(session, entry) or reversals.is_taken_back(session, entry.id)
    ):
        return None
    return _action(session, entry)


def _preview(session: ScopedSession, session_id: int) -> Preview:
    row = unclosed_row(session, session_id, None)
    way = _way(session, row, _found(session, row))
    if isinstance(way, Plan):
        return correct.shown(session, session_view.view(session, row), way)
    return reverse.preview(session, row, way)


def _found(session: ScopedSession, row: PlaySession) -> JournalEntry:
    entry = _last_entry(session, row.id)
    if entry is None:
        raise NothingToUndo(row.title)
    return entry


def _way(session: ScopedSession, row: PlaySession, entry: JournalEntry) -> Plan | ReversalPlan:
    """Plan how an entry is undone, the same for looking and for doing."""
    if entry.hand_id is None:
        return reverse.plan(session, row, entry)
    view = session_view.view(session, open_row(session, row.id, None))
    return _way_back(session, view, *_last_turn(session, row.id))


def _action(session: ScopedSession, entry: JournalEntry) -> Action:
    if entry.hand_id is not None:
        return activity.of_hand(*_last_turn(session, entry.session_id or 0))
    return activity.of_entry(session, entry)


def _way_back(session: ScopedSession, view: SessionView, hand: Hand, version: HandVersion) -> Plan:
    if version.action == HandAction.VOIDED:
        return plan.plan_restoring(session, view, hand.number)
    if version.action == HandAction.CORRECTED:
        before = session.exec(
            select(HandVersion)
            .where(HandVersion.hand_id == hand.id)
            .where(HandVersion.version == version.version - 1)
        ).one()
        _, now = plan.find(session, view, hand.number)  # it may have followed since
        return plan.plan_return(session, view, hand, now, before)
    return plan.plan_voiding(session, view, hand.number)


@asked_once
def _last_entry(session: ScopedSession, session_id: int) -> JournalEntry | None:
    return session.exec(
        select(JournalEntry)
        .where(JournalEntry.session_id == session_id)
        .order_by(col(JournalEntry.id).desc())
        .limit(1)
    ).first()


@asked_once
def _last_turn(session: ScopedSession, session_id: int) -> tuple[Hand, HandVersion]:
    """Return the hand changed last of its own accord, not because it followed another."""
    found = session.exec(
        select(Hand, HandVersion)
        .where(HandVersion.session_id == session_id)
        .where(HandVersion.action != HandAction.FOLLOWED.value)
        .where(Hand.id == HandVersion.hand_id)
        .order_by(col(HandVersion.id).desc())
        .limit(1)
    ).one()
    return found[0], found[1]
