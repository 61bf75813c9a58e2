"""Check entries and postings: balances, digests, signatures, and that each reversal is the opposite."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain
from operator import itemgetter
from typing import Any

from engine import games
from engine.errors import Refused
from engine.rules.sheet import SCORE
from ledger.books.chain import GENESIS, NO_DETAILS, EntryHeader, seal
from ledger.database.json import SPOILED
from ledger.database.kinds.accounts import AccountKind
from ledger.database.kinds.entries import EntryKind
from ledger.services.audit.lookups import Chunk, Lookups, originals
from ledger.services.audit.other_entries import OtherEntries
from ledger.services.audit.raw import document, instant, json_text
from ledger.services.audit.row_types import EntryRow, PostingRow, VersionRow
from ledger.services.audit.signatures import ClubSignatures

_HAND, _REVERSAL = EntryKind.HAND.value, EntryKind.REVERSAL.value
_KINDS = {kind.value: kind for kind in EntryKind}


@dataclass(slots=True)
class AccountTotals:
    """The sum of an account's postings so far, and the part of it that is a score.

    ``offset`` is the last stored balance less the sum, so that a lasting deviation is reported only once.
    """

    unit: str
    total: int = 0
    offset: int = 0
    scored: int = 0


class Entries:
    """Checks the journal chunk by chunk and notes differences; other checks use the public attributes."""

    def __init__(self, lookups: Lookups, signatures: ClubSignatures) -> None:
        self.lookups = lookups
        self.signatures = signatures
        self.reversed: set[int] = set()
        self.postings = 0
        accounts = lookups.accounts.values()
        self._digest = GENESIS
        self._totals = {row.id: AccountTotals(row.unit) for row in accounts}
        # The world's accounts hold the other side of scores, so only entries with one can be scores.
        self._worlds = {row.id for row in accounts if row.kind == AccountKind.WORLD}
        self._scores: dict[int, bool] = {}
        self.other = OtherEntries(lookups, self._chips)

    def check(self, chunk: Chunk) -> None:
        """Note the faults of the next chunk's entries and postings, and fill ``chunk.amounts``.

        Postings with an amount or balance that is not an integer are noted and removed from the chunk.
        """
        self._check_numbers(chunk)
        self.signatures.check(chunk.entries)
        opposites = originals(self.lookups, chunk)
        for entry in chunk.entries:
            postings = chunk.postings.get(entry.id, ())
            amounts = chunk.amounts[entry.id] = {row[1]: row[2] for row in postings}
            details = self._check_seal(entry, amounts, chunk.versions.get(entry.id))
            self._check_balances(entry, postings)
            if entry.kind == _REVERSAL or entry.reverses_id is not None:
                self._check_reversal(entry, amounts, opposites)
            if not self._worlds.isdisjoint(amounts):
                self._add_score(entry, amounts, chunk.versions.get(entry.id))
            if entry.kind != _HAND:
                self.other.check(entry, details, amounts)
        for entry_id in chunk.postings.keys() - chunk.amounts.keys():
            self.lookups.note_at(f"entry {entry_id}", "it is gone, its postings are not")

    def finish(self) -> None:
        """Note each account with a balance that is not the sum of its postings, and finish the signatures."""
        self.signatures.finish()
        for account in self.lookups.accounts.values():
            total = self._totals[account.id].total
            if account.balance != total:
                message = f"it says {account.balance}, its postings come to {total}"
                self.lookups.note(account, message)

    def _chips(self, account_id: int) -> int:
        """Return the sum of an account's postings so far, without scores."""
        account = self._totals[account_id]
        return account.total - account.scored

    def _add_score(
        self, entry: EntryRow, amounts: Mapping[int, int], versions: Sequence[VersionRow] | None
    ) -> None:
        """Add an entry's amounts to the scores of its accounts if it pays a score, or reverses such an entry.

        All other entries are ignored, and versions that can't be read.
        """
        try:
            is_score = self._scores.get(entry.reverses_id or 0, False)
            if versions:
                game = document(versions[0].record)["game"]
                is_score = games.find(game).unit == SCORE
        except (*SPOILED, Refused):
            return
        self._scores[entry.id] = is_score
        for account_id, amount in amounts.items() if is_score else ():
            if account_id in self._totals:
                self._totals[account_id].scored += amount

    def _check_numbers(self, chunk: Chunk) -> None:
        """Count the postings; note and remove those with an amount or balance that is not an integer."""
        postings = list(chain.from_iterable(chunk.postings.values()))
        self.postings += len(postings)
        amounts, balances = map(itemgetter(2), postings), map(itemgetter(3), postings)
        with suppress(TypeError):  # the sum is an integer only if all numbers are
            if type(sum(chain(amounts, balances))) is int:
                return
        for entry in chunk.entries:
            rows = chunk.postings.get(entry.id, [])
            integers = [row for row in rows if type(row[2]) is type(row[3]) is int]
            if integers != rows:
                self.lookups.note(entry, "one of its postings holds something that is not a number")
                chunk.postings[entry.id] = integers

    def _check_seal(
        self, entry: EntryRow, amounts: Mapping[int, int], versions: Sequence[VersionRow] | None
    ) -> Mapping[str, Any]:
        """Note a wrong digest, and an entry that does not continue the chain.

        Return its details, or no details if the entry can't be read or the digest does not cover them.
        """
        previous, self._digest = self._digest, entry.digest
        if entry.previous_digest != previous:
            self.lookups.note(entry, "it does not continue the chain from the entry before it")
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
                json_text(versions[0].record) if versions else None,
            )
            is_sealed = _is_sealed(entry, header, amounts)
        except SPOILED as error:
            self.lookups.note(entry, f"it can't be read ({error})")
            return NO_DETAILS
        if not is_sealed:
            content = "its hand's record, or what it says," if versions else "what it says"
            self.lookups.note(entry, f"its digest does not match {content}")
            return NO_DETAILS
        return header.details

    def _check_balances(self, entry: EntryRow, postings: Sequence[PostingRow]) -> None:
        """Add up an entry's postings; note a wrong balance after one, and a sum that is not zero in its unit.

        A deviation that later postings don't change is noted once.
        """
        sums: dict[str, int] = {}
        totals = self._totals
        for _, account_id, amount, balance in postings:
            account = totals.get(account_id)
            if account is None:
                self.lookups.note(entry, f"it moves account {account_id}, which is gone")
                continue
            account.total = total = account.total + amount
            if balance - total != account.offset:
                account.offset = balance - total
                if balance != total:
                    key = self.lookups.accounts[account_id].key
                    message = f"says {balance}, the postings come to {total}"
                    self.lookups.note(entry, f"the balance of {key} after it {message}")
            unit = account.unit
            sums[unit] = sums.get(unit, 0) + amount
        for unit, total in sums.items():
            if total:
                self.lookups.note(entry, f"its postings in {unit} come to {total}, not to zero")

    def _check_reversal(
        self,
        entry: EntryRow,
        amounts: Mapping[int, int],
        opposites: Mapping[int, Mapping[int, int]],
    ) -> None:
        """Note a reversal that is not the opposite of its entry or not the only one; fill ``reversed``."""
        reversed_id = entry.reverses_id
        if entry.kind != _REVERSAL or reversed_id is None:
            self.lookups.note(entry, "a reversal, and nothing else, says what it reverses")
        if reversed_id is None:
            return
        if reversed_id in self.reversed:
            self.lookups.note(entry, f"entry {reversed_id} was reversed before")
        self.reversed.add(reversed_id)
        opposite = {account_id: -amount for account_id, amount in amounts.items()}
        if opposite != opposites.get(reversed_id, {}):
            self.lookups.note(entry, f"it is not the opposite of entry {reversed_id}")


def _is_sealed(entry: EntryRow, header: EntryHeader, amounts: Mapping[int, int]) -> bool:
    """Return whether an entry has the digest of its content, or of all but the hand record.

    The first ledgers did not seal records.
    """
    digest, previous = entry.digest, entry.previous_digest
    return digest == seal(previous, header, amounts) or (
        header.record is not None
        and digest == seal(previous, header._replace(record=None), amounts)
    )
