"""Undo and redo in a session: one step back or forward, whatever was done, with one tap.

Each undo takes back the newest step that is still in force, each redo the newest undo; anything else that is
done ends what can be redone. A hand goes back to what it said before: void, standing or corrected. What
is not a hand is reversed, or entered again if it was a reversal itself. What can't be undone (the starting
chips, closing and reopening) ends the way back, and so does what something else depends on.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from sqlmodel import select

from engine.words.sentences import later
from ledger.database.kinds.entries import KINDS, Undo
from ledger.database.models import JournalEntry, PlaySession, SessionState
from ledger.database.scope import ScopedSession
from ledger.services.common.writing import DryRun, WriteContext, WritePlan, WriteResponse, plans
from ledger.services.hands import correct, plan
from ledger.services.hands import preview as previews
from ledger.services.hands.preview import Preview
from ledger.services.session import activity, steps
from ledger.services.session.activity import Action
from ledger.services.session.hand_versions import REDO, UNDO, Cause
from ledger.services.session.load import find_row, must_be_open, unclosed
from ledger.services.session.steps import SessionStep
from ledger.services.session.view import SessionView
from ledger.services.undo import reenter, reverse
from ledger.words.problems import Conflict

REASON, REDO_REASON = activity.UNDONE, "redone"


class NothingToUndo(Conflict):
    """Nothing has been done in the session yet that could be undone."""

    code = "nothing-to-undo"
    sentence = later("Nothing has been recorded in “{title}” yet that could be undone.")


class NothingToRedo(Conflict):
    """The last thing done in the session was not an undo."""

    code = "nothing-to-redo"
    sentence = later("Nothing was undone last in “{title}”, so there is nothing to redo.")


@dataclass(frozen=True, slots=True)
class Undoing:
    """The preview of an undo or a redo: the action concerned, and every balance moved."""

    last: Action
    preview: Preview
    done: str = "undone"

    @property
    def revision(self) -> int | None:
        """The session's revision that it was worked out at."""
        return self.preview.revision

    def to_mapping(self) -> WriteResponse:
        """Return it as it is answered; the hand is the one that is changed, if any."""
        last = {self.done: self.last.what, "last": self.last.to_mapping()}
        return {"hand": None, **self.preview.to_mapping(), **last}


@dataclass(frozen=True, slots=True)
class Look:
    """The next undo and redo at one ``revision`` of the session.

    ``last`` and ``redo`` are None if there is nothing; ``preview`` is None if undoing is refused, and
    ``refusal`` says why.
    """

    last: Action | None
    revision: int
    redo: Action | None = None
    preview: Preview | None = None
    refusal: Conflict | None = None


def look(session: ScopedSession, session_id: int) -> Look:
    """Return the next undo with its preview or refusal, and the next redo. Raises ``NotFound``."""
    row = find_row(session, session_id)
    redo = next_redo(session, session_id)
    try:
        undoing = undo(DryRun(session), session_id)
    except Conflict as refusal:
        step = steps.undoable(session, session_id)
        last = None if step is None or _never(session, step) else activity.of_step(session, step)
        return Look(last, row.revision, redo, refusal=refusal)
    return Look(undoing.last, row.revision, redo, preview=undoing.preview)


def next_redo(session: ScopedSession, session_id: int) -> Action | None:
    """Return the action that a redo would repeat; None if nothing was undone last."""
    undo = steps.redoable(session, session_id)
    return None if undo is None else _undone_by(session, undo)


def latest(session: ScopedSession, view: SessionView, hand: int | None = None) -> Action | None:
    """Return what was done last, if it can be undone or, an undo itself, redone.

    For a ``hand``, only if it is the last one that stands, and nothing was done since it was saved.
    """
    entry = None if view.state == SessionState.CLOSED else steps.last_entry(session, view.id)
    if entry is None:
        return None
    if hand is not None:
        last = view.last
        is_last = last is not None and (last.number, last.entry_id) == (hand, entry.id)
        return activity.of_hand(last) if last and is_last and view.is_open else None
    step = steps.at(session, entry.id)
    if step.undoes is not None:
        return replace(_undone_by(session, step), author=_author(step), was_undo=True)
    if _never(session, step) or (not view.is_open and steps.hand_change(session, step)):
        return None
    return activity.of_step(session, step)


