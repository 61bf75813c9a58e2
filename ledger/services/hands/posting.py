"""Writes changes of hands: their versions, entries and every sum, all or nothing.

A standing version has an entry of its own, with postings that follow from its record and verdict alone. The
sums (results, tallies, head to head, each seat's bids and points) contain the standing hands: reversing a
hand takes out the amounts that writing it added, in the same transaction, and ``solo-ledger verify``
recomputes them. The players' winnings by other entries are stored separately.
"""

import operator
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import bindparam
from sqlmodel import col, delete, func, select, update

from engine.rules.sheet import SCORE
from ledger.books import journal
from ledger.books.chain import NO_DETAILS, EntryHeader
from ledger.books.hand_effects import HandEffects
from ledger.books.journal import Entry
from ledger.database import json
from ledger.database.bulk_parameters import json_table
from ledger.database.kinds.accounts import Amounts, read_key
from ledger.database.kinds.entries import KINDS
from ledger.database.kinds.states import ENDS
from ledger.database.models import (
    Account,
    EntryKind,
    Hand,
    HandVersionTable,
    HeadToHead,
    Player,
    PlayerResult,
    PlayerTally,
    Posting,
    Seat,
)
from ledger.database.scope import Built, Change, ScopedSession, add_up, insert, insert_all
from ledger.services.common.writing import WriteContext
from ledger.services.hands import after_leaving, confirm
from ledger.services.session.hand_versions import CAUSE, HandChange, HandVersion
from ledger.services.session.view import SessionView


def together(*parts: Amounts) -> Amounts:
    """Return the sums of amounts, without accounts that do not move.

    >>> together({"ann": 5, "bob": -5}, {"bob": 5, "cyd": -5})
    {'ann': 5, 'cyd': -5}
    """
    total: Counter[str] = Counter()
    for part in parts:
        total.update(part)
    return {key: amount for key, amount in total.items() if amount}


def amounts(version: HandVersion) -> Amounts:
    """Map the key of each account to the amount that a hand moves."""
    return version.effects.postings(version.session_id, version.seat_ids)


def net_amounts(changes: Iterable[HandChange]) -> Amounts:
    """Map the key of each account to the net amount that changes of hands move, without amounts of 0."""
    parts: list[Amounts] = []
    for change in changes:
        if change.before is not None:
            parts.append({key: -amount for key, amount in amounts(change.before).items()})
        if change.after is not None:
            parts.append(amounts(change.after))
    return together(*parts)


def deal(tx: WriteContext, version: HandVersion) -> HandVersion:
    """Insert the row of a new hand, and return its first version with the hand's id."""
    hand = {
        "session_id": version.session_id,
        "number": version.number,
        "state": version.state,
        "version": version.version,
    }
    return version._replace(hand_id=insert(tx.session, Hand, hand))


def write(tx: WriteContext, view: SessionView, changes: Sequence[HandChange]) -> None:
    """Write changes of hands, their entries, and every sum, but not the session's revision.

    The result is that of each change written alone, but every sum moves once. Settlements with players who
    have left come first, so that the last entry of the write is a hand's. Raises as ``journal.post_all``
    does.
    """
    session = tx.session
    left = {seat.account_id for seat in view.seats if seat.has_left}
    reasons = {
        change.old.entry_id: change.new.reason
        for change in changes
        if change.old is not None and change.old.entry_id is not None
    }
    reversals = journal.opposites(session, reasons, author=tx.author, at=tx.at)
    entries = []
    if left:
        first = changes[0].new
        settlings = after_leaving.plan(session, view, changes)
        entries = [
            after_leaving.entry(tx, view, settling, first.number, first.reason)
            for settling in settlings
        ]
    accounts = _Accounts(session, view)
    effects: list[tuple[int, HandVersion, HandEffects]] = []
    for change in changes:
        old, new, new_effects = change
        details = _details(new)
        if old is not None and old.entry_id is not None:
            header, reversed_amounts = reversals[old.entry_id]
            entries.append(Entry(header._replace(details=details), reversed_amounts))
            effects.append((-1, old, old.effects))
        if change.after is not None:
            added = new_effects or new.effects
            effects.append((1, new, added))
            postings = accounts.by_id(added.postings(view.id, new.seat_ids))
            entries.append(Entry(_header(tx, new, details), postings))
    moved = {account_id for entry in entries for account_id in entry.amounts}
    with journal.reopened(session, moved & left):
        numbers = journal.post_all(session, entries)
    entry_of = {
        header.hand_id: number
        for (header, _), number in zip(entries, numbers, strict=True)
        if header.kind is EntryKind.HAND
    }
    rows = [_row(tx, change.new, entry_of.get(change.new.hand_id)) for change in changes]
    insert_all(session, HandVersionTable, rows)
    states = [
        {"hand": new.hand_id, "now": new.version, "stands": new.state}
        for old, new, _ in changes
        if old is not None
    ]
    session.change(_STATE, *states)
    confirm.mark(tx, view, changes)
    _add_to_sums(session, view, effects)


