"""The steps of a session, one for each write, and which of them can be undone or redone next.

An undo is a step of its own, and so is a redo: its entries name the step that it reverses. So both stacks
follow from the journal alone, and are the same on every device.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import bindparam
from sqlmodel import col, select

from ledger.database.kinds.entries import KINDS
from ledger.database.models import HandAction, HandVersionTable, JournalEntry
from ledger.database.scope import Built, ScopedSession, asked_once
from ledger.services.session.stored import EVERY_VERSION, Pair, StoredVersion, pair

Cause = Mapping[str, int | None]
"""Why an entry was made, by one of the keys below, with the number of a step, an entry or a hand."""

CAUSE = "cause"
"""The key of an entry's details that holds its cause."""

FOR_HAND, PART = "for_hand", "part"
"""Keys of the details of a loan made with the hand that follows, and of an entry that goes with the next."""

UNDO, REDO, AFTER_HAND, AFTER_ENTRY = "undo", "redo", "hand", "entry"
BY_HAND: Cause = {}
"""The cause of a change that somebody made with a reason."""


@dataclass(frozen=True, slots=True)
class SessionStep:
    """The entries of one write to a session, oldest first. Its number is that of the last one."""

    entries: tuple[JournalEntry, ...]

    @property
    def id(self) -> int:
        """The step's number."""
        return self.entries[-1].id

    @property
    def undoes(self) -> int | None:
        """The number of the step that it undoes."""
        return self._cause(UNDO)

    @property
    def redoes(self) -> int | None:
        """The number of the undo that it reverses."""
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
    """Return the last step of a session, or the last one ``before`` an entry; None if there is none."""
    entry = last_entry(session, session_id, before)
    return None if entry is None else _of(session, entry)


@asked_once
def last_entry(
    session: ScopedSession, session_id: int, before: int | None = None
) -> JournalEntry | None:
    """Return the last entry of a session, or the last one ``before`` another; None if there is none."""
    found = select(JournalEntry).where(JournalEntry.session_id == session_id)
    if before is not None:
        found = found.where(JournalEntry.id < before)
    return session.exec(found.order_by(col(JournalEntry.id).desc()).limit(1)).first()


def at(session: ScopedSession, entry_id: int) -> SessionStep:
    """Return the step that an entry belongs to."""
    return _of(session, session.exec(select(JournalEntry).where(JournalEntry.id == entry_id)).one())


def _of(session: ScopedSession, entry: JournalEntry) -> SessionStep:
    """Return an entry with all others of its write: those of the same time that belong together."""
    at_once = select(JournalEntry).where(
        JournalEntry.session_id == entry.session_id, JournalEntry.entered_at == entry.entered_at
    )
    step: list[JournalEntry] = []
    for each in session.exec(at_once.order_by(col(JournalEntry.id))):
        if step and not _belong_together(step[-1], each):
            if step[-1].id >= entry.id:
                break
            step = []
        step.append(each)
    return SessionStep(tuple(step))


def _belong_together(one: JournalEntry, following: JournalEntry) -> bool:
    """Return whether two entries of one time are of one write; a clock may show the same time twice.

    Before release 0.2, hands that followed a reversal and the reversal itself were written without a cause.
    """
    cause, its_cause = _cause(one), _cause(following)
    if PART in one.details or FOR_HAND in one.details or KINDS[one.kind].of_hand:
        return True
    if AFTER_ENTRY in cause:
        return True
    if one.hand_id is not None and following.reverses_id is None:
        return one.hand_id == following.hand_id
    if one.hand_id is not None and (following.hand_id or CAUSE not in following.details):
        return True
    return cause == its_cause and not {UNDO, REDO}.isdisjoint(cause)


def _cause(entry: JournalEntry) -> Cause:
    cause: Cause = entry.details.get(CAUSE, BY_HAND)
    return cause


def undoable(session: ScopedSession, session_id: int) -> SessionStep | None:
    """Return the newest step that is still in force and no undo; None if there is none."""
    step = newest(session, session_id)
    while step is not None and (step.undoes is not None or _is_upgrade(session, step)):
        undone = step if step.undoes is None else at(session, step.undoes)
        step = newest(session, session_id, undone.entries[0].id)
    return step


def _is_upgrade(session: ScopedSession, step: SessionStep) -> bool:
    """Return whether a step is the upgrade of the first books, which entered hands again unchanged."""
    is_old = len(step.entries) > 1 and CAUSE not in step.entries[-1].details
    return is_old and not step.others and hand_change(session, step) is None


def redoable(session: ScopedSession, session_id: int) -> SessionStep | None:
    """Return the undo that can be reversed next; None if something else was done since."""
    step = newest(session, session_id)
    while step is not None and step.redoes is not None:
        step = newest(session, session_id, at(session, step.redoes).entries[0].id)
    return None if step is None or step.undoes is None else step


def origin(session: ScopedSession, step: SessionStep) -> SessionStep:
    """Return the step as it was first done, if this one redoes it, else the step itself."""
    while step.redoes is not None:
        step = at(session, at(session, step.redoes).undoes or step.id)
    return step


def hand_change(
    session: ScopedSession, step: SessionStep
) -> tuple[Pair, StoredVersion | None] | None:
    """Return the hand that a step changed of its own accord and the version before it, if there is one.

    None if the step changed no hand, or only recalculated some.
    """
    entry = next((each for each in step.entries if each.hand_id is not None), None)
    if entry is None:
        return None
    versions = list(session.ask(_VERSIONS, hand=entry.hand_id))
    for place, (hand, version) in enumerate(versions):
        before = versions[place - 1][1] if place else None
        paid_before = None if before is None else before.entry_id
        if version.entry_id == entry.id or (paid_before or 0) == entry.reverses_id:
            changed = version.action != HandAction.FOLLOWED
            return ((hand, version), before) if changed else None
    return None


_VERSIONS = Built(
    pair,
    EVERY_VERSION.where(HandVersionTable.hand_id == bindparam("hand")).order_by(
        col(HandVersionTable.version)
    ),
)
