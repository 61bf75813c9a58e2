"""Hands and their versions: each verdict scored again, each entry what the verdict comes to."""

import re
from array import array
from collections import defaultdict
from collections.abc import Container, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from operator import itemgetter
from typing import Any

from sqlalchemy import Connection

from ledger.books.hand_effects import POTS, HandEffects
from ledger.books.rescoring import Rescored, score_again
from ledger.database import json
from ledger.database.json import SPOILED
from ledger.database.kinds.accounts import Moved, by_key
from ledger.database.kinds.entries import EntryKind
from ledger.database.kinds.states import HandAction, HandState
from ledger.services.audit import pots
from ledger.services.audit import versions as audit_versions
from ledger.services.audit.contents import Contents
from ledger.services.audit.lookups import Chunk, Shelf, as_kept, voidings
from ledger.services.audit.lookups import turns as read_turns
from ledger.services.audit.pots import PotHand, PotMove
from ledger.services.audit.raw import document
from ledger.services.audit.row_types import EntryRow, HandRow, VersionRow, Voiding
from ledger.services.audit.tallies import Seated, Sums

_SHARED = (
    ("id", "entry_id"),
    ("hand_id", "hand_id"),
    ("session_id", "session_id"),
    ("session_id", "hand_session_id"),
    ("club_id", "club_id"),
    ("club_id", "hand_club_id"),
    ("author", "author"),
    ("reason", "reason"),
    ("entered_at", "entered_at"),
    ("occurred_at", "played_at"),
)
"""Columns of an entry, and those of its version or its hand that hold the same."""
_OF_ENTRY = itemgetter(*(EntryRow._fields.index(of) for of, _ in _SHARED))
_OF_VERSION = itemgetter(*(VersionRow._fields.index(of) for _, of in _SHARED))
_HAND_AT = len(VersionRow.OWN)
_HANDS = Contents("hand", HandRow._fields[1:])
_VERSIONS = Contents("hand_version", ("engine_version",))
_HAND, _STANDING = EntryKind.HAND.value, HandState.STANDING.value
_RECORDED, _FOLLOWED = HandAction.RECORDED.value, HandAction.FOLLOWED.value
_FOLLOWS = re.compile(r"hand ([0-9]+) ")


