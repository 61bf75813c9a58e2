"""Hands looked up by their numbers: the current version, or all of them."""

from sqlalchemy import bindparam

from ledger.database.models import Hand, HandState
from ledger.database.scope import Built, ScopedSession, asked_once
from ledger.services.session import load as session_load
from ledger.services.session.hand_versions import CURRENT_VERSIONS, HandVersion, versions_of
from ledger.services.session.view import SessionView
from ledger.words.problems import AlreadyVoid, NoSuchHand

_HAND = Built(
    HandVersion,
    CURRENT_VERSIONS.where(
        Hand.session_id == bindparam("session"), Hand.number == bindparam("number")
    ),
)


@asked_once
def find(session: ScopedSession, view: SessionView, number: int) -> HandVersion:
    """Return the current version of the hand with this number. Raises ``NotFound``."""
    for version in session.ask(_HAND, session=view.id, number=number):
        return version
    raise NoSuchHand(number, view.title, view.hands_dealt)


def standing(session: ScopedSession, view: SessionView, number: int) -> HandVersion:
    """Return the current version of a hand that is not void. Raises ``NotFound``, ``AlreadyVoid``."""
    version = find(session, view, number)
    if version.state == HandState.VOID:
        raise AlreadyVoid(number=number)
    return version


def of_hand(session: ScopedSession, session_id: int, number: int) -> tuple[HandVersion, ...]:
    """Return every version of a hand, oldest first. Raises ``NotFound``."""
    view = session_load.load(session, session_id)
    return versions_of(session, find(session, view, number).hand_id)
