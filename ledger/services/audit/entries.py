"""Entries and their postings: balanced, sealed, each balance running, each reversal the opposite."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain
from operator import itemgetter
from typing import Any

from sqlalchemy import Connection

from engine import games
from engine.errors import Refused
from engine.rules.sheet import SCORE
from ledger.books.chain import GENESIS, NO_DETAILS, EntryHeader, seal
from ledger.database.json import SPOILED
from ledger.database.kinds.accounts import AccountKind
from ledger.database.kinds.entries import EntryKind
from ledger.services.audit.lookups import Chunk, Shelf, originals
from ledger.services.audit.other_entries import OtherEntries
from ledger.services.audit.raw import document, instant, kept_text
from ledger.services.audit.row_types import EntryRow, PostingRow, VersionRow
from ledger.services.audit.signatures import Outside, Signatures

_HAND, _REVERSAL = EntryKind.HAND.value, EntryKind.REVERSAL.value
_KINDS = {kind.value: kind for kind in EntryKind}


@dataclass(slots=True)
class AccountTotals:
    """An account as its postings go by: what they came to, how far the last balance written was off.

    ``scored`` of it is a score.
    """

    club_id: int
    unit: str
    total: int = 0
    off: int = 0
    scored: int = 0


class Entries:
    """Checks the journal, chunk by chunk, and notes what differs; public parts are for later checks."""

    def __init__(self, shelf: Shelf, outside: Outside) -> None:
        self.shelf = shelf
        self.signatures = Signatures(shelf, outside)
        self.reversed: set[int] = set()
        self.postings = 0
        self._digests: dict[int, str] = defaultdict(lambda: GENESIS)
        self._accounts = {
            row.id: AccountTotals(row.club_id, row.unit) for row in shelf.accounts.values()
        }
        # The world has the other side of scores: entries that move it may move them, and then say a game.
        self._worlds = {row.id for row in shelf.accounts.values() if row.kind == AccountKind.WORLD}
        self._scores: dict[int, bool] = {}
        self.other = OtherEntries(shelf, self._chips)

    def check(self, connection: Connection, chunk: Chunk) -> None:
        """Check some entries."""
        self._numbers(chunk)
        self.signatures.check(chunk.entries)
        opposites = originals(connection, chunk)
        for entry in chunk.entries:
            postings = chunk.postings.get(entry.id, ())
            moved = chunk.moved[entry.id] = {row[1]: row[2] for row in postings}
            details = self._sealed(entry, moved, chunk.versions.get(entry.id))
            self._balanced(entry, postings)
            if entry.kind == _REVERSAL or entry.reverses_id is not None:
                self._reverses(entry, moved, opposites)
            if not self._worlds.isdisjoint(moved):
                self._scored(entry, moved, chunk.versions.get(entry.id))
            if entry.kind != _HAND:
                self.other.check(entry, details, moved)
        for entry_id in chunk.postings.keys() - chunk.moved.keys():
            *_, club_id = chunk.postings[entry_id][0]
            self.shelf.note_at(club_id, f"entry {entry_id}", "it is gone, its postings are not")

    def finish(self) -> None:
        """Look for the heads kept elsewhere; hold each account's balance against the sum of its postings."""
        self.signatures.finish()
        for account in self.shelf.accounts.values():
            total = self._accounts[account.id].total
            if account.balance != total:
                message = f"it says {account.balance}, its postings come to {total}"
                self.shelf.note(account, message)

    def _chips(self, account_id: int) -> int:
        """Return what an account's postings came to so far, without what was scored."""
        account = self._accounts[account_id]
        return account.total - account.scored

    def _scored(
        self, entry: EntryRow, moved: Mapping[int, int], versions: Sequence[VersionRow] | None
    ) -> None:
        """Keep a score, or its reversal, apart from the chips of each account."""
        try:
            is_score = self._scores.get(entry.reverses_id or 0, False)
            if versions:
                game = document(versions[0].record)["game"]
                is_score = games.find(game).unit == SCORE
        except (*SPOILED, Refused):
            return
        self._scores[entry.id] = is_score
        for account_id, amount in moved.items() if is_score else ():
            if account_id in self._accounts:
                self._accounts[account_id].scored += amount

    def _numbers(self, chunk: Chunk) -> None:
        """Check that postings hold whole numbers, and leave out those that do not."""
        every = list(chain.from_iterable(chunk.postings.values()))
        self.postings += len(every)
        amounts, balances = map(itemgetter(2), every), map(itemgetter(3), every)
        with suppress(TypeError):  # of whole numbers alone the sum is one
            if type(sum(chain(amounts, balances))) is int:
                return
        for entry in chunk.entries:
            postings = chunk.postings.get(entry.id, [])
            whole = [row for row in postings if type(row[2]) is type(row[3]) is int]
            if whole != postings:
                self.shelf.note(entry, "one of its postings holds something that is not a number")
                chunk.postings[entry.id] = whole

    def _sealed(
        self, entry: EntryRow, moved: Mapping[int, int], versions: Sequence[VersionRow] | None
    ) -> Mapping[str, Any]:
        """Check that an entry follows on the one before it in its club, and says what was sealed.

        Return its details; none where they can't be trusted.
        """
        before = self._digests[entry.club_id]
        self._digests[entry.club_id] = entry.digest
        if entry.previous_digest != before:
            self.shelf.note(entry, "it does not continue the chain from the entry before it")
        try:
            occurred_at = instant(entry.occurred_at)
            header = EntryHeader(
                entry.session_id,
                _KINDS[entry.kind],
                entry.author,
                occurred_at,
                occurred_at if entry.entered_at == entry.occurred_at else instant(entry.entered_at),
                entry.hand_id,
                entry.reason,
                entry.reverses_id,
                document(entry.details),
                kept_text(versions[0].record) if versions else None,
            )
            fits = _fits(entry, header, moved)
        except SPOILED as error:
            self.shelf.note(entry, f"it can't be read ({error})")
            return NO_DETAILS
        if not fits:
            what = "its hand's record, or what it says," if versions else "what it says"
            self.shelf.note(entry, f"its digest does not match {what}")
            return NO_DETAILS
        return header.details

    def _balanced(self, entry: EntryRow, postings: Sequence[PostingRow]) -> None:
        """Check that an entry balances in each unit, and the running balance after each posting."""
        sums: dict[str, int] = {}
        accounts, club_id = self._accounts, entry.club_id
        for _, account_id, amount, balance, posted_in in postings:
            account = accounts.get(account_id)
            if account is None:
                self.shelf.note(entry, f"it moves account {account_id}, which is gone")
                continue
            if not posted_in == club_id == account.club_id:
                key = self.shelf.accounts[account_id].key
                self.shelf.note(entry, f"its posting to {key} is another club's")
            account.total = total = account.total + amount
            if balance - total != account.off:
                account.off = balance - total
                if balance != total:
                    key = self.shelf.accounts[account_id].key
                    message = f"says {balance}, the postings come to {total}"
                    self.shelf.note(entry, f"the balance of {key} after it {message}")
            unit = account.unit
            sums[unit] = sums.get(unit, 0) + amount
        for unit, total in sums.items():
            if total:
                self.shelf.note(entry, f"its postings in {unit} come to {total}, not to zero")

    def _reverses(
        self,
        entry: EntryRow,
        moved: Mapping[int, int],
        opposites: Mapping[int, Mapping[int, int]],
    ) -> None:
        """Check that what reverses an entry is its opposite, and the only one."""
        of = entry.reverses_id
        if entry.kind != _REVERSAL or of is None:
            self.shelf.note(entry, "a reversal, and nothing else, says what it reverses")
        if of is None:
            return
        if of in self.reversed:
            self.shelf.note(entry, f"entry {of} was reversed before")
        self.reversed.add(of)
        if {account_id: -amount for account_id, amount in moved.items()} != opposites.get(of, {}):
            self.shelf.note(entry, f"it is not the opposite of entry {of}")


def _fits(entry: EntryRow, header: EntryHeader, moved: Mapping[int, int]) -> bool:
    """Whether an entry has the digest of what it says; the first books did not seal the records of hands."""
    digest, before = entry.digest, entry.previous_digest
    return digest == seal(before, header, moved) or (
        header.record is not None and digest == seal(before, header._replace(record=None), moved)
    )
