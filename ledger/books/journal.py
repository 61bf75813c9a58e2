"""The journal: double-entry accounts that only grow. The only code that writes them.

What always holds: the postings of an entry are integers that sum to zero in each unit; entries and
postings are never changed or deleted; an entry is reversed at most once; an account's balance is the
sum of its postings and is kept as they are made; a closed account takes no posting (``reopened`` opens it
for a changed hand); each entry seals the one before it in its club; no account holds more than ``MOST``. All
functions work inside the caller's write transaction.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import BigInteger, Text, bindparam, cast
from sqlmodel import col, select, update

from ledger.books.balances import CHIPS, MOST, AccountClosed, BalanceTooLarge, whose
from ledger.books.chain import GENESIS, NO_DETAILS, EntryHeader, seal
from ledger.database.bulk_parameters import json_table, number_list
from ledger.database.kinds.accounts import AccountKind, key_of
from ledger.database.kinds.entries import EntryKind, may_move
from ledger.database.models import Account, JournalEntry, Player, Posting, Seat
from ledger.database.scope import Built, ScopedSession, asked_once, insert, insert_all


class Unbalanced(ValueError):
    """The postings of an entry do not sum to zero: a programming error, never a user's."""


class Misplaced(ValueError):
    """An entry moves what its kind never does: a programming error, never a user's."""


class Entry(NamedTuple):
    """An entry to be written: ``amounts`` maps account ids to what each gets (or, negative, gives)."""

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
    """Return the account of that kind and owner; open it, empty, if there is none yet.

    A seat's needs its session and seat, a player's the player and the currency; the others are of a
    session, and a pot has a name. A till that never took a posting is of the ``unit`` asked for: the club
    may have changed its currency since it was opened, which it can while no money is booked.
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
        db.flush()
    return account


def close_account(db: ScopedSession, account_id: int, at: datetime | None) -> None:
    """Let an account take no posting from now on; None lets it take some again."""
    db.exec(select(Account).where(Account.id == account_id)).one().closed_at = at
    db.flush()


@contextmanager
def reopened(db: ScopedSession, account_ids: Collection[int]) -> Iterator[None]:
    """Let these closed accounts take postings inside the block; they are closed again, as of the same time.

    For a corrected hand, which moves the chips of those who have left like anybody's.
    """
    rows = db.exec(select(Account).where(col(Account.id).in_(account_ids))) if account_ids else ()
    closed_at = {account.id: account.closed_at for account in rows}
    for account_id in closed_at:
        close_account(db, account_id, None)
    yield
    for account_id, at in closed_at.items():
        close_account(db, account_id, at)


def post(db: ScopedSession, header: EntryHeader, amounts: Mapping[int, int]) -> int:
    """Write one entry; return its number. See ``post_all``."""
    (entry_id,) = post_all(db, [Entry(header, amounts)])
    return entry_id


def post_all(db: ScopedSession, entries: Sequence[Entry]) -> list[int]:
    """Write entries in their order, in one go; return their numbers.

    What is written is what each entry written alone would leave behind; an account's balance is set once.
    Amounts of zero leave no posting. Raises ``Unbalanced`` when a unit does not sum to zero,
    ``Misplaced`` for an account that entries of the kind don't move (``KINDS``) or that is another
    session's, ``AccountClosed`` for the account of somebody who has left, and ``BalanceTooLarge``
    where one would hold too much after any of them; then the caller's transaction must end unwritten.
    """
    moved = [
        {account_id: amount for account_id, amount in sorted(amounts.items()) if amount}
        for _, amounts in entries
    ]
    by_account: dict[int, int] = defaultdict(int)
    for amounts in moved:
        for account_id, amount in amounts.items():
            by_account[account_id] += amount
    # More than this no account can take, nor a database add up; it is refused below.
    sent = {each: max(-_BEYOND, min(_BEYOND, total)) for each, total in by_account.items()}
    accounts = {each.id: each for each in db.ask(_MOVED, moves=sent)} if sent else {}
    if missing := sent.keys() - accounts.keys():
        raise LookupError(f"no such account in this club: {sorted(missing)}")
    held = {each: account.balance - sent[each] for each, account in accounts.items()}
    before = [each.last_digest for each in accounts.values()] or db.ask(_LAST_DIGEST)
    previous = next(iter(before), None) or GENESIS
    rows: list[dict[str, Any]] = []
    balances: list[dict[int, int]] = []
    for (header, _), amounts in zip(entries, moved, strict=True):
        balances.append(_after(db, header, amounts, accounts, held))
        held |= balances[-1]
        said = header._asdict() | {"kind": header.kind.value, "details": dict(header.details)}
        del said["record"]
        digest = seal(previous, header, amounts)
        signed = db.signer and db.signer.sign(db.scope.club_id or 0, digest)
        rows.append({**said, "previous_digest": previous, "digest": digest, "signature": signed})
        previous = digest
    numbers = _insert(db, *rows)
    postings = [
        {
            "entry_id": entry_id,
            "account_id": account_id,
            "amount": amount,
            "balance": after[account_id],
        }
        for entry_id, amounts, after in zip(numbers, moved, balances, strict=True)
        for account_id, amount in amounts.items()
    ]
    insert_all(db, Posting, postings)
    return numbers


def _insert(db: ScopedSession, first: Mapping[str, Any], *rest: Mapping[str, Any]) -> list[int]:
    """Write rows of entries in their order; return their numbers. A club's are written by one at a time."""
    number = insert(db, JournalEntry, first)
    if not rest:
        return [number]
    insert_all(db, JournalEntry, rest)
    return [number, *db.ask(_NUMBERS, first=number)]


