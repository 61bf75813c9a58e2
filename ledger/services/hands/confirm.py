"""Confirming hands on a second device, if the club requires it.

A hand that somebody enters or corrects is unconfirmed until a device other than theirs confirms it. That
stops nothing: a confirmation changes no balance and makes no other write stale. Both the wait and the
confirmation are in the register (``ledger.books.sealed_columns``).
"""

from collections.abc import Iterable

from sqlalchemy import bindparam
from sqlmodel import col, select, update

from engine.words.sentences import later, say
from ledger.database.models import Hand, HandAction, PlaySession
from ledger.database.scope import Change, ScopedSession
from ledger.services.common.writing import WriteContext, WriteResponse, writes
from ledger.services.hands import preview as previews
from ledger.services.hands import versions
from ledger.services.session.hand_versions import HandChange, HandVersion
from ledger.services.session.load import load, must_be_at
from ledger.services.session.view import SessionView
from ledger.words.problems import Conflict, Stale


class SameDevice(Conflict):
    """Raised for a confirmation by the device that entered the hand."""

    code = "same-device"
    sentence = later(
        "This device entered hand {number}; it is for another one to look at it and confirm it."
    )


class NothingToConfirm(Conflict):
    """Raised for a hand that is confirmed already, or needs no confirmation."""

    code = "nothing-to-confirm"
    sentence = later("Hand {number} is confirmed already, or needs no confirmation.")


def is_required(view: SessionView, version: HandVersion) -> bool:
    """Return whether a player wins or loses at least the club's ``confirm_from`` by this version.

    False if the club requires no confirmations (``confirm_from`` is 0).
    """
    return bool(view.confirm_from) and view.confirm_from <= max(map(abs, version.deltas.values()))


def mark(tx: WriteContext, view: SessionView, changes: Iterable[HandChange]) -> None:
    """Set on each changed hand the device that entered it, if another one must confirm it, or else None.

    A hand that was recalculated after another one stays as it is.
    """
    for old, new, _ in changes:
        if new.action == HandAction.FOLLOWED:
            continue
        is_waiting = new.action != HandAction.VOIDED and is_required(view, new)
        device = tx.device if is_waiting else None
        if device != (old and old.unconfirmed_from):
            _hand(tx.session, new.hand_id).unconfirmed_from = device


@writes("confirm hand")
def confirm(tx: WriteContext, session_id: int, number: int, *, version: int) -> WriteResponse:
    """Confirm a version of a hand that another device entered, in a session in any state.

    Raises ``SameDevice``, ``NothingToConfirm``, ``NotFound``, and ``Stale`` if it is not the current version.
    """
    view = load(tx.session, session_id)
    must_be_at(tx.session, view, tx.seen)
    hand = versions.find(tx.session, view, number)
    if hand.version != version:
        raise Stale(
            say(
                "Hand {number} was changed since you looked at it. Nothing was confirmed; look at it again.",
                number=number,
            ),
            hands=[number],
        )
    if hand.unconfirmed_from is None:
        raise NothingToConfirm(number=number)
    if hand.unconfirmed_from == tx.device:
        raise SameDevice(number=number)
    _hand(tx.session, hand.hand_id).unconfirmed_from = None
    tx.session.change(_COUNTED, {"session": session_id})
    return {
        "session": session_id,
        "hand": number,
        "version": version,
        **previews.written(tx, view.revision),
    }


_COUNTED = Change(
    update(PlaySession)
    .where(col(PlaySession.id) == bindparam("session"))
    .values(confirmations=col(PlaySession.confirmations) + 1),
)


def _hand(session: ScopedSession, hand_id: int) -> Hand:
    """Return a hand's row as an object, so that the register notes changes of it."""
    return session.exec(select(Hand).where(Hand.id == hand_id)).one()
