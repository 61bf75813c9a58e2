"""The journal: append-only double-entry accounts, written by this module only.

Invariants: the postings of an entry are integers that sum to zero in each unit. Entries and postings are
never changed or deleted. An entry is reversed at most once. An account's balance is the sum of its postings.
A closed account takes no postings, except inside ``reopened`` for a changed hand. Each entry seals the
previous one of its club. No balance exceeds ``MOST``. All functions run in the caller's write transaction.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import BigInteger, Text, cast
from sqlmodel import col, select, update

from ledger.books.balances import CHIPS, MOST, AccountClosed, BalanceTooLarge, owner_name
from ledger.books.chain import GENESIS, NO_DETAILS, EntryHeader, seal
from ledger.database.bulk_parameters import json_table, number_list
from ledger.database.kinds.accounts import AccountKind, key_of
from ledger.database.kinds.entries import EntryKind, may_move
from ledger.database.models import Account, JournalEntry, Player, Posting, Seat
from ledger.database.scope import Built, ScopedSession, asked_once, insert_all


class Unbalanced(ValueError):
    """Raised when an entry's amounts in a unit do not sum to zero, which is always a programming error."""


class Misplaced(ValueError):
    """Raised when an entry moves an account of a kind or session that it may not; a programming error."""


class Entry(NamedTuple):
    """An entry to write.

    ``amounts`` maps account ids to amounts, of which the negative ones are taken away.
    """

    header: EntryHeader
    amounts: Mapping[int, int]


def open_account(
    db: ScopedSession,
    kind: AccountKind,
    *,
    session_id: int | None = None,
    seat_id: int | None = None,
    player_id: int | None = None,
    name: str | None = None,
    unit: str = CHIPS,
) -> Account:
    """Return the account of a kind and owner; create it if there is none.

    A seat's account needs its session and seat, a player's the player and the currency, the others a session,
    and a pot's also a name. An account without postings takes over ``unit``, because the club may have
    changed its currency since it was opened. Raises ``ValueError`` for another unit than that of existing
    postings.
    """
    key = key_of(kind, session_id, seat_id, player_id, name, unit)
    account = db.exec(select(Account).where(Account.key == key)).one_or_none()
    if account is None:
        account = Account(
            key=key,
            kind=kind.value,
            session_id=session_id,
            seat_id=seat_id,
            player_id=player_id,
            name=name,
            unit=unit,
        )
        db.add(account)
        db.flush()
    elif account.unit != unit:
        if db.exec(select(Posting.id).where(Posting.account_id == account.id)).first() is not None:
            raise ValueError(f"{key} is kept in {account.unit}, not in {unit}")
        account.unit = unit
    return account


def close_account(db: ScopedSession, account_id: int, at: datetime | None) -> None:
    """Set the time at which an account was closed, so that it takes no postings; None opens it again."""
    db.exec(select(Account).where(Account.id == account_id)).one().closed_at = at


@contextmanager
def reopened(db: ScopedSession, account_ids: Collection[int]) -> Iterator[None]:
    """Open these closed accounts inside the block, then close them again with their old times.

    A corrected hand moves the chips of departed players, too. If the block raises, they stay open, and the
    caller must roll back.
    """
    rows = db.exec(select(Account).where(col(Account.id).in_(account_ids))) if account_ids else ()
    closed_at = {account.id: account.closed_at for account in rows}
    for account_id in closed_at:
        close_account(db, account_id, None)
    yield
    for account_id, at in closed_at.items():
        close_account(db, account_id, at)


def post(db: ScopedSession, header: EntryHeader, amounts: Mapping[int, int]) -> int:
    """Write one entry, as ``post_all`` does, and return its id."""
    (entry_id,) = post_all(db, [Entry(header, amounts)])
    return entry_id


def post_all(db: ScopedSession, entries: Sequence[Entry]) -> list[int]:
    """Write entries in order, with one statement per table; return their ids.

    The result is the same as of writing them one by one, but each balance is updated once. Amounts of zero
    are left out. Each entry seals the one before, and is signed if the database has a signer. After an error
    the caller must roll back. ``entries`` is not empty.

    Raises:
        Unbalanced: The amounts in a unit do not sum to zero.
        Misplaced: An account's kind is not moved by the entry's (``KINDS``), or it is another session's.
        AccountClosed: An account's player has left.
        BalanceTooLarge: A balance would exceed ``MOST`` after any of the entries.
        LookupError: The club has no such account.
    """
    moved = [
        {account_id: amount for account_id, amount in sorted(amounts.items()) if amount}
        for _, amounts in entries
    ]
    by_account: dict[int, int] = defaultdict(int)
    for amounts in moved:
        for account_id, amount in amounts.items():
            by_account[account_id] += amount
    # Clamped to what databases can add; larger sums are rejected below.
    moves = {key: max(-_BEYOND, min(_BEYOND, total)) for key, total in by_account.items()}
    accounts = {row.id: row for row in db.ask(_MOVED, moves=moves)} if moves else {}
    if missing := moves.keys() - accounts.keys():
        raise LookupError(f"no such account in this club: {sorted(missing)}")
    current = {key: account.balance - moves[key] for key, account in accounts.items()}
    digests = [row.last_digest for row in accounts.values()] or db.ask(_LAST_DIGEST)
    previous = next(iter(digests), None) or GENESIS
    rows: list[dict[str, Any]] = []
    balances: list[dict[int, int]] = []
    for (header, _), amounts in zip(entries, moved, strict=True):
        balances.append(_balances_after(db, header, amounts, accounts, current))
        current |= balances[-1]
        values = header._asdict() | {"kind": header.kind.value, "details": dict(header.details)}
        del values["record"]
        digest = seal(previous, header, amounts)
        signature = db.signer and db.signer.sign(db.scope.club_id or 0, digest)
        values |= {"previous_digest": previous, "digest": digest, "signature": signature}
        rows.append(values)
        previous = digest
    entry_ids = insert_all(db, JournalEntry, rows)
    postings = [
        {
            "entry_id": entry_id,
            "account_id": account_id,
            "amount": amount,
            "balance": after[account_id],
        }
        for entry_id, amounts, after in zip(entry_ids, moved, balances, strict=True)
        for account_id, amount in amounts.items()
    ]
    insert_all(db, Posting, postings)
    return list(entry_ids)


