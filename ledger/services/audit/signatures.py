"""Check signatures of entries, and heads kept elsewhere: neither can be forged with the ledger file alone."""

from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from itertools import chain
from typing import Any, NamedTuple

from ledger.books.chain import origin_statement
from ledger.database.json import SPOILED
from ledger.runtime.signing import SigningKey
from ledger.services.audit.lookups import Lookups
from ledger.services.audit.raw import instant
from ledger.services.audit.row_types import EntryRow, OriginRow
from ledger.words.problems import counted

MOST_RUNS = 5
"""The number of runs of unknown signatures that are named."""

SHORTEST_HEAD = 16
"""The number of characters that identify a digest."""


class Head(NamedTuple):
    """The digest, or its beginning, of an entry that was once a club's last, and the file it was kept in.

    ``signed_by`` is the public key that signed the entry, if it was kept as well.
    """

    digest: str
    source: str
    signed_by: str = ""


@dataclass(frozen=True, slots=True)
class Outside:
    """Knowledge from outside the ledger file.

    Attributes:
        keys: The keys that may have signed entries, the present one first.
        heads: Digests that must still be in the chains.
        signed: Names of keys, one of which has signed some entry.
        in_use: Whether the ledger is in use, so that it must have a key.
        remedy: How to restore a missing key; if empty, unknown signatures are remarks and no faults.

    """

    keys: Sequence[SigningKey] = ()
    heads: Sequence[Head] = ()
    signed: Sequence[str] = ()
    in_use: bool = False
    remedy: str = ""

    @property
    def since(self) -> datetime | None:
        """The time since which every entry must be signed, or None if unknown."""
        return min((key.since for key in self.keys if key.since), default=None)


class Signatures:
    """The findings about the signatures of all clubs, and the heads that no chain has had so far."""

    def __init__(self, outside: Outside) -> None:
        self.outside = outside
        self.heads: dict[str, list[Head]] = {}
        for head in outside.heads:  # several may share a beginning: one was mistyped
            self.heads.setdefault(head.digest[:SHORTEST_HEAD], []).append(head)
        self.since = outside.since
        self.key = outside.keys[0] if outside.keys else None
        self.signed = 0
        self.unsigned: list[str] = []
        """For each club with unsigned entries, a sentence about them."""
        self.imported: list[str] = []
        """For each origin of an imported club, a sentence."""
        self.unknown = UnknownSignatures()

    def finish(self, books: Lookups, clubs: Mapping[int, str]) -> None:
        """Note each head that no entry has, and at most one sentence about unknown or missing signatures."""
        for head in chain.from_iterable(self.heads.values()):
            message = (
                f"no entry has the head {head.digest}: entries were removed or rewritten since"
            )
            books.note_at(head.source, message)
        if message := self._fault(clubs):
            books.note_at("signatures", message)

    def _fault(self, clubs: Mapping[int, str]) -> str:
        """Return the sentence about unknown or missing signatures or a missing key, or an empty string."""
        signed, remedy = self.signed, self.outside.remedy
        if self.unknown.count:
            return self.unknown.message(clubs, remedy)
        if self.key is None and signed and remedy:
            signatures = counted(signed, "signature")
            return f"{signatures} can't be checked, as no key is known here; {remedy}"
        if self.key is None and self.outside.in_use and self.unsigned:
            return f"no key is known here, and a ledger in use has one; {remedy}"
        if not signed and self.unsigned and self.outside.signed:
            keys = " and ".join(self.outside.signed)
            return (
                f"no entry is signed, though some were by {keys}: all signatures were taken away; restore "
                "a backup, or don't name a key that never signed here"
            )
        return ""

    def remarks(self) -> list[str]:
        """Return the sentences that are not faults: on imported, unsigned and unchecked entries."""
        sentences = [*self.imported, *self.unsigned]
        if self.key is None and self.signed and not self.outside.remedy:
            signatures = counted(self.signed, "signature")
            sentences.append(f"{signatures} not checked: no key is known here (--key).")
        return sentences


