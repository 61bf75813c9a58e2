"""Recalculating later hands for the contents of the pots after a change."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sqlalchemy import bindparam
from sqlmodel import col, select

from engine.record import HandRecord
from engine.rules.verdict import Verdict
from engine.words import sentences
from ledger.books.hand_effects import POTS
from ledger.database.models import Hand, HandAction, HandState, HandVersionTable
from ledger.database.scope import Built, ScopedSession, asked_once
from ledger.services.hands import draft, pots
from ledger.services.session.hand_versions import CURRENT_VERSIONS, HandChange, HandVersion
from ledger.services.session.view import SessionView
from ledger.words.problems import Conflict, Invalid


class CannotStand(Conflict):
    """Raised if a stored hand would be refused after a change."""

    code = "cannot-stand"
    sentence = sentences.later(
        "This would make hand {number} invalid: {why} Correct or void that hand first, "
        "or undo what was put into the pots before it."
    )


def scored_anew(number: int, keys: Mapping[str, Any], version: str) -> tuple[HandRecord, Verdict]:
    """Parse and score a stored record by the rules of an engine version; return the record and the verdict.

    Raises ``CannotStand`` instead of ``Invalid``: nobody sent the record, so there is no field to mark.
    """
    try:
        record = draft.read(keys)
        return record, draft.judge(record, version)
    except Invalid as invalid:
        raise CannotStand(number=number, why=invalid.message) from invalid


def next_version(
    old: HandVersion, record: HandRecord, verdict: Verdict, version: str, action: HandAction
) -> HandVersion:
    """Return the next version of a hand, with a record and its verdict by the rules of an engine version.

    It is standing, is not written, and still has the old version's entry, reason, cause, author and time of
    entry.
    """
    return old._replace(
        state=HandState.STANDING.value,
        version=old.version + 1,
        action=action.value,
        record=record.to_mapping(),
        verdict=verdict.to_stored(),
        engine_version=version,
        played_at=record.played_at or old.played_at,
    )


def followers_of(
    session: ScopedSession, view: SessionView, entry_id: int, shift: Mapping[str, int]
) -> tuple[HandChange, ...]:
    """Return the changes of the hands first recorded after an entry that moved chips of the pots.

    ``shift`` is the difference in each pot that undoing (or repeating) the entry makes. Nothing is written.
    Raises ``PotsSpent``, ``PotTooFull``, ``CannotStand``.
    """
    since = set(
        session.exec(
            select(HandVersionTable.hand_id)
            .where(HandVersionTable.session_id == view.id, HandVersionTable.version == 1)
            .where(col(HandVersionTable.entry_id) > entry_id)
        )
    )
    hands = [version for version in later(session, view, 0) if version.hand_id in since]
    return tuple(_follow(session, view, {name: shift.get(name, 0) for name in POTS}, hands))


def followers(
    session: ScopedSession, view: SessionView, change: HandChange
) -> Iterator[HandChange]:
    """Yield the changes of later hands that follow from a hand's change, if it changes the pots.

    Raises ``PotsSpent``, ``PotTooFull``, ``CannotStand``.
    """
    shift = change.pot_gains
    if any(shift.values()):
        yield from _follow(session, view, shift, later(session, view, change.new.number))


def _follow(
    session: ScopedSession,
    view: SessionView,
    shift: Mapping[str, int],
    hands: Sequence[HandVersion],
) -> Iterator[HandChange]:
    """Yield the changes of hands after the pots changed by ``shift``, until a hand ends the difference.

    Raises ``PotsSpent`` or ``PotTooFull`` for the pots before a hand or, if a difference remains, the pots
    now, and ``CannotStand``.
    """
    for old in hands:
        contents = {name: old.record["pots"][name] + shift[name] for name in POTS}
        pots.must_hold(contents)
        version = old.rules_version
        record, verdict = scored_anew(old.number, {**old.record, "pots": contents}, version)
        new = next_version(old, record, verdict, version, HandAction.FOLLOWED)
        change = HandChange(old, new)
        yield change
        gains = change.pot_gains
        shift = {name: shift[name] + gains[name] for name in POTS}
        if not any(shift.values()):
            return
    contents = pots.contents(session, view.id)
    pots.must_hold({name: contents[name] + shift[name] for name in POTS})


_LATER = Built(
    HandVersion,
    CURRENT_VERSIONS.where(
        Hand.session_id == bindparam("session"), Hand.number > bindparam("number")
    )
    .where(Hand.state == HandState.STANDING.value)
    .order_by(col(Hand.number)),
)


@asked_once
def later(session: ScopedSession, view: SessionView, number: int) -> Sequence[HandVersion]:
    """Return the current versions of standing hands above this number, if played for pots, in order."""
    versions = session.ask(_LATER, session=view.id, number=number)
    return [version for version in versions if "pots" in version.record]