def _balances_after(
    db: ScopedSession,
    header: EntryHeader,
    amounts: Mapping[int, int],
    accounts: Mapping[int, "_Account"],
    current: Mapping[int, int],
) -> dict[int, int]:
    """Return the new balance of each account that an entry moves. Raises as ``post_all`` does."""
    after: dict[int, int] = {}
    sums: dict[str, int] = defaultdict(int)
    for account_id, amount in amounts.items():
        account = accounts[account_id]
        if not may_move(header.kind, header.session_id, account.kind, account.session_id):
            raise Misplaced(f"a {header.kind} of session {header.session_id}: {account.key}")
        if account.closed_at is not None:
            raise AccountClosed(whose=_owner_name(db, account))
        after[account_id] = current[account_id] + amount
        if abs(after[account_id]) > MOST:
            raise BalanceTooLarge(_owner_name(db, account), after[account_id], account.unit)
        sums[account.unit] += amount
    if any(sums.values()):
        raise Unbalanced(f"an entry of {dict(sums)} does not sum to zero")
    return after


def reverse(
    db: ScopedSession,
    entry_id: int,
    *,
    author: str,
    at: datetime,
    reason: str | None,
    details: Mapping[str, Any] = NO_DETAILS,
) -> int:
    """Write a reversal of an entry, with the opposite of each amount, and return its id.

    It has the session and hand of the entry, and ``at`` as both times. Raises as ``post_all`` does, and
    ``KeyError`` if the club has no such entry. The database rejects a second reversal of an entry.
    """
    header, amounts = opposites(db, {entry_id: reason}, author=author, at=at)[entry_id]
    return post(db, header._replace(details=details), amounts)


@asked_once
def head(db: ScopedSession) -> str | None:
    """Return the digest of the club's last entry, which seals all others; None if the club has no entry."""
    return next(iter(db.ask(_LAST_DIGEST)), None)


def opposites(
    db: ScopedSession, reasons: Mapping[int, str | None], *, author: str, at: datetime
) -> dict[int, Entry]:
    """Return a reversal of each entry, by the entry's id, with the opposite amounts; the caller posts them.

    ``reasons`` maps the id of each entry to reverse to the reason of its reversal. Entries that the club
    doesn't have are left out. The database rejects a second reversal of an entry.
    """
    if not reasons:
        return {}
    amounts: dict[int, dict[int, int]] = defaultdict(dict)
    for entry_id, account_id, amount in db.ask(_POSTINGS, entries=list(reasons)):
        amounts[entry_id][account_id] = -amount
    return {
        entry_id: Entry(
            EntryHeader(
                session_id=session_id,
                kind=EntryKind.REVERSAL,
                author=author,
                occurred_at=at,
                entered_at=at,
                hand_id=hand_id,
                reason=reasons[entry_id],
                reverses_id=entry_id,
            ),
            amounts[entry_id],
        )
        for entry_id, session_id, hand_id in db.ask(_REVERSED, entries=list(reasons))
    }


class _Account(NamedTuple):
    """An account's row after the update of its balance, with the digest of the club's last entry."""

    id: int
    key: str
    kind: str
    session_id: int | None
    seat_id: int | None
    player_id: int | None
    name: str | None
    unit: str
    balance: int
    closed_at: datetime | None
    last_digest: str | None


_LAST = select(JournalEntry.digest).order_by(col(JournalEntry.id).desc()).limit(1)
_LAST_DIGEST: Built[str | None] = Built(str, _LAST)
_COLUMNS: list[Any] = [
    *(getattr(Account, name) for name in _Account._fields[:-1]),
    _LAST.scalar_subquery(),
]
_MOVES = json_table("moves")
_MOVED = Built(
    _Account,
    update(Account)
    .where(col(Account.id) == cast(_MOVES.c.key, BigInteger))
    .values(balance=col(Account.balance) + cast(cast(_MOVES.c.value, Text), BigInteger))
    .returning(*_COLUMNS),
)
_BEYOND = 3 * MOST
_REVERSED = Built(
    lambda *row: row,
    select(JournalEntry.id, JournalEntry.session_id, JournalEntry.hand_id).where(
        col(JournalEntry.id).in_(number_list("entries"))
    ),
)
_POSTINGS = Built(
    lambda *row: row,
    select(Posting.entry_id, Posting.account_id, Posting.amount).where(
        col(Posting.entry_id).in_(number_list("entries"))
    ),
)


def _owner_name(db: ScopedSession, account: _Account) -> str:
    player_id = account.player_id
    if account.seat_id is not None:
        player_id = db.exec(select(Seat.player_id).where(Seat.id == account.seat_id)).one()
    if player_id is None:
        return owner_name(account.kind, account.name)
    return owner_name(
        account.kind, db.exec(select(Player.name).where(Player.id == player_id)).one()
    )
