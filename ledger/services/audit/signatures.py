"""Signatures under entries, and heads that were kept elsewhere: what nobody with the file alone can make."""

from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from itertools import chain
from typing import NamedTuple

from ledger.json_text import SPOILED
from ledger.problems import counted
from ledger.services.audit.lookups import Difference, Shelf
from ledger.services.audit.raw import instant
from ledger.services.audit.row_types import EntryRow
from ledger.signing import Key

SHORTEST_HEAD = 16
"""So many characters of a digest tell it from every other."""


class Head(NamedTuple):
    """A digest that was once the last of a club's, or how it begins, and where that is said."""

    digest: str
    source: str


@dataclass(frozen=True, slots=True)
class Outside:
    """What is known of the books from outside them.

    ``keys`` may have signed entries, the present one first; ``heads`` must still be in the chains.
    """

    keys: Sequence[Key] = ()
    heads: Sequence[Head] = ()

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
        try:
            signed = bytes(entry.signature), entry.club_id, entry.digest
            if self._key.made(*signed) or any(key.made(*signed) for key in self.outside.keys[1:]):
                return
        except SPOILED:
            pass
        self.shelf.note(entry, "its signature is of no key that is known here")

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
        """Note each head that no entry has."""
        for head in chain.from_iterable(self._waiting.values()):
            message = (
                f"no entry has the head {head.digest}: entries were removed or rewritten since"
            )
            self.shelf.noted.append(Difference("The books", head.source, message))

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
        if self._key is None and self._signed.total():
            signatures = counted(self._signed.total(), "signature")
            said.append(f"{signatures} not checked: no key is known here (--key).")
        return said
