"""Undo and redo in a session: one step back or forward.

Each undo reverses the newest step in force, each redo the newest undo; any other write ends the redo. A hand
returns to the version before: void, standing or corrected. Another entry is reversed, or entered again if it
was a reversal itself. Steps that can't be undone (the starting chips, closing and reopening) end the undo.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from sqlmodel import select

from engine.words.sentences import later
from ledger.database.kinds.entries import KINDS, ChipOwners, Undo
from ledger.database.models import JournalEntry, PlaySession, SessionState
from ledger.database.scope import ScopedSession
from ledger.services.common.writing import DryRun, WriteContext, WritePlan, WriteResponse, plans
from ledger.services.hands import correct
from ledger.services.hands import plan as hands_plan
from ledger.services.hands import preview as previews
from ledger.services.hands.preview import Preview
from ledger.services.session import activity, steps
from ledger.services.session.activity import Action
from ledger.services.session.hand_versions import AFTER_HAND, CAUSE, REDO, UNDO, Cause
from ledger.services.session.load import (
    find_row,
    load,
    must_be_at,
    must_not_be_closed,
    must_not_be_paused,
)
from ledger.services.session.steps import SessionStep
from ledger.services.session.view import SessionView
from ledger.services.undo import reenter, reverse
from ledger.words.problems import Conflict

REASON, REDO_REASON = activity.UNDONE, "redone"


class NothingToUndo(Conflict):
    """Raised if the session has no step to undo."""

    code = "nothing-to-undo"
    sentence = later("Nothing has been recorded in “{title}” yet that could be undone.")


class NothingToRedo(Conflict):
    """Raised if the last step of the session was not an undo."""

    code = "nothing-to-redo"
    sentence = later("Nothing was undone last in “{title}”, so there is nothing to redo.")


@dataclass(frozen=True, slots=True)
class Undoing:
    """The preview of an undo or a redo, and the action that it reverses or repeats."""

    last: Action
    preview: Preview
    key: str = "undone"

    @property
    def revision(self) -> int | None:
        """The session's revision that the preview was computed at."""
        return self.preview.revision

    def to_mapping(self) -> WriteResponse:
        """Return the response: the preview's keys, ``hand`` (the changed one or None), the ``last`` action.

        The kind of the action is also under ``undone`` or ``redone``.
        """
        last = {self.key: self.last.what, "last": self.last.to_mapping()}
        return {"hand": None, **self.preview.to_mapping(), **last}


@dataclass(frozen=True, slots=True)
class Look:
    """The next undo and redo at one ``revision`` of the session.

    ``last`` and ``redo`` are None without a step. If the undo is refused, ``preview`` is None and ``refusal``
    the error.
    """

    last: Action | None
    revision: int
    redo: Action | None = None
    preview: Preview | None = None
    refusal: Conflict | None = None


def look(session: ScopedSession, session_id: int) -> Look:
    """Return the next undo, with its preview or the error that refuses it, and the next redo.

    Nothing is written. Raises ``NotFound``.
    """
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
    """Return the action that a redo would repeat; None if the last step was not an undo."""
    undo = steps.redoable(session, session_id)
    return None if undo is None else _undone_by(session, undo)


def latest(session: ScopedSession, view: SessionView, hand: int | None = None) -> Action | None:
    """Return the last action, if it can be undone or, for an undo, redone; else None.

    In a closed session only a change of a hand since the closing counts. An undo returns the action that it
    undid, with ``was_undo``. With the number of a ``hand``, only the saving of that hand counts, if it was
    the last step.
    """
    entry = steps.last_entry(session, view.id)
    is_closed = view.state == SessionState.CLOSED
    if entry is None or (is_closed and not steps.changes_hands(entry)):
        return None
    if hand is not None:
        last = view.last
        is_last = last is not None and (last.number, last.entry_id) == (hand, entry.id)
        return activity.of_hand(last) if last and is_last and view.is_open else None
    step = steps.at(session, entry.id)
    if step.undoes is not None:
        return replace(_undone_by(session, step), author=_author(step), was_undo=True)
    if _never(session, step) or (
        view.state == SessionState.PAUSED and steps.hand_change(session, step)
    ):
        return None
    return activity.of_step(session, step)


@plans("undo")
def undo(tx: WriteContext, session_id: int) -> WritePlan[Undoing]:
    """Undo the newest step in force, by a step of its own: entries are reversed, table and hand restored.

    Raises ``NothingToUndo``; ``CannotUndo`` for starting chips, a closing, a reopening or a rate changed
    since; ``SessionPaused`` if hands change; ``SessionClosed``, ``Stale``, ``KeyReused``, or as the reversals
    do.
    """
    step = steps.undoable(tx.session, session_id)
    row, view = _changeable(tx, session_id, step)
    if step is None:
        raise NothingToUndo(title=row.title)
    plan = _reversal(tx, row, view, step, {UNDO: step.id}, REASON)
    return WritePlan(Undoing(activity.of_step(tx.session, step), plan.preview), plan.carry_out)