class ClubSignatures:
    """Checks the signature of each entry of a club in order, and which heads are in its chain."""

    def __init__(self, lookups: Lookups, signatures: Signatures) -> None:
        self.lookups = lookups
        self._all = signatures
        self._signed = 0
        self._has_unsigned = False
        self._signed_from: datetime | None = None
        self._origins = deque(sorted(lookups.all_rows(OriginRow), key=lambda row: row.id))
        self._keyed: Any = None
        self._origin_keys: Sequence[SigningKey] = ()

    def check(self, entries: Sequence[EntryRow]) -> None:
        """Check the next entries: note missing signatures, and collect unknown ones and heads for later.

        A signature covers only the entry's digest, which covers everything else.
        """
        is_relevant = self._all.heads or self._all.since or self._signed or self._origins
        if not is_relevant and all(entry.signature is None for entry in entries):
            self._has_unsigned |= bool(entries)
            return
        for entry in entries:
            self._check(entry)

    def finish(self) -> None:
        """Add the club's number of signatures to the sum, and a sentence if not all entries are signed.

        Each origin whose last entry is gone is noted.
        """
        for origin in self._origins:
            self.lookups.note(origin, f"its last entry {origin.last_entry_id} is gone")
        self._all.signed += self._signed
        if self._signed_from is not None:
            until = f"{self._signed_from:%Y-%m-%d %H:%M} UTC"
            self._all.unsigned.append(f"{self.lookups.club}: not signed before {until}.")
        elif self._has_unsigned:
            self._all.unsigned.append(f"{self.lookups.club}: nothing is signed.")

    def _check(self, entry: EntryRow) -> None:
        heads = self._all.heads.get(entry.digest[:SHORTEST_HEAD]) if self._all.heads else None
        if heads:
            match = next((head for head in heads if entry.digest.startswith(head.digest)), None)
            if match and match.signed_by and entry.signature is None:
                self.lookups.note(entry, f"it is not signed, and was when {match.source} was made")
            heads[:] = [head for head in heads if not entry.digest.startswith(head.digest)]
        origin = self._origins[0] if self._origins else None
        if origin and entry.id >= origin.last_entry_id:
            self._end(origin, entry)
        if entry.signature is None:
            self._check_unsigned(entry, is_ours=origin is None)
            return
        if self._has_unsigned and not self._signed:
            with suppress(*SPOILED):
                self._signed_from = instant(entry.entered_at)
        self._signed += 1
        club_id, number = self.lookups.club_id, self.lookups.club_id
        keys = self._all.outside.keys
        if origin:
            number, keys = origin.number, self._keys_of(origin)
        elif self._all.key is None:
            return
        if not is_known(keys, entry.signature, number, entry.digest):
            self._all.unknown.add(club_id, entry.id)
        else:
            self._all.unknown.end(club_id)

    def _keys_of(self, origin: Any) -> Sequence[SigningKey]:
        """Return an origin's key in a sequence.

        It is empty if the origin has none, or one that can't be read.
        """
        if origin is not self._keyed:
            self._keyed, self._origin_keys = origin, ()
            with suppress(*SPOILED):
                self._origin_keys = (SigningKey.from_public(origin.public_key),)
        return self._origin_keys

    def _end(self, origin: Any, last: EntryRow) -> None:
        """Check an origin's signature by this installation at its last entry; the next origin follows."""
        self._origins.popleft()
        key = f"signed by {origin.public_key}" if origin.public_key else "not signed"
        self._all.imported.append(
            f"{self.lookups.club}: imported, written elsewhere up to entry {origin.last_entry_id}, {key}."
        )
        if last.id != origin.last_entry_id:
            self.lookups.note(origin, f"its last entry {origin.last_entry_id} is gone")
        elif self._all.key is not None:
            stated = origin_statement(origin.number, origin.public_key, (last.id, last.digest))
            keys = self._all.outside.keys
            if not is_known(keys, origin.signature, self.lookups.club_id, stated):
                self.lookups.note(origin, "no key that is known here has signed its key")

    def _check_unsigned(self, entry: EntryRow, *, is_ours: bool) -> None:
        if self._signed:
            self.lookups.note(entry, "it is not signed, and an entry before it is")
            return
        self._has_unsigned = True
        if (since := self._all.since) is None or not is_ours:
            return
        try:
            is_late = instant(entry.entered_at) > since
        except SPOILED:
            is_late = True
        if is_late:
            message = f"it is not signed, as all are since {since:%Y-%m-%d %H:%M} UTC"
            self.lookups.note(entry, message)


class UnknownSignatures:
    """Entries signed by unknown keys, grouped into runs of consecutive entries of a club."""

    def __init__(self) -> None:
        self.count = 0
        self._runs: list[tuple[int, list[int]]] = []
        self._open: dict[int, list[int]] = {}

    def add(self, club_id: int, entry_id: int) -> None:
        """Count an entry and add it to its club's current run, or begin a run with it."""
        self.count += 1
        if club_id not in self._open:
            self._open[club_id] = [entry_id, entry_id]
            self._runs.append((club_id, self._open[club_id]))
        self._open[club_id][1] = entry_id

    def end(self, club_id: int) -> None:
        """End a club's run at an entry signed by a known key."""
        self._open.pop(club_id, None)

    def message(self, clubs: Mapping[int, str], remedy: str) -> str:
        """Return a sentence with their number, the places of the first ones, and the remedy."""
        places = []
        for club_id, (first, last) in self._runs[:MOST_RUNS]:
            entries = f"entry {first}" if first == last else f"entries {first} to {last}"
            places.append(f"{clubs.get(club_id, f'club {club_id}')}, {entries}")
        if more := max(len(self._runs) - MOST_RUNS, 0):
            places.append(f"{more} more")
        signatures = counted(self.count, "signature")
        sentence = f"{signatures} of no key that is known here ({'; '.join(places)})"
        if remedy:
            sentence += (
                f"; {remedy}. If no key was lost, these entries were changed past the program"
            )
        return sentence


def is_known(keys: Sequence[SigningKey], signature: Any, club_id: int, digest: str) -> bool:
    """Return whether one of the keys made this signature of an entry; false for a malformed one."""
    try:
        signed = bytes(signature), club_id, digest
        return any(key.verifies(*signed) for key in keys)
    except SPOILED:
        return False
