"""What a hand moves, and the writing of it: a version, its entry, and the sums, all or nothing.

A version that stands has an entry of its own. Its postings follow from its record and verdict alone
(``amounts``), so saving, previewing and verifying all ask the same function.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sqlalchemy import bindparam
from sqlmodel import col, select, update

from ledger.books import journal
from ledger.books.chain import NO_DETAILS, EntryHeader
from ledger.books.journal import Entry
from ledger.database import json
from ledger.database.bulk_parameters import json_table
from ledger.database.kinds.accounts import Amounts, Moved, by_key, read_key, seat_key
from ledger.database.models import Account, EntryKind, Hand, HandState, HandVersionTable
from ledger.database.scope import Built, Change, ScopedSession, insert, insert_all
from ledger.services.common.writing import WriteContext
from ledger.services.hands import after_leaving, tallies
from ledger.services.hands.stored import HandChange, Written
from ledger.services.session.steps import CAUSE
from ledger.services.session.stored import StoredHand
from ledger.services.session.view import SessionView


def moved(written: Written) -> Moved:
    """Return what a hand moves. A score that is not a payment comes from the world's side."""
    seats, pots = written.deltas, written.into_pots
    return Moved(seats, pots, -sum(seats.values()) - (sum(pots.values()) if pots else 0))


def amounts(session_id: int, written: Written) -> Amounts:
    """Return what a hand moves, by the keys of the accounts."""
    return by_key(session_id, moved(written))


def together(*parts: Amounts) -> Amounts:
    """Add amounts up."""
    total: Counter[str] = Counter()
    for part in parts:
        total.update(part)
    return {key: amount for key, amount in total.items() if amount}


def backwards(amounts: Amounts) -> Amounts:
    """Turn amounts round."""
    return {key: -amount for key, amount in amounts.items()}


def parts(session_id: int, change: HandChange) -> Iterator[Amounts]:
    """Yield what is reversed and what is paid instead."""
    if change.counted is not None:
        yield backwards(amounts(session_id, change.counted))
    if change.new is not None:
        yield amounts(session_id, change.new)


def deal(tx: WriteContext, view: SessionView) -> StoredHand:
    """Give the next hand its number, before it has a version."""
    number, state = view.hands_dealt + 1, HandState.STANDING.value
    dealt = {"session_id": view.id, "number": number, "state": state, "version": 1}
    return StoredHand(insert(tx.session, Hand, dealt), view.id, number, state, 0)


def write(
    tx: WriteContext, view: SessionView, changes: Sequence[tuple[HandChange, str | None]]
) -> None:
    """Write changes of hands, each with its reason, in one go: their entries, versions and every sum.

    What counted is reversed and leaves the sums; what is to stand is paid, and enters them. What is written
    is what each change written alone would leave behind. Before them comes what is settled with players who
    have left, so that the last entry of the write is a hand's.
    """
    settlings = after_leaving.plan(tx.session, view, [change for change, _ in changes])
    to_reverse = {
        change.reverses: reason for change, reason in changes if change.reverses is not None
    }
    opposites = journal.opposites(tx.session, to_reverse, author=tx.author, at=tx.at)
    ids = _Accounts(tx.session, view)
    first, why = changes[0]
    entries = [after_leaving.entry(tx, view, each, first.hand.number, why) for each in settlings]
    for change, reason in changes:
        if change.reverses is not None:
            header, amounts_back = opposites[change.reverses]
            entries.append(Entry(header._replace(details=_details(change)), amounts_back))
        if change.new is not None:
            entries.append(Entry(_header(tx, change, reason), ids.of(amounts(view.id, change.new))))
    moved = {account_id for entry in entries for account_id in entry.amounts}
    closed = {seat.account_id for seat in view.seats if seat.has_left}
    with journal.reopened(tx.session, moved & closed):
        numbers = journal.post_all(tx.session, entries)
    paid_by = {
        header.hand_id: number
        for (header, _), number in zip(entries, numbers, strict=True)
        if header.kind is EntryKind.HAND
    }
    versions = [
        _version(tx, change, reason, paid_by.get(change.hand.id)) for change, reason in changes
    ]
    insert_all(tx.session, HandVersionTable, versions)
    says = [_says(change) for change, _ in changes if change.old is not None]
    tx.session.change(_SAYS, *says)
    tallies.move(tx.session, view, [change for change, _ in changes])


def _header(tx: WriteContext, change: HandChange, reason: str | None) -> EntryHeader:
    """Head the entry that pays a hand; it seals the hand's record."""
    when, record = change.played_at or tx.at, json.text(change.says.record)
    header = tx.header(change.hand.session_id, EntryKind.HAND, reason=reason, occurred_at=when)
    return header._replace(hand_id=change.hand.id, record=record, details=_details(change))


def _details(change: HandChange) -> Mapping[str, Any]:
    return NO_DETAILS if change.cause is None else {CAUSE: change.cause}


def _version(
    tx: WriteContext, change: HandChange, reason: str | None, entry_id: int | None
) -> dict[str, Any]:
    record, verdict, seat_ids, engine_version = change.says
    return {
        "session_id": change.hand.session_id,
        "hand_id": change.hand.id,
        "version": change.hand.version + 1,
        "action": change.action.value,
        "record": record,
        "verdict": verdict,
        "seat_ids": list(seat_ids),
        "engine_version": engine_version,
        "entry_id": entry_id,
        "reason": reason,
        "cause": change.cause,
        "author": tx.author,
        "played_at": change.played_at or tx.at,
        "entered_at": tx.at,
    }


def _says(change: HandChange) -> dict[str, Any]:
    state = HandState.VOID if change.new is None else HandState.STANDING
    return {"hand": change.hand.id, "now": change.hand.version + 1, "stands": state.value}


_SAYS = Change(
    update(Hand)
    .where(col(Hand.id) == bindparam("hand"))
    .values(version=bindparam("now"), state=bindparam("stands")),
)


class _Accounts:
    """The accounts of a session, by their keys; pots and the world's are opened when first needed."""

    def __init__(self, session: ScopedSession, view: SessionView) -> None:
        self.session, self.session_id = session, view.id
        self.known = {seat_key(seat.id): seat.account_id for seat in view.seats}

    def of(self, moved: Amounts) -> dict[int, int]:
        """Return what is moved by the accounts' numbers."""
        if others := moved.keys() - self.known.keys():
            self.known |= dict(self.session.ask(_BY_KEY, keys=list(others)))
            for key in others - self.known.keys():
                kind, name = read_key(key)
                self.known[key] = journal.open_account(
                    self.session, kind, session_id=self.session_id, name=name
                ).id
        return {self.known[key]: amount for key, amount in moved.items()}


_BY_KEY = Built(
    lambda key, account_id: (str(key), int(account_id)),
    select(Account.key, Account.id).where(col(Account.key) == json_table("keys").c.key),
)
