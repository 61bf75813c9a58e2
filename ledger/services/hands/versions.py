"""A hand in full: every version that was written of it, each with its record and its verdict."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlmodel import col, select

from engine.reasoning.verdict import in_words
from ledger.models import Hand, HandAction, HandVersion
from ledger.problems import NoSuchHand
from ledger.scope import ScopedSession
from ledger.services.session import load as session_load

DONE = {
    HandAction.CORRECTED: "corrected",
    HandAction.VOIDED: "voided",
    HandAction.RESTORED: "restored",
}


def reason_to_follow(number: int, action: HandAction, reason: str) -> str:
    """Say why a later hand is paid anew: what was done to hand ``number``, and why.

    >>> reason_to_follow(3, HandAction.VOIDED, "misdeal")
    'hand 3 voided: misdeal'
    """
    return f"hand {number} {DONE[action]}: {reason}"


def followed(reason: str | None) -> int | None:
    """Return the number of the hand that ``reason_to_follow`` told of.

    >>> followed("hand 3 voided: misdeal")
    3
    """
    found = re.match(r"hand ([0-9]+) ", reason or "")
    return int(found[1]) if found else None


@dataclass(frozen=True, slots=True)
class VersionView:
    """What was written down of a hand at one time, and what the engine answered to it."""

    version: int
    action: str
    record: Mapping[str, Any]
    verdict: Mapping[str, Any]
    reason: str | None
    author: str
    engine_version: str
    entry: int | None
    played_at: datetime
    entered_at: datetime


@dataclass(frozen=True, slots=True)
class HandView:
    """A hand: whether it stands, and its versions, oldest first; the last is the one that holds."""

    number: int
    state: str
    version: int
    versions: tuple[VersionView, ...]

    @property
    def record(self) -> Mapping[str, Any]:
        """The record that holds now."""
        return self.versions[-1].record

    @property
    def verdict(self) -> Mapping[str, Any]:
        """The verdict that holds now."""
        return self.versions[-1].verdict


def of_hand(session: ScopedSession, session_id: int, number: int) -> HandView:
    """Return hand ``number`` of a session with all its versions. Raises ``NotFound``."""
    view = session_load.load(session, session_id)
    hand = session.exec(
        select(Hand).where(Hand.session_id == session_id, Hand.number == number)
    ).one_or_none()
    if hand is None:
        raise NoSuchHand(number, view.title, view.hands_dealt)
    rows = session.exec(
        select(HandVersion).where(HandVersion.hand_id == hand.id).order_by(col(HandVersion.version))
    ).all()
    return HandView(hand.number, hand.state, hand.version, tuple(map(_view, rows)))


def _view(row: HandVersion) -> VersionView:
    return VersionView(
        version=row.version,
        action=row.action,
        record=row.record,
        verdict=in_words(row.verdict),
        reason=row.reason,
        author=row.author,
        engine_version=row.engine_version,
        entry=row.entry_id,
        played_at=row.played_at,
        entered_at=row.entered_at,
    )