def _after(
    db: ScopedSession,
    header: EntryHeader,
    amounts: Mapping[int, int],
    accounts: Mapping[int, "_Account"],
    held: Mapping[int, int],
) -> dict[int, int]:
    """Return what accounts hold after an entry, by what they held before; refuse one they can't take."""
    after: dict[int, int] = {}
    sums: dict[str, int] = defaultdict(int)
    for account_id, amount in amounts.items():
        account = accounts[account_id]
        if not may_move(header.kind, header.session_id, account.kind, account.session_id):
            raise Misplaced(f"a {header.kind} of session {header.session_id}: {account.key}")
        if account.closed_at is not None:
            raise AccountClosed(whose=_whose(db, account))
        after[account_id] = held[account_id] + amount
        if abs(after[account_id]) > MOST:
            raise BalanceTooLarge(_whose(db, account), after[account_id], account.unit)
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
    """Write the opposite of an entry; return its number."""
    header, amounts = opposites(db, {entry_id: reason}, author=author, at=at)[entry_id]
    return post(db, header._replace(details=details), amounts)


@asked_once
def head(db: ScopedSession) -> str | None:
    """Return the digest of the club's last entry, by which all others are sealed, if there is one."""
    return next(iter(db.ask(_LAST_DIGEST)), None)


def opposites(
    db: ScopedSession, reasons: Mapping[int, str | None], *, author: str, at: datetime
) -> dict[int, Entry]:
    """Make the opposite of each entry, to be posted: why each is reversed is said by its number.

    The database refuses a second reversal of the same one.
    """
    if not reasons:
        return {}
    moved: dict[int, dict[int, int]] = defaultdict(dict)
    for entry_id, account_id, amount in db.ask(_POSTINGS, entries=list(reasons)):
        moved[entry_id][account_id] = -amount
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
            moved[entry_id],
        )
        for entry_id, session_id, hand_id in db.ask(_REVERSED, entries=list(reasons))
    }


class _Account(NamedTuple):
    """An account as entries leave it, beside the digest of the entry before them."""

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
_FOUND: list[Any] = [
    *(getattr(Account, name) for name in _Account._fields[:-1]),
    _LAST.scalar_subquery(),
]
_MOVES = json_table("moves")
_MOVED = Built(
    _Account,
    update(Account)
    .where(col(Account.id) == cast(_MOVES.c.key, BigInteger))
    .values(balance=col(Account.balance) + cast(cast(_MOVES.c.value, Text), BigInteger))
    .returning(*_FOUND),
)
_BEYOND = 3 * MOST
_NUMBERS = Built(
    int,
    select(JournalEntry.id)
    .where(JournalEntry.id > bindparam("first"))
    .order_by(col(JournalEntry.id)),
)
_REVERSED = Built(
    lambda *about: about,
    select(JournalEntry.id, JournalEntry.session_id, JournalEntry.hand_id).where(
        col(JournalEntry.id).in_(number_list("entries"))
    ),
)
_POSTINGS = Built(
    lambda *moved: moved,
    select(Posting.entry_id, Posting.account_id, Posting.amount).where(
        col(Posting.entry_id).in_(number_list("entries"))
    ),
)


def _whose(db: ScopedSession, account: _Account) -> str:
    player_id = account.player_id
    if account.seat_id is not None:
        player_id = db.exec(select(Seat.player_id).where(Seat.id == account.seat_id)).one()
    if player_id is None:
        return whose(account.kind, account.name)
    return whose(account.kind, db.exec(select(Player.name).where(Player.id == player_id)).one())
