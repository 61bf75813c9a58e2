"""The steps of a session, one for each write, and the next step to undo or redo.

An undo is a step of its own, and so is a redo: their entries name the step that they reverse. So both stacks
follow from the journal alone, and are the same on every device.
"""

from dataclasses import dataclass

from sqlmodel import col, select

from ledger.database.kinds.entries import KINDS
from ledger.database.models import HandAction, JournalEntry
from ledger.database.scope import ScopedSession, asked_once
from ledger.services.session.hand_versions import (
    AFTER_ENTRY,
    AFTER_HAND,
    BY_HAND,
    CAUSE,
    REDO,
    UNDO,
    Cause,
    HandVersion,
    versions_of,
)

FOR_HAND, PART = "for_hand", "part"
"""Keys of the details of a loan made with the hand after it, and of an entry that goes with the next one."""


@dataclass(frozen=True, slots=True)
class SessionStep:
    """The entries of one write to a session, oldest first: one step of undo and redo."""

    entries: tuple[JournalEntry, ...]

    @property
    def id(self) -> int:
        """The step's number: that of its last entry."""
        return self.entries[-1].id

    @property
    def undoes(self) -> int | None:
        """The number of the step that this step undoes, if any."""
        return self._cause(UNDO)

    @property
    def redoes(self) -> int | None:
        """The number of the undo that this step reverses, if any."""
        return self._cause(REDO)

    @property
    def others(self) -> list[JournalEntry]:
        """The entries that are not a hand's."""
        return [entry for entry in self.entries if entry.hand_id is None]

    def _cause(self, key: str) -> int | None:
        causes = (_cause(entry).get(key) for entry in self.entries)
        return next((step for step in causes if step is not None), None)


@asked_once
def newest(
    session: ScopedSession, session_id: int, before: int | None = None
) -> SessionStep | None:
    """Return the last step of a session, or the last one before the entry ``before``.

    None if there is none.
    """
    entry = last_entry(session, session_id, before)
    return None if entry is None else _step_of(session, entry)


@asked_once
def last_entry(
    session: ScopedSession, session_id: int, before: int | None = None
) -> JournalEntry | None:
    """Return the last entry of a session, or the last one with an id below ``before``.

    None if there is none.
    """
    query = select(JournalEntry).where(JournalEntry.session_id == session_id)
    if before is not None:
        query = query.where(JournalEntry.id < before)
    return session.exec(query.order_by(col(JournalEntry.id).desc()).limit(1)).first()


def changes_hands(entry: JournalEntry) -> bool:
    """Return whether an entry is a hand's, or was written because a hand changed."""
    return entry.hand_id is not None or AFTER_HAND in _cause(entry)


def at(session: ScopedSession, entry_id: int) -> SessionStep:
    """Return the step that an entry belongs to."""
    entry = session.exec(select(JournalEntry).where(JournalEntry.id == entry_id)).one()
    return _step_of(session, entry)


def _step_of(session: ScopedSession, entry: JournalEntry) -> SessionStep:
    """Return the step of an entry: the entries of the same time that belong together with it."""
    at_once = select(JournalEntry).where(
        JournalEntry.session_id == entry.session_id, JournalEntry.entered_at == entry.entered_at
    )
    step: list[JournalEntry] = []
    for other in session.exec(at_once.order_by(col(JournalEntry.id))):
        if step and not _belong_together(step[-1], other):
            if step[-1].id >= entry.id:
                break
            step = []
        step.append(other)
    return SessionStep(tuple(step))


def _belong_together(entry: JournalEntry, following: JournalEntry) -> bool:
    """Return whether two entries of the same time are of one write; a clock may show a time twice.

    Before release 0.2, hands that followed a reversal and the reversal itself were written without a cause.
    """
    cause, its_cause = _cause(entry), _cause(following)
    if PART in entry.details or FOR_HAND in entry.details or KINDS[entry.kind].of_hand:
        return True
    if AFTER_ENTRY in cause or AFTER_HAND in its_cause:
        return True
    if entry.hand_id is not None and following.reverses_id is None:
        return entry.hand_id == following.hand_id
    if entry.hand_id is not None and (following.hand_id or CAUSE not in following.details):
        return True
    return cause == its_cause and not {UNDO, REDO}.isdisjoint(cause)


def _cause(entry: JournalEntry) -> Cause:
    cause: Cause = entry.details.get(CAUSE, BY_HAND)
    return cause


def undoable(session: ScopedSession, session_id: int) -> SessionStep | None:
    """Return the newest step that an undo would reverse: in force, and not an undo itself; None without one.

    It may be of a kind that can't be undone, such as a closing.
    """
    step = newest(session, session_id)
    while step is not None and (step.undoes is not None or _is_upgrade(session, step)):
        undone = step if step.undoes is None else at(session, step.undoes)
        step = newest(session, session_id, undone.entries[0].id)
    return step


def _is_upgrade(session: ScopedSession, step: SessionStep) -> bool:
    """Return whether a step is the upgrade of the first databases, which entered hands again unchanged."""
    is_old = len(step.entries) > 1 and CAUSE not in step.entries[-1].details
    return is_old and not step.others and hand_change(session, step) is None


def redoable(session: ScopedSession, session_id: int) -> SessionStep | None:
    """Return the step of the undo that a redo would reverse; None if something else was done since."""
    step = newest(session, session_id)
    while step is not None and step.redoes is not None:
        step = newest(session, session_id, at(session, step.redoes).entries[0].id)
    return None if step is None or step.undoes is None else step


def origin(session: ScopedSession, step: SessionStep) -> SessionStep:
    """Return the step that a redo repeats, even by other redos; any other step is returned unchanged."""
    while step.redoes is not None:
        step = at(session, at(session, step.redoes).undoes or step.id)
    return step


def hand_change(
    session: ScopedSession, step: SessionStep
) -> tuple[HandVersion, HandVersion | None] | None:
    """Return the version of a hand that a step made, and the version before it, None for a new hand.

    Returns None if the step changed no hand, or only recalculated some.
    """
    entry = next((entry for entry in step.entries if entry.hand_id is not None), None)
    if entry is None:
        return None
    before: HandVersion | None = None
    for version in versions_of(session, entry.hand_id or 0):
        paid_before = (before and before.entry_id) or 0
        if version.entry_id == entry.id or paid_before == entry.reverses_id:
            return None if version.action == HandAction.FOLLOWED else (version, before)
        before = version
    return None
