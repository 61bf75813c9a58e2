"""What a hand moves, and the writing of it: a version, its entry, and the sums, all or nothing.

A version that stands has an entry of its own. Its postings follow from its record and verdict alone
(``amounts``), so saving, previewing and verifying all ask the same function.
"""

from collections import Counter
from collections.abc import Mapping
from datetime import datetime
from typing import NamedTuple

from ledger import __version__, journal, json_text
from ledger.accounts import AccountKind, read_key, seat_key, session_key
from ledger.models import Account, EntryKind, Hand, HandAction, HandState, HandVersion
from ledger.scope import ScopedSession
from ledger.services.common.writing import Writing
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
    """Return what a hand moves. A score that is not a payment comes from the world's side."""
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
    tx: Writing,
    hand: Hand,
    written: Written,
    *,
    action: HandAction,
    when: datetime,
    reason: str | None = None,
    known: Mapping[str, int],
) -> None:
    """Write a version that stands: its entry, the version itself, and every sum.

    ``known`` are the ids of accounts by their keys; others are looked up, or opened.
    """
    header = tx.header(hand.session_id, EntryKind.HAND, reason=reason, occurred_at=when)
    entry = journal.post(
        tx.session,
        header._replace(hand_id=hand.id, record=json_text.text(written.record)),
        _by_account(tx.session, hand.session_id, amounts(hand.session_id, written), known),
    )
    version = _version(tx, hand, written, action, when, reason)
    version.entry_id = entry.id
    hand.state = HandState.STANDING.value
    tx.session.add(version)
    tallies.add(tx.session, version)


def reverse(tx: Writing, version: HandVersion, reason: str) -> None:
    """Reverse a version that stands: its entry is reversed, and it leaves every sum."""
    assert version.entry_id is not None
    journal.reverse(tx.session, version.entry_id, author=tx.author, at=tx.at, reason=reason)
    tallies.take_away(tx.session, version)


def mark_void(tx: Writing, hand: Hand, version: HandVersion, reason: str) -> None:
    """Write that a hand is void: a version that repeats what it voids, and has no entry."""
    hand.state = HandState.VOID.value
    written = Written.of(version)
    tx.session.add(_version(tx, hand, written, HandAction.VOIDED, version.played_at, reason))


def _version(
    tx: Writing,
    hand: Hand,
    written: Written,
    action: HandAction,
    when: datetime,
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
        author=tx.author,
        played_at=when,
        entered_at=tx.at,
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
