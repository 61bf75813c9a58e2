"""Undoing what was written last in a session, whatever it was, with one tap.

A hand that was recorded or restored is voided; one that was voided is restored; a correction is taken
back to what the hand said before. What is no hand's is reversed. Undone twice, a hand is as it was: so
a slip of the thumb costs nothing. Older things are changed one by one, with a reason.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlmodel import col, select

from ledger.access import Access
from ledger.db import Database
from ledger.models import EntryKind, Hand, HandAction, HandVersion, JournalEntry, PlaySession
from ledger.problems import Conflict
from ledger.scope import ScopedSession
from ledger.services import changes, corrections, seats, sessions, taking_back
from ledger.services.changes import Plan
from ledger.services.once import Answer, once
from ledger.services.session_view import SessionView, unclosed_row

REASON = "undone"
_ON_THE_TABLE = (EntryKind.CLOSING, EntryKind.REOPENING, EntryKind.REVERSAL, EntryKind.HAND)


class NothingToUndo(Conflict):
    """Nothing was written in the session yet that could be taken back."""

    code = "nothing-to-undo"

    def __init__(self, title: str) -> None:
        super().__init__(f"Nothing was written in “{title}” yet that could be undone.")


@dataclass(frozen=True, slots=True)
class Last:
    """What was written last: an entry's kind or, of a hand, its number and what was done to it."""

    what: str
    hand: int | None
    author: str
    entered_at: datetime


def last(db: Database, access: Access, session_id: int) -> Last | None:
    """Return what ``undo`` would take back, None where there is nothing. Raises ``NotFound``."""
    with db.read(access) as session:
        sessions.load(session, session_id)
        entry = _last_entry(session, session_id)
        if entry is None:
            return None
        if entry.hand_id is None:
            if EntryKind(entry.kind) in _ON_THE_TABLE or taking_back.is_taken_back(
                session, entry.id
            ):
                return None
            return Last(entry.kind, None, entry.author, entry.entered_at)
        hand, version = _last_turn(session, session_id)
        return Last(version.action, hand.number, version.author, version.entered_at)


def undo(
    db: Database, access: Access, key: str, session_id: int, *, revision: int | None = None
) -> Answer:
    """Take back what was written last in a session.

    Raises ``NothingToUndo``, ``CannotTakeBack`` for what has its own way back, ``AccountClosed``,
    ``SessionClosed``, ``Stale``, ``KeyReused``.
    """
    with db.write(access) as session:

        def act() -> Answer:
            row = unclosed_row(session, session_id, revision)
            entry = _last_entry(session, session_id)
            if entry is None:
                raise NothingToUndo(row.title)
            if entry.hand_id is not None:
                return _undo_hand(session, access, row)
            reversal = taking_back.take_back(session, access, row, entry, REASON)
            row.revision += 1
            answer = seats.answer(session, row, reversal)
            return {**answer, "undone": entry.kind, "hand": None, "followed": []}

        return once(session, key, ("undo", {"id": session_id}), act)


def _undo_hand(session: ScopedSession, access: Access, row: PlaySession) -> Mapping[str, Any]:
    view = sessions.view(session, row)
    hand, version = _last_turn(session, row.id)
    plan = _way_back(session, view, hand, version)
    corrections.carry_out(session, access, row, view, plan, REASON)
    return {**corrections.told(session, row, view, plan), "undone": version.action}


def _way_back(session: ScopedSession, view: SessionView, hand: Hand, version: HandVersion) -> Plan:
    if version.action == HandAction.VOIDED:
        return changes.plan_restoring(session, view, hand.number)
    if version.action == HandAction.CORRECTED:
        before = session.exec(
            select(HandVersion)
            .where(HandVersion.hand_id == hand.id)
            .where(HandVersion.version == version.version - 1)
        ).one()
        _, now = changes.find(session, view, hand.number)  # it may have followed since
        return changes.plan_return(session, view, hand, now, before)
    return changes.plan_voiding(session, view, hand.number)


def _last_entry(session: ScopedSession, session_id: int) -> JournalEntry | None:
    return session.exec(
        select(JournalEntry)
        .where(JournalEntry.session_id == session_id)
        .order_by(col(JournalEntry.id).desc())
        .limit(1)
    ).first()


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
