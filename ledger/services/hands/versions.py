"""A hand in full: every version that was written of it, each with its record and its verdict."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from sqlalchemy import bindparam
from sqlmodel import col

from ledger.database.kinds.hand_actions import BADGES
from ledger.database.models import HandAction, HandVersionTable
from ledger.database.scope import Built, ScopedSession
from ledger.services.hands import plan
from ledger.services.session import load as session_load
from ledger.services.session.stored import EVERY_VERSION, StoredHand, StoredVersion, pair


def reason_to_follow(number: int, action: HandAction, reason: str) -> str:
    """Say why a later hand is recalculated: what was done to hand ``number``, and why.

    >>> reason_to_follow(3, HandAction.VOIDED, "misdeal")
    'hand 3 voided: misdeal'
    """
    return f"hand {number} {BADGES[action]}: {reason}"


@dataclass(frozen=True, slots=True)
class HandView:
    """A hand: whether it stands, and its versions, oldest first; the last is the one that holds."""

    number: int
    state: Annotated[str, "`standing` or `void`; a void hand counts in no balance."]
    version: Annotated[int, "The current version."]
    versions: tuple[StoredVersion, ...]

    @property
    def record(self) -> Mapping[str, Any]:
        """The current record."""
        return self.versions[-1].record

    @property
    def verdict(self) -> Mapping[str, Any]:
        """The verdict that holds now."""
        return self.versions[-1].answer


def of_hand(session: ScopedSession, session_id: int, number: int) -> HandView:
    """Return hand ``number`` of a session with all its versions. Raises ``NotFound``."""
    view = session_load.load(session, session_id)
    hand, _ = plan.find(session, view, number)
    return HandView(hand.number, hand.state, hand.version, of_row(session, hand))


def of_row(session: ScopedSession, hand: StoredHand) -> tuple[StoredVersion, ...]:
    """Return every version of a hand, oldest first."""
    return tuple(version for _, version in session.ask(_VERSIONS, hand=hand.id))


_VERSIONS = Built(
    pair,
    EVERY_VERSION.where(HandVersionTable.hand_id == bindparam("hand")).order_by(
        col(HandVersionTable.version)
    ),
)
