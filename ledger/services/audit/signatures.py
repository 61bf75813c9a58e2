"""Signatures under entries, and heads that were kept elsewhere: what nobody with the file alone can make."""

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from itertools import chain
from typing import Any, NamedTuple

from ledger.database.json import SPOILED
from ledger.runtime.signing import SigningKey
from ledger.services.audit.lookups import Difference, Shelf
from ledger.services.audit.raw import instant
from ledger.services.audit.row_types import EntryRow
from ledger.words.problems import counted

MOST_RUNS = 5
"""The number of places named where signatures are of no known key."""

SHORTEST_HEAD = 16
"""So many characters of a digest tell it from every other."""


class Head(NamedTuple):
    """A digest that was once the last of a club's, or how it begins, and where that is said.

    ``signed_by`` is the public key that had signed its entry, if that was kept with it.
    """

    digest: str
    source: str
    signed_by: str = ""


@dataclass(frozen=True, slots=True)
class Outside:
    """What is known of the books from outside them.

    ``keys`` may have signed entries, the present one first; ``heads`` must still be in the chains. Some entry
    is signed by a key of ``signed``. A ledger ``in_use`` has a key. ``remedy`` brings a missing key back;
    without it, signatures of no known key are only remarked.
    """

    keys: Sequence[SigningKey] = ()
    heads: Sequence[Head] = ()
    signed: Sequence[str] = ()
    in_use: bool = False
    remedy: str = ""

    @property
    def since(self) -> datetime | None:
        """Since when every entry is signed, if that is known."""
        return min((key.since for key in self.keys if key.since), default=None)


class Signatures:
    """Looks at the signature of each entry, in their order, and which of the heads are still there."""

    def __init__(self, shelf: Shelf, outside: Outside) -> None:
        self.shelf = shelf
        self.outside = outside
        self._waiting: dict[str, list[Head]] = {}
        for head in outside.heads:  # two that begin alike may go on otherwise: one was typed wrong
            self._waiting.setdefault(head.digest[:SHORTEST_HEAD], []).append(head)
        self._signed: Counter[int] = Counter()
        self._unsigned: set[int] = set()
        self._begun: dict[int, datetime] = {}
        self._unknown = Unknown()
        self._key = outside.keys[0] if outside.keys else None
        self._since = outside.since

    def check(self, entries: Sequence[EntryRow]) -> None:
        """Check some, in their order; whoever altered what was signed has altered its digest."""
        asked = self._waiting or self._since or self._signed
        if not asked and all(entry.signature is None for entry in entries):
            self._unsigned.update(entry.club_id for entry in entries)
            return
        for entry in entries:
            self._check(entry)

    def _check(self, entry: EntryRow) -> None:
        waiting = self._waiting.get(entry.digest[:SHORTEST_HEAD]) if self._waiting else None
        if waiting:
            kept = next((head for head in waiting if entry.digest.startswith(head.digest)), None)
            if kept and kept.signed_by and entry.signature is None:
                self.shelf.note(entry, f"it is not signed, and was when {kept.source} was made")
            waiting[:] = [head for head in waiting if not entry.digest.startswith(head.digest)]
        if entry.signature is None:
            self._not_signed(entry)
            return
        if entry.club_id in self._unsigned and entry.club_id not in self._signed:
            with suppress(*SPOILED):
                self._begun[entry.club_id] = instant(entry.entered_at)
        self._signed[entry.club_id] += 1
        if self._key is None:
            return
        if not is_known(self.outside.keys, entry.signature, entry.club_id, entry.digest):
            self._unknown.add(entry.club_id, entry.id)
        else:
            self._unknown.end(entry.club_id)

    def _not_signed(self, entry: EntryRow) -> None:
        if entry.club_id in self._signed:
            self.shelf.note(entry, "it is not signed, and an entry before it is")
            return
        self._unsigned.add(entry.club_id)
        since = self._since
        if since is None:
            return
        try:
            late = instant(entry.entered_at) > since
        except SPOILED:
            late = True
        if late:
            self.shelf.note(entry, f"it is not signed, as all are since {since:%Y-%m-%d %H:%M} UTC")

    def finish(self) -> None:
        """Note each head that no entry has, and in one line the signatures of no known key."""
        for head in chain.from_iterable(self._waiting.values()):
            message = (
                f"no entry has the head {head.digest}: entries were removed or rewritten since"
            )
            self.shelf.noted.append(Difference("The books", head.source, message))
        if message := self._missing():
            self.shelf.noted.append(Difference("The books", "signatures", message))

    def _missing(self) -> str:
        """Return the sentence about a missing key or signatures, with the remedy; empty without any."""
        signed, remedy = self._signed.total(), self.outside.remedy
        if self._unknown.count:
            return self._unknown.message(self.shelf.clubs, remedy)
        if self._key is None and signed and remedy:
            signatures = counted(signed, "signature")
            return f"{signatures} can't be checked, as no key is known here; {remedy}"
        if self._key is None and self.outside.in_use and self._unsigned:
            return f"no key is known here, and a ledger in use has one; {remedy}"
        if not signed and self._unsigned and self.outside.signed:
            keys = " and ".join(self.outside.signed)
            return (
                f"no entry is signed, though some were by {keys}: all signatures were taken away; restore "
                "a backup, or don't name a key that never signed here"
            )
        return ""

    def remarks(self) -> list[str]:
        """Say what is so and not wrong: what was made before there was a key, or could not be checked."""
        said = []
        for club_id in self._unsigned:
            club = self.shelf.clubs.get(club_id, f"club {club_id}")
            if club_id in self._begun:
                until = f"{self._begun[club_id]:%Y-%m-%d %H:%M} UTC"
                said.append(f"{club}: not signed before {until}.")
            else:
                said.append(f"{club}: nothing is signed.")
        if self._key is None and self._signed.total() and not self.outside.remedy:
            signatures = counted(self._signed.total(), "signature")
            said.append(f"{signatures} not checked: no key is known here (--key).")
        return said


