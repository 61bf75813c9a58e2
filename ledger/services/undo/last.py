"""Undoing what was done last in a session, whatever it was, with one tap.

A hand that was recorded or restored is voided; one that was voided is restored; a correction returns to what
the hand said before. What is not a hand is reversed. Undone twice, a hand is as it was: so a slip of the
thumb costs nothing. Older things are changed one by one, with a reason. Whatever is done to a session is an
entry, so nothing older is ever undone in place of what was done last.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from sqlmodel import col, select

from engine.words.sentences import later
from ledger.models import HandAction, JournalEntry, PlaySession, SessionState
from ledger.problems import Conflict
from ledger.scope import ScopedSession, asked_once
from ledger.services.chips import hand_and_loan
from ledger.services.common.writing import Answer, DryRun, Prepared, Writing, plans
from ledger.services.hands import correct, plan, versions
from ledger.services.hands import preview as previews
from ledger.services.hands.plan import Plan
from ledger.services.hands.preview import Preview
from ledger.services.session import activity, reversals
from ledger.services.session.activity import Action
from ledger.services.session.load import find_row, must_be_open, unclosed
from ledger.services.session.stored import Pair, StoredHand, StoredVersion
from ledger.services.session.view import SessionView
from ledger.services.undo import reverse

REASON = activity.UNDONE


class NothingToUndo(Conflict):
    """Nothing has been done in the session yet that could be undone."""

    code = "nothing-to-undo"
    sentence = later("Nothing has been recorded in “{title}” yet that could be undone.")


@dataclass(frozen=True, slots=True)
class Undoing:
    """What undoing takes back, and every balance that it moves."""

    last: Action
    preview: Preview

    @property
    def revision(self) -> int | None:
        """The session's revision that it was worked out at."""
        return self.preview.revision

    def to_mapping(self) -> Answer:
        """Return it as it is answered; the hand is the one that is changed, if any."""
        last = {"undone": self.last.what, "last": self.last.to_mapping()}
        return {"hand": None, **self.preview.to_mapping(), **last}


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
    try:
        undoing = undo(DryRun(session), session_id)
    except Conflict as refusal:
        return Look(_last(session, row), row.revision, refusal=refusal)
    return Look(undoing.last, row.revision, preview=undoing.preview)


def latest(session: ScopedSession, view: SessionView, hand: int | None = None) -> Action | None:
    """Return what was done last, if its kind can be undone, without a look at what that would move.

    Asked for a ``hand``, the last that stands, it answers for that alone.
    """
    entry = None if view.state == SessionState.CLOSED else _last_entry(session, view.id)
    if entry is None:
        return None
    if hand is not None:
        last = view.last if view.is_open else None
        its_own = last and (last[0].number, last[1].entry_id) == (hand, entry.id)
        return activity.of_hand(*last) if last and its_own else None
    if entry.hand_id is not None:
        known = view.last if view.last and view.last[1].entry_id == entry.id else None
        return activity.of_hand(*(known or _last_turn(session, view.id))) if view.is_open else None
    never = reverse.why_not(session, entry) or reversals.is_taken_back(session, entry.id)
    return None if never else activity.of_entry(session, entry)


@plans("undo")
def undo(tx: Writing, session_id: int) -> Prepared[Undoing]:
    """Undo what was done last in a session.

    Raises ``NothingToUndo``, ``CannotUndo`` for what has its own way back, ``AccountClosed``,
    ``SessionClosed``, ``SessionPaused`` where it is a hand's, ``Stale``, ``KeyReused``.
    """
    row, view = unclosed(tx, session_id)
    entry = _last_entry(tx.session, row.id)
    if entry is None:
        raise NothingToUndo(title=row.title)
    if entry.hand_id is None:
        action = activity.of_entry(tx.session, entry)
        way = reverse.prepared(tx, row, view, entry, REASON)
    else:
        must_be_open(row)
        turn = _last_turn(tx.session, row.id)
        action = activity.of_hand(*turn)
        way = correct.prepared(tx, view, _way_back(tx.session, view, *turn), REASON)
        if turn[1].action == HandAction.RECORDED:
            way = _with_loans(
                tx, row, view, way, hand_and_loan.loans_with(tx.session, entry, turn[0].number)
            )
    return Prepared(Undoing(action, way.shown), way.carry_out)


def _with_loans(
    tx: Writing,
    row: PlaySession,
    view: SessionView,
    hand: Prepared[Preview],
    loans: Sequence[JournalEntry],
) -> Prepared[Preview]:
    """Undo with a hand the loans that were saved with it, in one write; the hand is what was done last."""
    if not loans:
        return hand
    ways = [reverse.prepared(tx, row, view, loan, REASON) for loan in loans]
    shown = previews.together(hand.shown, [way.shown for way in ways])

    def carry_out() -> Answer:
        for way in ways:
            way.carry_out()
        row.revision = view.revision  # all of it is one write
        tx.session.flush()
        return hand.carry_out()

    return Prepared(replace(shown, said={**shown.said, "loans": len(loans)}), carry_out)


def _last(session: ScopedSession, row: PlaySession) -> Action | None:
    entry = _last_entry(session, row.id)
    if entry is None:
        return None
    if entry.hand_id is not None:
        return activity.of_hand(*_last_turn(session, row.id))
    never = reverse.why_not(session, entry) or reversals.is_taken_back(session, entry.id)
    return None if never else activity.of_entry(session, entry)


def _way_back(
    session: ScopedSession, view: SessionView, hand: StoredHand, version: StoredVersion
) -> Plan:
    if version.action == HandAction.VOIDED:
        return plan.plan_restoring(session, view, hand.number)
    if version.action == HandAction.CORRECTED:
        before = versions.of_row(session, hand)[version.version - 2]
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
def _last_turn(session: ScopedSession, session_id: int) -> Pair:
    """Return the hand changed last of its own accord, not because it followed another."""
    return session.ask(activity.LAST_TURNS, session=session_id, most=1)[0]