@plans("undo")
def undo(tx: WriteContext, session_id: int) -> WritePlan[Undoing]:
    """Undo the newest step of a session that is still in force.

    Raises ``NothingToUndo``, ``CannotUndo`` for what has its own way back, ``SessionClosed``,
    ``SessionPaused`` if it changed a hand, ``Stale``, ``KeyReused``.
    """
    row, view = unclosed(tx, session_id)
    step = steps.undoable(tx.session, row.id)
    if step is None:
        raise NothingToUndo(title=row.title)
    way = _reversal(tx, row, view, step, {UNDO: step.id}, REASON)
    return WritePlan(Undoing(activity.of_step(tx.session, step), way.shown), way.carry_out)


@plans("redo")
def redo(tx: WriteContext, session_id: int) -> WritePlan[Undoing]:
    """Redo what was undone last, if nothing else was done since.

    Raises ``NothingToRedo``, and what ``undo`` raises.
    """
    row, view = unclosed(tx, session_id)
    step = steps.redoable(tx.session, row.id)
    if step is None:
        raise NothingToRedo(title=row.title)
    way = _reversal(tx, row, view, step, {REDO: step.id}, REDO_REASON)
    return WritePlan(Undoing(_undone_by(tx.session, step), way.shown, "redone"), way.carry_out)


def _reversal(
    tx: WriteContext,
    row: PlaySession,
    view: SessionView,
    step: SessionStep,
    cause: Cause,
    reason: str,
) -> WritePlan[Preview]:
    """Plan the reversal of every part of a step, in one write."""
    session = tx.session
    undone = [entry for entry in step.others if entry.reverses_id is not None]
    made = [entry for entry in reversed(step.others) if not _is_part(entry)]
    ways = [
        reverse.prepared(tx, row, view, reenter.standing(session, entry), reason, cause)
        for entry in made
    ]
    if undone:
        ways += _entered_again(tx, row, view, undone, cause, reason)
    changed = steps.hand_change(session, step)
    if changed is not None:
        must_be_open(row)
        version, before = changed
        back = plan.plan_back(session, view, version.number, before)
        ways.append(correct.prepared(tx, view, back, reason, cause))
    return _together(tx, row, view, ways, with_hand=changed is not None)


def _entered_again(
    tx: WriteContext,
    row: PlaySession,
    view: SessionView,
    undone: Sequence[JournalEntry],
    cause: Cause,
    reason: str,
) -> list[WritePlan[Preview]]:
    """Plan to enter a step's originals again: loans one by one, a leaving with its later settlings."""
    (last,) = tx.session.exec(
        select(JournalEntry.kind).where(JournalEntry.id == undone[-1].reverses_id)
    )
    if KINDS[last].undo is Undo.RETURN_TO_SEAT:
        return [reenter.prepared(tx, row, view, undone, cause, reason)]
    return [reenter.prepared(tx, row, view, [each], cause, reason) for each in reversed(undone)]


def _is_part(entry: JournalEntry) -> bool:
    """Return whether an entry is a reversal, or goes with the change of a hand, which brings its own."""
    return entry.reverses_id is not None or KINDS[entry.kind].of_hand


def _together(
    tx: WriteContext,
    row: PlaySession,
    view: SessionView,
    ways: Sequence[WritePlan[Preview]],
    *,
    with_hand: bool,
) -> WritePlan[Preview]:
    """Make one write of several; the last one is the one that is shown first."""
    *others, main = ways
    if not others:
        return main
    shown = previews.together(main.shown, [way.shown for way in others])

    def carry_out() -> WriteResponse:
        for way in others:
            way.carry_out()
        row.revision = view.revision  # all of it is one write
        tx.session.flush()
        return main.carry_out()

    loans = {"loans": len(others)} if with_hand else {}
    return WritePlan(replace(shown, extra={**shown.extra, **loans}), carry_out)


def _undone_by(session: ScopedSession, undo: SessionStep) -> Action:
    """Return the action that an undo took back."""
    return activity.of_step(session, steps.at(session, undo.undoes or undo.id))


def _author(step: SessionStep) -> str:
    return step.entries[-1].author


def _never(session: ScopedSession, step: SessionStep) -> bool:
    """Return whether a step is of a kind that is never undone."""
    return any(not _is_part(entry) and reverse.why_not(session, entry) for entry in step.others)