class Unknown:
    """Entries that are signed by no known key, as runs of entries that follow one another in a club."""

    def __init__(self) -> None:
        self.count = 0
        self._runs: list[_Run] = []
        self._open: dict[int, _Run] = {}

    def add(self, club_id: int, entry_id: int) -> None:
        """Add the next entry of a club."""
        self.count += 1
        run = self._open.get(club_id)
        if run is None:
            self._open[club_id] = run = _Run(club_id, entry_id, entry_id)
            self._runs.append(run)
        run.last = entry_id

    def end(self, club_id: int) -> None:
        """End a club's run at an entry signed by a known key."""
        self._open.pop(club_id, None)

    def message(self, clubs: Mapping[int, str], remedy: str) -> str:
        """Return their number, the places of the first ones, and the remedy."""
        places = [run.place(clubs) for run in self._runs[:MOST_RUNS]]
        if more := max(len(self._runs) - MOST_RUNS, 0):
            places.append(f"{more} more")
        what = counted(self.count, "signature")
        found = f"{what} of no key that is known here ({'; '.join(places)})"
        if remedy:
            found += f"; {remedy}. If no key was lost, these entries were changed past the program"
        return found


@dataclass(slots=True)
class _Run:
    club_id: int
    first: int
    last: int

    def place(self, clubs: Mapping[int, str]) -> str:
        club = clubs.get(self.club_id, f"club {self.club_id}")
        entries = f"entry {self.first}"
        if self.first != self.last:
            entries = f"entries {self.first} to {self.last}"
        return f"{club}, {entries}"


def is_known(keys: Sequence[SigningKey], signature: Any, club_id: int, digest: str) -> bool:
    """Return whether one of the keys made the signature of an entry; false if it is none at all."""
    try:
        signed = bytes(signature), club_id, digest
        return any(key.made(*signed) for key in keys)
    except SPOILED:
        return False