def _details(version: HandVersion) -> Mapping[str, Any]:
    return NO_DETAILS if version.cause is None else {CAUSE: version.cause}


def _header(tx: WriteContext, version: HandVersion, details: Mapping[str, Any]) -> EntryHeader:
    """Return the header of the entry that pays a hand; the entry seals the hand's record."""
    return EntryHeader(
        version.session_id,
        EntryKind.HAND,
        tx.author,
        version.played_at,
        tx.at,
        version.hand_id,
        version.reason,
        details=details,
        record=json.text(version.record),
    )


def _row(tx: WriteContext, version: HandVersion, entry_id: int | None) -> dict[str, Any]:
    row = version._asdict()
    del row["number"], row["state"], row["unconfirmed_from"]
    seat_ids = list(version.seat_ids)
    more = {"entry_id": entry_id, "author": tx.author, "entered_at": tx.at, "seat_ids": seat_ids}
    return row | more


_STATE = Change(
    update(Hand)
    .where(col(Hand.id) == bindparam("hand"))
    .values(version=bindparam("now"), state=bindparam("stands")),
)


class _Accounts:
    """The accounts of a session by their keys; those of pots and the world are opened when needed."""

    def __init__(self, session: ScopedSession, view: SessionView) -> None:
        self.session, self.session_id = session, view.id
        self.ids = {key: seat.account_id for key, seat in view.seats_by_account.items()}

    def by_id(self, amounts: Amounts) -> dict[int, int]:
        """Return amounts by the accounts' ids; open the accounts that don't exist yet."""
        if others := [key for key in amounts if key not in self.ids]:
            self.ids |= dict(self.session.ask(_BY_KEY, keys=others))
            for key in (key for key in others if key not in self.ids):
                kind, name = read_key(key)
                self.ids[key] = journal.open_account(
                    self.session, kind, session_id=self.session_id, name=name
                ).id
        return {self.ids[key]: amount for key, amount in amounts.items()}


_BY_KEY = Built(
    lambda key, account_id: (str(key), int(account_id)),
    select(Account.key, Account.id).where(col(Account.key) == json_table("keys").c.key),
)


