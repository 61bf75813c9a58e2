"""Entries and their postings: balanced, sealed, each balance running, each reversal the opposite."""

from collections import Counter, defaultdict
from collections.abc import Mapping
from datetime import UTC, datetime
from itertools import chain
from operator import itemgetter
from typing import Any

from sqlalchemy import Connection

from ledger import journal
from ledger.journal import GENESIS, Occasion
from ledger.models import AccountKind, EntryKind, metadata
from ledger.services.verify.pots import Apart
from ledger.services.verify.shelf import (
    SPOILED,
    Chunk,
    Difference,
    EntryRow,
    PostingRow,
    Shelf,
    columns,
    document,
    rows,
)

_REVERSAL, _POT = EntryKind.REVERSAL.value, AccountKind.POT.value
_TOTAL, _OFF = 3, 4
_DOORS = {EntryKind.CLOSING.value, EntryKind.REOPENING.value}
_KINDS = {kind.value: kind for kind in EntryKind}


class Entries:
    """Checks the journal, chunk by chunk, and notes what differs; public parts are for who comes after."""

    def __init__(self, shelf: Shelf, noted: list[Difference]) -> None:
        self.shelf = shelf
        self.noted = noted
        self.reversed: dict[int, EntryRow] = {}
        self.advanced: Counter[int] = Counter()
        self.converted: Counter[int] = Counter()
        self.closed: dict[int | None, bool] = {}
        self.apart: list[Apart] = []
        self._conversions: dict[int, dict[str, int]] = {}
        self._digests: dict[int, str] = defaultdict(lambda: GENESIS)
        # Of each account: its club, its unit, whether it is a bank's, what its postings came to so
        # far, and by how much the balance written last was off.
        self._accounts: dict[int, list[Any]] = {
            row.id: [row.club_id, row.unit, row.kind == AccountKind.BANK, 0, 0]
            for row in shelf.accounts.values()
        }

    def check(self, connection: Connection, chunk: Chunk) -> None:
        """Check some entries."""
        self._numbers(chunk)
        for entry in chunk.entries:
            postings = chunk.postings.get(entry.id, [])
            moved = chunk.moved[entry.id] = {row[1]: row[2] for row in postings}
            self._sealed(entry, moved)
            self._moved(entry, postings)
        self._reversals(connection, chunk)
        for entry_id in chunk.postings.keys() - {entry.id for entry in chunk.entries}:
            club_id = chunk.postings[entry_id][0][4]
            place, message = f"entry {entry_id}", "it is gone, its postings are not"
            self.noted.append(self.shelf.differs(club_id, place, message))

    def finish(self) -> None:
        """Hold each account's balance against the sum of its postings."""
        for account in self.shelf.accounts.values():
            total = self._accounts[account.id][_TOTAL]
            if account.balance != total:
                message = f"it says {account.balance}, its postings come to {total}"
                place = f"account {account.key}"
                self.noted.append(self.shelf.differs(account.club_id, place, message))

    def _numbers(self, chunk: Chunk) -> None:
        """Check that postings hold whole numbers, and leave out those that do not."""
        every = list(chain.from_iterable(chunk.postings.values()))
        amounts, balances = map(itemgetter(2), every), map(itemgetter(3), every)
        if {*map(type, amounts), *map(type, balances)} <= {int}:
            return
        for entry in chunk.entries:
            postings = chunk.postings.get(entry.id, [])
            whole = [row for row in postings if type(row[2]) is type(row[3]) is int]
            if whole != postings:
                self._differs(entry, "a posting of it holds something that is no number")
                chunk.postings[entry.id] = whole

    def _sealed(self, entry: EntryRow, moved: Mapping[int, int]) -> None:
        """Check that an entry follows on the one before it in its club, and says what was sealed."""
        before = self._digests[entry.club_id]
        self._digests[entry.club_id] = entry.digest
        if entry.previous_digest != before:
            self._differs(entry, "it does not follow on the entry before it in the chain")
        try:
            occurred_at = _instant(entry.occurred_at)
            occasion = Occasion(
                entry.session_id,
                _KINDS[entry.kind],
                entry.author,
                occurred_at,
                occurred_at
                if entry.entered_at == entry.occurred_at
                else _instant(entry.entered_at),
                entry.hand_id,
                entry.reason,
                entry.reverses_id,
                document(entry.details),
            )
            sealed = journal.seal(entry.previous_digest, occasion, moved)
        except SPOILED as error:
            self._differs(entry, f"it can't be read ({error})")
            return
        if sealed != entry.digest:
            self._differs(entry, "its digest does not fit what it says")
        elif "converted" in occasion.details:
            self._conversions[entry.id] = occasion.details["converted"]
            self._convert(entry.id, 1)
        if entry.kind in _DOORS:
            self.closed[entry.session_id] = entry.kind == EntryKind.CLOSING

    def _moved(self, entry: EntryRow, postings: list[PostingRow]) -> None:
        """Check that an entry balances in each unit, and the running balance after each posting."""
        sums: dict[str, int] = {}
        accounts, club_id = self._accounts, entry.club_id
        # In a conversion the bank's own part may come to nothing, and then it has no posting.
        with_bank = bool({entry.id, entry.reverses_id} & self._conversions.keys())
        for _, account_id, amount, balance, posted_in in postings:
            account = accounts.get(account_id)
            if account is None:
                self._differs(entry, f"it moves account {account_id}, which is gone")
                continue
            owner, unit, is_bank, total, off = account
            if not posted_in == club_id == owner:
                key = self.shelf.accounts[account_id].key
                self._differs(entry, f"its posting to {key} is another club's")
            total += amount
            account[_TOTAL] = total
            if balance - total != off:
                account[_OFF] = balance - total
                if balance != total:
                    key = self.shelf.accounts[account_id].key
                    message = f"says {balance}, the postings come to {total}"
                    self._differs(entry, f"the balance of {key} after it {message}")
            sums[unit] = sums.get(unit, 0) + amount
            with_bank = with_bank or is_bank
        for unit, total in sums.items():
            if total:
                self._differs(entry, f"its postings in {unit} come to {total}, not to zero")
        if entry.hand_id is None and entry.reverses_id is None:
            for _, account_id, amount, *_ in postings:
                row = self.shelf.accounts.get(account_id)
                if row is not None and row.kind == _POT:
                    pot = row.key.rpartition("/")[2]
                    self.apart.append(Apart(entry.id, entry.session_id, pot, amount))
        if with_bank:
            for _, account_id, amount, *_ in postings:
                row = self.shelf.accounts.get(account_id)
                if row is not None and row.seat_id is not None:
                    self.advanced[row.seat_id] += amount

    def _reversals(self, connection: Connection, chunk: Chunk) -> None:
        """Check that what reverses an entry is its opposite, and the only one."""
        wanted = {entry.reverses_id for entry in chunk.entries if entry.reverses_id is not None}
        originals = _originals(connection, wanted) if wanted else {}
        for entry in chunk.entries:
            if (entry.kind == _REVERSAL) != (entry.reverses_id is not None):
                self._differs(entry, "a reversal, and nothing else, says what it reverses")
            if entry.reverses_id is None:
                continue
            if entry.reverses_id in self.reversed:
                self._differs(entry, f"entry {entry.reverses_id} was reversed before")
            self.reversed[entry.reverses_id] = entry
            self._convert(entry.reverses_id, -1)
            moved = {account_id: -amount for account_id, amount in chunk.moved[entry.id].items()}
            if moved != originals.get(entry.reverses_id, {}):
                self._differs(entry, f"it is not the opposite of entry {entry.reverses_id}")

    def _convert(self, entry_id: int, sign: int) -> None:
        """Count the chips that an entry turned into money, or its reversal back."""
        for seat_id, part in self._conversions.get(entry_id, {}).items():
            self.converted[int(seat_id)] += sign * part

    def _differs(self, entry: EntryRow, message: str) -> None:
        self.noted.append(self.shelf.differs(entry.club_id, f"entry {entry.id}", message))


def _originals(connection: Connection, entry_ids: set[int]) -> dict[int, dict[int, int]]:
    of_them = metadata.tables["posting"].c.entry_id.in_(entry_ids)
    found: dict[int, dict[int, int]] = defaultdict(dict)
    query = columns("posting", "entry_id", "account_id", "amount").where(of_them)
    for entry_id, account_id, amount in rows(connection, query):
        found[entry_id][account_id] = amount
    return found


def _instant(value: Any) -> datetime:
    """Read an instant that was selected ``raw``: SQLite keeps it in UTC without saying so."""
    at: datetime = value
    if isinstance(value, str):
        at = datetime.fromisoformat(value if "+" in value else f"{value}+00:00")
    return at if at.tzinfo else at.replace(tzinfo=UTC)
