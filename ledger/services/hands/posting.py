"""What a hand moves, and the writing of it: a version, its entry, and the sums, all or nothing.

A version that stands has an entry of its own. Its postings follow from its record and verdict alone
(``amounts``), so saving, previewing and verifying all ask the same function.
"""

from collections import Counter
from collections.abc import Mapping
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import bindparam
from sqlmodel import col, select, update

from ledger import __version__, journal, json_text
from ledger.accounts import AccountKind, read_key, seat_key, session_key
from ledger.models import Account, EntryKind, Hand, HandAction, HandState, HandVersion
from ledger.scope import Built, Change, ScopedSession, insert, insert_all
from ledger.services.common.writing import Writing
from ledger.services.hands import tallies
from ledger.services.hands.stored import Written
from ledger.services.session.stored import StoredHand, StoredVersion
from ledger.services.session.view import SessionView

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
    view: SessionView,
    hand: StoredHand,
    written: Written,
    *,
    action: HandAction,
    when: datetime,
    reason: str | None = None,
) -> None:
    """Write a version that stands: its entry, the version itself, and every sum."""
    header = tx.header(view.id, EntryKind.HAND, reason=reason, occurred_at=when)
    entry = journal.post(
        tx.session,
        header._replace(hand_id=hand.id, record=json_text.text(written.record)),
        _by_account(tx.session, view, amounts(view.id, written)),
    )
    _add_version(tx, hand, written, action, when, reason, entry.id)
    tallies.add(tx.session, view.player_ids, hand.id, written)


def deal(tx: Writing, view: SessionView) -> StoredHand:
    """Give the next hand its number, before it has a version."""
    number, state = view.hands_dealt + 1, HandState.STANDING.value
    dealt = {"session_id": view.id, "number": number, "state": state, "version": 1}
    return StoredHand(insert(tx.session, Hand, dealt), view.id, number, state, 0)


def reverse(tx: Writing, view: SessionView, version: StoredVersion, reason: str) -> None:
    """Reverse a version that stands: its entry is reversed, and it leaves every sum."""
    assert version.entry_id is not None
    journal.reverse(tx.session, version.entry_id, author=tx.author, at=tx.at, reason=reason)
    tallies.take_away(tx.session, view.player_ids, version.hand_id, Written.of(version))


def mark_void(tx: Writing, hand: StoredHand, version: StoredVersion, reason: str) -> None:
    """Write that a hand is void: a version that repeats what it voids, and has no entry."""
    written = Written.of(version)
    _add_version(tx, hand, written, HandAction.VOIDED, version.played_at, reason)


_SAYS = Change(
    update(Hand)
    .where(col(Hand.id) == bindparam("hand"))
    .values(version=bindparam("now"), state=bindparam("stands")),
)


def _add_version(
    tx: Writing,
    hand: StoredHand,
    written: Written,
    action: HandAction,
    when: datetime,
    reason: str | None,
    entry_id: int | None = None,
) -> None:
    number = hand.version + 1
    version = {
        "session_id": hand.session_id,
        "hand_id": hand.id,
        "version": number,
        "action": action.value,
        "record": written.record,
        "verdict": written.verdict,
        "seat_ids": list(written.seat_ids),
        "engine_version": __version__,
        "entry_id": entry_id,
        "reason": reason,
        "author": tx.author,
        "played_at": when,
        "entered_at": tx.at,
    }
    insert_all(tx.session, HandVersion, [version])
    if number > 1:
        state = HandState.VOID if entry_id is None else HandState.STANDING
        says = {"hand": hand.id, "now": number, "stands": state.value}
        tx.session.change(_SAYS, says)


def _by_account(session: ScopedSession, view: SessionView, moved: Amounts) -> dict[int, int]:
    """Find the accounts of these keys; pots and the world's are opened when they are first needed."""
    found = {seat_key(seat.id): seat.account_id for seat in view.seats}
    if others := moved.keys() - found.keys():
        found |= dict(session.ask(_BY_KEY, keys=list(others)))
    return {
        found.get(key) or _open(session, view.id, key).id: amount for key, amount in moved.items()
    }


_BY_KEY = Built(
    lambda key, account_id: (str(key), int(account_id)),
    select(Account.key, Account.id).where(col(Account.key).in_(bindparam("keys", expanding=True))),
)


def _open(session: ScopedSession, session_id: int, key: str) -> Account:
    kind, name = read_key(key)
    return journal.open_account(session, kind, session_id=session_id, name=name)