@plans("redo")
def redo(tx: WriteContext, session_id: int) -> WritePlan[Undoing]:
    """Reverse the last undo, if no other step followed it.

    Raises ``NothingToRedo``, and the errors of ``undo``.
    """
    step = steps.redoable(tx.session, session_id)
    row, view = _changeable(tx, session_id, step)
    if step is None:
        raise NothingToRedo(title=row.title)
    plan = _reversal(tx, row, view, step, {REDO: step.id}, REDO_REASON)
    return WritePlan(Undoing(_undone_by(tx.session, step), plan.preview, "redone"), plan.carry_out)


def _changeable(
    tx: WriteContext, session_id: int, step: SessionStep | None
) -> tuple[PlaySession, SessionView]:
    """Return the row and the state of a session in which a step can be undone or redone.

    A closed one must not have changed since its closing but by changes of hands. Raises ``SessionClosed`` and
    ``Stale``.
    """
    row = find_row(tx.session, session_id)
    if step is None or steps.hand_change(tx.session, step) is None:
        must_not_be_closed(row)
    must_be_at(tx.session, row, tx.seen)
    return row, load(tx.session, row.id)


def _reversal(
    tx: WriteContext,
    row: PlaySession,
    view: SessionView,
    step: SessionStep,
    cause: Cause,
    reason: str,
) -> WritePlan[Preview]:
    """Plan the reversal of every part of a step, in one write: other entries, reversals, a hand's change."""
    session = tx.session
    reversals = [entry for entry in step.others if entry.reverses_id is not None]
    plans = [
        reverse.prepared(tx, row, view, reenter.standing(session, entry), reason, cause)
        for entry in reversed(step.others)
        if not _is_part(entry)
    ]
    if reversals:
        plans += _entered_again(tx, row, view, reversals, cause, reason)
    changed = steps.hand_change(session, step)
    if changed is not None:
        must_not_be_paused(row)
        version, before = changed
        back = hands_plan.plan_back(session, view, version.number, before)
        cashed_in = any(KINDS[entry.kind].converts is ChipOwners.ALL for entry in step.others)
        plans.append(correct.prepared(tx, view, back, reason, cause, cash_in=cashed_in))
    return _together(tx, row, view, plans, with_hand=changed is not None)


def _entered_again(
    tx: WriteContext,
    row: PlaySession,
    view: SessionView,
    reversals: Sequence[JournalEntry],
    cause: Cause,
    reason: str,
) -> list[WritePlan[Preview]]:
    """Plan entering the originals of reversals again: loans one by one, a leaving with its settlements."""
    (last,) = tx.session.exec(
        select(JournalEntry.kind).where(JournalEntry.id == reversals[-1].reverses_id)
    )
    if KINDS[last].undo is Undo.RETURN_TO_SEAT:
        return [reenter.prepared(tx, row, view, reversals, cause, reason)]
    return [
        reenter.prepared(tx, row, view, [reversal], cause, reason)
        for reversal in reversed(reversals)
    ]


def _is_part(entry: JournalEntry) -> bool:
    """Return whether an entry is a reversal or part of a hand's change, which is planned as a whole."""
    follows = AFTER_HAND in entry.details.get(CAUSE, {})
    return entry.reverses_id is not None or follows or KINDS[entry.kind].of_hand


def _together(
    tx: WriteContext,
    row: PlaySession,
    view: SessionView,
    plans: Sequence[WritePlan[Preview]],
    *,
    with_hand: bool,
) -> WritePlan[Preview]:
    """Return one plan that carries out several in order, as one revision.

    Its preview is that of the last plan, with the moves of all. With a hand, ``loans`` is the number of the
    others.
    """
    *others, main = plans
    if not others:
        return main
    preview = previews.together(main.preview, [plan.preview for plan in others])

    def carry_out() -> WriteResponse:
        for plan in others:
            plan.carry_out()
        row.revision = view.revision  # all of it is one write
        tx.session.flush()
        return main.carry_out()

    loans = {"loans": len(others)} if with_hand else {}
    return WritePlan(replace(preview, extra={**preview.extra, **loans}), carry_out)


def _undone_by(session: ScopedSession, undo: SessionStep) -> Action:
    """Return the action that the step of an undo reversed."""
    return activity.of_step(session, steps.at(session, undo.undoes or undo.id))


def _author(step: SessionStep) -> str:
    return step.entries[-1].author


def _never(session: ScopedSession, step: SessionStep) -> bool:
    """Return whether a step contains an entry of a kind that is never undone, such as a closing."""
    return any(not _is_part(entry) and reverse.why_not(session, entry) for entry in step.others)