class Hands:
    """Checks hands, chunk by chunk, and notes what differs; those that stand are added to ``sums``."""

    def __init__(self, shelf: Shelf, sums: Sums) -> None:
        self.shelf = shelf
        self.sums = sums
        self.versions = 0
        # By session, of each standing hand played for pots: its id, what they held, what it put in.
        self._played: dict[int, array[int]] = defaultdict(lambda: array("q"))
        self._seats: dict[str | tuple[Any, ...], Seated] = {}
        self._past_the_pots: set[int] = set()

    def check(self, chunk: Chunk, answers: Iterable[Rescored]) -> None:
        """Check the hands' versions that have an entry in this chunk, by the engine's ``answers`` to each."""
        versions = [*chunk.every_version]
        self._contents(versions)
        paid = [entry for entry in chunk.entries if entry.kind == _HAND]
        # All are compared with their entries at once; mostly there is one for each, and they agree.
        if [*map(_OF_ENTRY, paid)] != [*map(_OF_VERSION, versions)]:
            self._entries(chunk)
        if any(map(_has_cause, versions)):
            entries = {entry.id: entry for entry in paid}
            for version in filter(_has_cause, versions):
                if version.entry_id in entries:
                    self._caused(version, entries[version.entry_id])
        for version, answer in zip(versions, answers, strict=True):
            told = self._scored(version, answer)
            if told is not None and version.entry_id in chunk.moved:
                self._paid(version, told, chunk.moved[version.entry_id])

    def _contents(self, versions: Sequence[VersionRow]) -> None:
        """Note what the columns of versions can't hold, and those of hands, each with its first version."""
        self.versions += len(versions)
        if versions:
            ids, clubs, *_ = zip(*versions, strict=True)
            _VERSIONS.check(self.shelf, ids, clubs, [each.engine_version for each in versions])
        first = (version for version in versions if version.version == 1)
        hands = [version[_HAND_AT:] for version in first if version.found is not None]
        if hands:
            ids, clubs, *values = zip(*hands, strict=True)
            _HANDS.check(self.shelf, ids, clubs, clubs, *values)

    def _entries(self, chunk: Chunk) -> None:
        """Note which versions do not agree with their entries, or have none."""
        for entry in chunk.entries:
            versions = chunk.versions.get(entry.id, [])
            if (entry.kind == _HAND) != (len(versions) == 1):
                self.shelf.note(entry, "no hand, or more than one, is paid by it")
            for version in versions:
                if entry.hand_id != version.hand_id or entry.session_id != version.session_id:
                    self.shelf.note(version, f"its entry {entry.id} is another hand's")
                if entry.club_id != version.club_id:
                    self.shelf.note(version, f"its entry {entry.id} is another club's")
                self._agrees(version, entry, entry.occurred_at)
                self._belongs(version)
        for entry_id in chunk.versions.keys() - chunk.moved.keys():
            for version in chunk.versions[entry_id]:
                self.shelf.note(version, f"its entry {entry_id} is gone")
                self._belongs(version)

    def finish(
        self, connection: Connection, reversed_: Container[int], apart: Sequence[PotMove]
    ) -> None:
        """Check the void ones, pots, each hand's versions one after another, and numbers."""
        self._voided(connection)
        stands = [each for each in apart if each.entry_id not in reversed_]
        for session_id in self._played:
            there = [each for each in stands if each.session_id == session_id]
            pots.check(self.shelf, self._for_pots(connection, session_id), there)
        audit_versions.check(connection, self.shelf, reversed_)

    def _paid(self, version: VersionRow, told: HandEffects, moved: Mapping[int, int]) -> None:
        """Check that the entry of a version moves what its verdict says; add a hand that stands."""
        is_latest = version.version == version.latest
        try:
            seats = self._seated(version.seat_ids)
            fits = moved == self._expected(version, seats, told)
            if not fits and not is_latest and version.found and told.put:
                # The first books' own way, all of it reversed when the pots got their accounts.
                fits = moved == self._expected(version, seats, told._replace(put=()))
                self._past_the_pots.add(version.entry_id)
            if not fits:
                message = f"entry {version.entry_id} does not move what its verdict says"
                self.shelf.note(version, message)
            if is_latest and version.state == _STANDING:
                if told.put:
                    played = version.hand_id, *told.held, *told.put
                    self._played[version.hand_session_id].extend(played)
                self.sums.add(version, seats, told)
        except SPOILED as error:
            self.shelf.note(version, f"it can't be read ({error!r})")

    def _seated(self, said: Any) -> Seated:
        """Find who sat at a hand, mostly those of the hand before."""
        said = said if isinstance(said, str) else tuple(said)
        if said not in self._seats:
            ids, rows = tuple(document(said)), self.shelf.seats
            players = tuple(rows[seat_id].player_id for seat_id in {*ids} & rows.keys())
            there = len(players) == len(ids)
            self._seats = {
                said: Seated(
                    ids,
                    tuple(map(self.shelf.of_seats.get, ids)),
                    tuple(rows[seat_id].player_id for seat_id in ids) if there else (),
                )
            }
        return self._seats[said]

    def _expected(
        self, version: VersionRow, seats: Seated, told: HandEffects
    ) -> dict[int | str | None, int]:
        """Return what an entry should move, by account; by a key where there is no such account.

        A score that is not a payment comes from the world's side.
        """
        amounts, put = told.amounts, told.put
        each = zip(seats.accounts, amounts, strict=True)
        expected: dict[int | str | None, int]
        expected = {account: amount for account, amount in each if amount}
        world = -sum(amounts) - sum(put)
        if put or world:
            apart = Moved({}, dict(zip(POTS, put, strict=False)), world)
            keys, club_id = self.shelf.keys, version.club_id
            for key, amount in by_key(version.session_id, apart).items():
                expected[keys.get((club_id, key), key)] = amount
        return expected

    def _agrees(self, version: VersionRow, entry: EntryRow, played_at: object) -> None:
        """Check that a version and the entry made with it agree on who wrote it, when and why."""
        said = version.author, version.reason, version.entered_at, version.played_at
        if said != (entry.author, entry.reason, entry.entered_at, played_at):
            self.shelf.note(version, f"who, when or why is not what entry {entry.id} says")

    def _caused(self, version: VersionRow, entry: EntryRow) -> None:
        """Check that a version has the cause of its entry: an undo, a redo, another hand."""
        try:
            cause = None if version.cause is None else document(version.cause)
            if cause != document(entry.details).get("cause", _cause_of_old(version)):
                self.shelf.note(version, f"it was not caused by what entry {entry.id} says")
        except SPOILED as error:
            self.shelf.note(version, f"its cause can't be read ({error})")

    def _belongs(self, version: VersionRow) -> None:
        """Check that a version is of its hand's club and session."""
        if version.found is None:
            self.shelf.note(version, "its hand is gone")
        elif version[1:3] != (version.hand_club_id, version.hand_session_id):
            self.shelf.note(version, "it is of another club or session than its hand")

    def _scored(self, version: VersionRow, answer: Rescored) -> HandEffects | None:
        """Note what differs in the engine's answer to a version, and return what its record adds."""
        told, verdict, problem = answer
        try:
            if problem is not None:
                self.shelf.note(version, problem)
            elif verdict is not None:
                self._compare(version, json.read(verdict), document(version.verdict))
        except SPOILED as error:
            self.shelf.note(version, f"it can't be read ({error!r})")
            return None
        return told

    def _compare(self, version: VersionRow, again: Mapping[str, Any], verdict: Any) -> None:
        """Note where a verdict, as it is kept, is not what the engine answers again.

        Older books kept the sentences of a step instead of its values. They were right in the English of
        their day, which nobody can tell any more: that there is one for each step is all that is held.
        """
        if not isinstance(verdict, Mapping):
            self.shelf.note(version, "it has no verdict")
            return
        if _has_sentences(verdict, len(again["steps"])):
            verdict = {**verdict, "steps": again["steps"]}
            again = {**again, "explanation": verdict["explanation"]}
        if again != verdict:
            differing = sorted({key for key, _ in _items(again) ^ _items(verdict)})
            self.shelf.note(version, f"its verdict is not the engine's (in {', '.join(differing)})")

    def _for_pots(self, connection: Connection, session_id: int) -> list[PotHand]:
        """Return what a session's hands played for, each with the entry that first paid it into the pots."""
        each = [iter(self._played[session_id])] * (1 + 2 * len(POTS))
        amounts = {hand_id: held for hand_id, *held in zip(*each, strict=True)}
        return [
            PotHand(
                hand,
                next((paid for *_, paid in turns if paid and paid not in self._past_the_pots), 0),
                dict(zip(POTS, amounts[hand.id], strict=False)),
                dict(zip(POTS, amounts[hand.id][len(POTS) :], strict=True)),
            )
            for hand, turns in read_turns(connection, session_id)
            if hand.id in amounts
        ]

    def _voided(self, connection: Connection) -> None:
        """Check versions without an entry: only voidings, which repeat what they void."""
        for voiding in voidings(connection):
            version = voiding.version
            self._contents([version])
            self._belongs(version)
            if not _repeats(voiding):
                self.shelf.note(version, "it does not repeat what it voids")
                (answer,) = score_again([as_kept(version)])
                self._scored(version, answer)
                continue
            entry = voiding.reversal
            if entry is not None:
                if _just_after(entry.entered_at, version.entered_at):
                    version = version._replace(entered_at=entry.entered_at)
                self._agrees(version, entry, version.played_at)
                self._caused(version, entry)