def _add_to_sums(
    session: ScopedSession,
    view: SessionView,
    effects: Iterable[tuple[int, HandVersion, HandEffects]],
) -> None:
    """Add the effects with sign 1 to every sum, and subtract those with sign -1.

    The rows of the players' results are deleted for sign -1, and inserted for sign 1.
    """
    player_of = view.player_ids
    tallies, paid, seats = _Sums(), _Sums(), _Sums()
    results: list[dict[str, Any]] = []
    replaced: list[dict[str, Any]] = []
    for sign, version, hand in effects:
        seat_ids = version.seat_ids
        players = [player_of[seat_id] for seat_id in seat_ids]
        ends = [sign * (hand.outcome == end) for end in ENDS]
        if sign < 0:
            replaced.append({"hand": version.hand_id})
        for place, amount in enumerate(hand.amounts):
            key = (players[place], hand.game, hand.bid, hand.sides[place])
            tallies.add(key, (sign, *ends, sign * amount))
            if hand.unit == SCORE:
                seats.add((seat_ids[place],), (0, 0, sign * amount))
            if sign > 0:
                result = version.hand_id, seat_ids[place], *key, amount, hand.unit, hand.outcome
                results.append(dict(zip(_RESULT, result, strict=True)))
        for (payer, payee), amount in hand.paid.items():
            paid.add((players[payer], players[payee]), (sign, sign * amount))
        if hand.bidder is not None:
            seats.add((seat_ids[hand.bidder],), (sign, sign * (hand.outcome == "won"), 0))
    tally_rows = tallies.rows(*_TALLY, "hands", *ENDS, "total")
    paid_rows = paid.rows(*_PAIR, "hands", "amount")
    seat_rows = seats.rows("seat", "bid", "won", "score")
    add_up(session, PlayerTally, _TALLY, tally_rows)
    add_up(session, HeadToHead, _PAIR, paid_rows)
    session.change(_SEAT, *seat_rows)
    session.change(_NO_RESULTS, *replaced)
    insert_all(session, PlayerResult, results)


_TALLY, _PAIR = ("player_id", "game", "bid", "side"), ("payer_id", "payee_id")
_RESULT = ("hand_id", "seat_id", *_TALLY, "amount", "unit", "outcome")


class _Sums(dict[tuple[Any, ...], tuple[int, ...]]):
    """Sums by the key of their row."""

    def add(self, key: tuple[Any, ...], figures: tuple[int, ...]) -> None:
        """Add figures to those of a key."""
        sums = self.get(key)
        self[key] = figures if sums is None else tuple(map(operator.add, sums, figures))

    def rows(self, *names: str) -> list[dict[str, Any]]:
        """Return the sums that are not zero as rows with these columns."""
        items = self.items()
        return [dict(zip(names, key + sums, strict=True)) for key, sums in items if any(sums)]


_SEAT = Change(
    update(Seat)
    .where(col(Seat.id) == bindparam("seat"))
    .values(
        hands_bid=col(Seat.hands_bid) + bindparam("bid"),
        hands_won=col(Seat.hands_won) + bindparam("won"),
        scored=col(Seat.scored) + bindparam("score"),
    ),
)
_NO_RESULTS = Change(delete(PlayerResult).where(col(PlayerResult.hand_id) == bindparam("hand")))


def post_other_entry(
    session: ScopedSession, header: EntryHeader, amounts: Mapping[int, int]
) -> int:
    """Write an entry that is not a hand's, add the players' winnings to their sums, and return its number.

    Raises the errors of ``journal.post``.
    """
    entry_id = journal.post(session, header, amounts)
    add_other_entry(session, header.kind, entry_id)
    return entry_id


def add_other_entry(session: ScopedSession, kind: str, entry_id: int) -> None:
    """Add the players' winnings by an entry to their sums, if its kind counts as winnings.

    A reversal has the ``kind`` that it reverses.
    """
    if KINDS[kind].is_won:
        session.change(_OTHER_ENTRY, {"entry": entry_id})


def _of_entry(column: Any) -> Any:
    """Return a query for a column of the seats that an entry moves."""
    seats = select(column).select_from(Posting).where(Posting.entry_id == bindparam("entry"))
    accounts = seats.join(Account, col(Account.id) == Posting.account_id)
    return accounts.join(Seat, col(Seat.id) == Account.seat_id)


_WON = _of_entry(func.sum(Posting.amount)).where(Seat.player_id == Player.id).correlate(Player)
_OTHER_ENTRY = Change(
    update(Player)
    .where(col(Player.id).in_(_of_entry(Seat.player_id)))
    .values(by_other_entries=col(Player.by_other_entries) + _WON.scalar_subquery()),
)
