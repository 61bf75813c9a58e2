"""What a hand moves, and the writing of it: a version, its entry, and the sums, all or nothing.

A version that stands has an entry of its own. Its postings follow from its record and verdict alone
(``amounts``), so saving, previewing and verifying all ask the same function.
"""

from collections import Counter
from collections.abc import Mapping
from datetime import datetime
from typing import NamedTuple

from ledger import __version__, journal, json_text
from ledger.access import Access
from ledger.accounts import AccountKind, read_key, seat_key, session_key
from ledger.journal import EntryHeader
from ledger.models import (
    Account,
    EntryKind,
    Hand,
    HandAction,
    HandState,
    HandVersion,
)
from ledger.scope import ScopedSession
from ledger.services.hands import tallies
from ledger.services.hands.stored import Written

Amounts = Mapping[str, int]
"""What accounts get (or, negative, give), by their keys. Nobody is in it with nothing."""


class Moved(NamedTuple):
    """What a hand moves: what each seat, each pot and the world's side get (or, negative, give)."""

    seats: Mapping[int, int]
    pots: Mapping[str, int]
    world: int


def moved(written: Written) -> Moved:
    """Return what a hand moves. A score that is no payment comes from the world's side."""
    seats, pots = written.deltas, written.into_pots
    return Moved(seats, pots, -sum(seats.values()) - (sum(pots.values()) if pots else 0))


def amounts(session_id: int, written: Written) -> Amounts:
    """Return what a hand moves, by the keys of the accounts."""
    return by_key(session_id, moved(written))


def by_key(session_id: int, what: Moved) -> Amounts:
    """Spell what a hand moves by the keys of the accounts."""
    seats, pots, world = what
    keys = {seat_key(seat_id): amount for seat_id, amount in seats.items()}
    keys |= {
        session_key(session_id, AccountKind.POT, name): amount for name, amount in pots.items()
    }
    keys[session_key(session_id, AccountKind.WORLD)] = world
    return {key: amount for key, amount in keys.items() if amount}


def without_pots(session_id: int, written: Written) -> Amounts:
    """Return what a hand moved in the first books, whose pots had no accounts: their part was the world's."""
    seats = written.deltas
    return by_key(session_id, Moved(seats, {}, -sum(seats.values())))


def together(*parts: Amounts) -> Amounts:
    """Add amounts up."""
    total: Counter[str] = Counter()
    for part in parts:
        total.update(part)
    return {key: amount for key, amount in total.items() if amount}


def backwards(amounts: Amounts) -> Amounts:
    """Turn amounts round."""
    return {key: -amount for key, amount in amounts.items()}


def enter(
    session: ScopedSession,
    access: Access,
    hand: Hand,
    written: Written,
    *,
    action: HandAction,
    when: datetime,
    at: datetime,
    reason: str | None = None,
    known: Mapping[str, int],
) -> None:
    """Write a version that stands: its entry, the version itself, and every sum.

    ``known`` are the ids of accounts by their keys; others are looked up, or opened.
    """
    entry = journal.post(
        session,
        EntryHeader(
            session_id=hand.session_id,
            kind=EntryKind.HAND,
            author=access.author,
            occurred_at=when,
            entered_at=at,
            hand_id=hand.id,
            reason=reason,
            record=json_text.text(written.record),
        ),
        _by_account(session, hand.session_id, amounts(hand.session_id, written), known),
    )
    version = _version(access, hand, written, action, when, at, reason)
    version.entry_id = entry.id
    hand.state = HandState.STANDING.value
    session.add(version)
    tallies.add(session, version)


def reverse(
    session: ScopedSession, access: Access, version: HandVersion, *, at: datetime, reason: str
) -> None:
    """Take a version that stands back: its entry is reversed, and it leaves every sum."""
    assert version.entry_id is not None
    journal.reverse(session, version.entry_id, author=access.author, at=at, reason=reason)
    tallies.take_away(session, version)


def mark_void(
    session: ScopedSession,
    access: Access,
    hand: Hand,
    version: HandVersion,
    *,
    at: datetime,
    reason: str,
) -> None:
    """Write that a hand is void: a version that repeats what it voids, and has no entry."""
    hand.state = HandState.VOID.value
    session.add(
        _version(
            access, hand, Written.of(version), HandAction.VOIDED, version.played_at, at, reason
        )
    )


def _version(
    access: Access,
    hand: Hand,
    written: Written,
    action: HandAction,
    when: datetime,
    at: datetime,
    reason: str | None,
) -> HandVersion:
    hand.version += 1
    return HandVersion(
        session_id=hand.session_id,
        hand_id=hand.id,
        version=hand.version,
        action=action.value,
        record=dict(written.record),
        verdict=dict(written.verdict),
        seat_ids=list(written.seat_ids),
        engine_version=__version__,
        reason=reason,
        author=access.author,
        played_at=when,
        entered_at=at,
    )


def _by_account(
    session: ScopedSession, session_id: int, moved: Amounts, known: Mapping[str, int]
) -> dict[int, int]:
    """Find the accounts of these keys; pots and the world's are opened when they are first needed."""
    found = {
        key: known[key] if key in known else _open(session, session_id, key).id for key in moved
    }
    return {found[key]: amount for key, amount in moved.items()}


def _open(session: ScopedSession, session_id: int, key: str) -> Account:
    kind, name = read_key(key)
    return journal.open_account(session, kind, session_id=session_id, name=name)