def _has_cause(version: VersionRow) -> bool:
    """Return whether a version was caused by something, or should have been."""
    return version.cause is not None or version.action != _RECORDED


def _cause_of_old(version: VersionRow) -> Mapping[str, int | None] | None:
    """Return the cause that the upgrade derived from the reason, for a version whose entry has none."""
    if version.action == _FOLLOWED:
        found = _FOLLOWS.match(str(version.reason))
        return {"hand": int(found[1])} if found else None
    return {"undo": None} if version.reason == "undone" and version.action != _RECORDED else None


def _items(mapping: Mapping[str, Any]) -> set[tuple[str, str]]:
    """Return what a mapping holds, so that two can be told apart key by key."""
    return {(key, json.text(value)) for key, value in mapping.items()}


def _has_sentences(verdict: Mapping[str, Any], steps: int) -> bool:
    """Whether a verdict of an older book tells so many steps in words, instead of keeping them."""
    said = verdict.get("explanation")
    return (
        "steps" not in verdict
        and isinstance(said, list)
        and len(said) == steps
        and all(isinstance(sentence, str) and sentence for sentence in said)
    )


def _repeats(voiding: Voiding) -> bool:
    """Whether it says what the version before it said, whose own verdict is checked with its entry."""
    version, *before, _ = voiding
    now = [version.record, version.verdict, version.seat_ids]
    try:
        return now == before or [*map(document, now)] == [*map(document, before)]
    except SPOILED:
        return False


def _just_after(entry: Any, version: Any) -> bool:
    """Whether a voiding came within a second of its reversal: the first books asked the clock twice."""
    try:
        if isinstance(entry, str):
            entry, version = datetime.fromisoformat(entry), datetime.fromisoformat(version)
        return bool(timedelta() <= version - entry < timedelta(seconds=1))
    except SPOILED:
        return False
