"""Check hands and their versions: rescore each verdict, and compare it with its entry's amounts."""

import re
from array import array
from collections import defaultdict
from collections.abc import Container, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from operator import itemgetter
from typing import Any

from ledger.books.hand_effects import POTS, HandEffects
from ledger.books.rescoring import Rescored, score_again
from ledger.database import json
from ledger.database.json import SPOILED
from ledger.database.kinds.entries import EntryKind
from ledger.database.kinds.states import HandAction, HandState
from ledger.services.audit import pots
from ledger.services.audit import versions as audit_versions
from ledger.services.audit.contents import Contents
from ledger.services.audit.lookups import Chunk, Lookups, hand_histories, stored_texts, voidings
from ledger.services.audit.pots import PotHand, PotMove
from ledger.services.audit.raw import document
from ledger.services.audit.row_types import EntryRow, HandRow, VersionRow, Voiding
from ledger.services.audit.tallies import Seated, Sums

_SHARED = (
    ("id", "entry_id"),
    ("hand_id", "hand_id"),
    ("session_id", "session_id"),
    ("session_id", "hand_session_id"),
    ("author", "author"),
    ("reason", "reason"),
    ("entered_at", "entered_at"),
    ("occurred_at", "played_at"),
)
"""Columns of an entry, and the columns of its version or hand with the same values."""
_OF_ENTRY = itemgetter(*(EntryRow._fields.index(name) for name, _ in _SHARED))
_OF_VERSION = itemgetter(*(VersionRow._fields.index(name) for _, name in _SHARED))
_HAND_START = len(VersionRow.OWN)
_HANDS = Contents("hand", HandRow._fields)
_VERSIONS = Contents("hand_version", ("engine_version",))
_HAND, _STANDING = EntryKind.HAND.value, HandState.STANDING.value
_RECORDED, _FOLLOWED = HandAction.RECORDED.value, HandAction.FOLLOWED.value
_FOLLOWS = re.compile(r"hand ([0-9]+) ")


class Hands:
    """Checks hands chunk by chunk, notes differences, and adds standing hands to ``sums``."""

    def __init__(self, lookups: Lookups, sums: Sums) -> None:
        self.lookups = lookups
        self.sums = sums
        self.versions = 0
        # By session, for each standing hand played for pots: its id, the pots before it, its deposits.
        self._pot_hands: dict[int, array[int]] = defaultdict(lambda: array("q"))
        self._seats: dict[str | tuple[Any, ...], Seated] = {}
        self._without_pots: set[int] = set()

    def check(self, chunk: Chunk, answers: Iterable[Rescored]) -> None:
        """Note faults in the versions with an entry in this chunk.

        ``answers`` are the engine's results for these.
        """
        versions = [*chunk.all_versions]
        self._check_contents(versions)
        paying = [entry for entry in chunk.entries if entry.kind == _HAND]
        # All are compared at once: mostly each entry has one version, and they agree.
        if [*map(_OF_ENTRY, paying)] != [*map(_OF_VERSION, versions)]:
            self._check_entries(chunk)
        if any(map(_has_cause, versions)):
            entries = {entry.id: entry for entry in paying}
            for version in filter(_has_cause, versions):
                if version.entry_id in entries:
                    self._check_cause(version, entries[version.entry_id])
        for version, answer in zip(versions, answers, strict=True):
            effects = self._check_verdict(version, answer)
            if effects is not None and version.entry_id in chunk.amounts:
                self._check_amounts(version, effects, chunk.amounts[version.entry_id])

    def _check_contents(self, versions: Sequence[VersionRow]) -> None:
        """Count these versions.

        Note values of wrong types in them, and in the hands of which this is the first version.
        """
        self.versions += len(versions)
        if versions:
            engine_versions = [version.engine_version for version in versions]
            _VERSIONS.check(self.lookups, [version.id for version in versions], engine_versions)
        first = (version for version in versions if version.version == 1)
        hands = [version[_HAND_START:] for version in first if version.hand_row_id is not None]
        if hands:
            ids, *values = zip(*hands, strict=True)
            _HANDS.check(self.lookups, ids, ids, *values)

    def _check_entries(self, chunk: Chunk) -> None:
        """Note versions that disagree with their entry, and versions and entries that lack each other.

        Amounts are not compared here.
        """
        for entry in chunk.entries:
            versions = chunk.versions.get(entry.id, [])
            if (entry.kind == _HAND) != (len(versions) == 1):
                self.lookups.note(entry, "no hand, or more than one, is paid by it")
            for version in versions:
                if entry.hand_id != version.hand_id or entry.session_id != version.session_id:
                    self.lookups.note(version, f"its entry {entry.id} is another hand's")
                self._check_author(version, entry, entry.occurred_at)
                self._check_owner(version)
        for entry_id in chunk.versions.keys() - chunk.amounts.keys():
            for version in chunk.versions[entry_id]:
                self.lookups.note(version, f"its entry {entry_id} is gone")
                self._check_owner(version)

    def finish(self, reversed_: Container[int], pot_moves: Sequence[PotMove]) -> None:
        """Note faults in voidings, pots, the sequence of each hand's versions, and the hands' numbers."""
        self._check_voidings()
        moves = [move for move in pot_moves if move.entry_id not in reversed_]
        for session_id in self._pot_hands:
            in_session = [move for move in moves if move.session_id == session_id]
            pots.check(self.lookups, self._hands_with_pots(session_id), in_session)
        audit_versions.check(self.lookups, reversed_)

    def _check_amounts(
        self, version: VersionRow, effects: HandEffects, amounts: Mapping[int, int]
    ) -> None:
        """Note an entry that does not pay its version's verdict, and a version that can't be read.

        The last version of a standing hand is added to the sums.
        """
        is_latest = version.version == version.latest
        try:
            seats = self._seated(version.seat_ids)
            agrees = amounts == self._expected(version, seats, effects)
            if not agrees and not is_latest and version.hand_row_id and effects.put:
                # The first ledgers had no accounts for pots; those entries were reversed by the upgrade.
                agrees = amounts == self._expected(version, seats, effects._replace(put=()))
                self._without_pots.add(version.entry_id)
            if not agrees:
                message = f"entry {version.entry_id} does not move what its verdict says"
                self.lookups.note(version, message)
            if is_latest and version.state == _STANDING:
                if effects.put:
                    numbers = version.hand_id, *effects.pots_before, *effects.put
                    self._pot_hands[version.hand_session_id].extend(numbers)
                self.sums.add(version, seats, effects)
        except SPOILED as error:
            self.lookups.note(version, f"it can't be read ({error!r})")

    def _seated(self, seat_ids: Any) -> Seated:
        """Return the ids, accounts and players of a hand's seats, and cache them for the next hand."""
        key = seat_ids if isinstance(seat_ids, str) else tuple(seat_ids)
        if key not in self._seats:
            ids, rows = tuple(document(key)), self.lookups.seats
            players = tuple(rows[seat_id].player_id for seat_id in {*ids} & rows.keys())
            is_complete = len(players) == len(ids)
            self._seats = {
                key: Seated(
                    ids,
                    tuple(map(self.lookups.seat_accounts.get, ids)),
                    tuple(rows[seat_id].player_id for seat_id in ids) if is_complete else (),
                )
            }
        return self._seats[key]

    def _expected(
        self, version: VersionRow, seats: Seated, effects: HandEffects
    ) -> dict[int | str | None, int]:
        """Return the amounts that a hand must move, by account id, or by key if there is no such account.

        The world's account gets the opposite of a score that nobody pays.
        """
        amounts, put = effects.amounts, effects.put
        pairs = zip(seats.accounts, amounts, strict=True)
        expected: dict[int | str | None, int]
        expected = {account: amount for account, amount in pairs if amount}
        if put or sum(amounts):
            ids = self.lookups.account_ids
            for key, amount in effects.other_postings(version.session_id).items():
                expected[ids.get(key, key)] = amount
        return expected

    def _check_author(self, version: VersionRow, entry: EntryRow, played_at: object) -> None:
        """Note a version with another author, reason or time than its entry."""
        own = version.author, version.reason, version.entered_at, version.played_at
        if own != (entry.author, entry.reason, entry.entered_at, played_at):
            self.lookups.note(version, f"who, when or why is not what entry {entry.id} says")

    def _check_cause(self, version: VersionRow, entry: EntryRow) -> None:
        """Note a version without the cause that its entry states: an undo, a redo or another hand."""
        try:
            cause = None if version.cause is None else document(version.cause)
            if cause != document(entry.details).get("cause", _derived_cause(version)):
                self.lookups.note(version, f"it was not caused by what entry {entry.id} says")
        except SPOILED as error:
            self.lookups.note(version, f"its cause can't be read ({error})")

    def _check_owner(self, version: VersionRow) -> None:
        """Note a version without a hand, or of another session than its hand."""
        if version.hand_row_id is None:
            self.lookups.note(version, "its hand is gone")
        elif version.session_id != version.hand_session_id:
            self.lookups.note(version, "it is of another session than its hand")

    def _check_verdict(self, version: VersionRow, answer: Rescored) -> HandEffects | None:
        """Note a verdict that differs from the engine's answer; return the hand's effects.

        Returns None for an unreadable verdict or a record that the engine refuses, which are noted.
        """
        effects, verdict, problem = answer
        try:
            if problem is not None:
                self.lookups.note(version, problem)
            elif verdict is not None:
                self._compare(version, json.read(verdict), document(version.verdict))
        except SPOILED as error:
            self.lookups.note(version, f"it can't be read ({error!r})")
            return None
        return effects

    def _compare(self, version: VersionRow, rescored: Mapping[str, Any], verdict: Any) -> None:
        """Note the keys in which a stored verdict differs from the engine's, or that it is not a JSON object.

        Older verdicts store the sentences of the steps instead of their values. Their wording can't be
        recomputed, so only their number is compared.
        """
        if not isinstance(verdict, Mapping):
            self.lookups.note(version, "it has no verdict")
            return
        if _has_sentences(verdict, len(rescored["steps"])):
            verdict = {**verdict, "steps": rescored["steps"]}
            rescored = {**rescored, "explanation": verdict["explanation"]}
        if rescored != verdict:
            differing = sorted({key for key, _ in _items(rescored) ^ _items(verdict)})
            message = f"its verdict is not the engine's (in {', '.join(differing)})"
            self.lookups.note(version, message)

    def _hands_with_pots(self, session_id: int) -> list[PotHand]:
        """Return a session's hands played for pots, each with its first entry that moved pots, or 0."""
        groups = [iter(self._pot_hands[session_id])] * (1 + 2 * len(POTS))
        amounts = {hand_id: numbers for hand_id, *numbers in zip(*groups, strict=True)}
        without = self._without_pots
        return [
            PotHand(
                hand,
                next((entry for *_, entry in steps if entry and entry not in without), 0),
                dict(zip(POTS, amounts[hand.id], strict=False)),
                dict(zip(POTS, amounts[hand.id][len(POTS) :], strict=True)),
            )
            for hand, steps in hand_histories(self.lookups, session_id)
            if hand.id in amounts
        ]

    def _check_voidings(self) -> None:
        """Note faults in versions without an entry: each must be a voiding that repeats the one before it.

        One that does not is scored again; any other must have its reversal's author, reason and cause.
        """
        for voiding in voidings(self.lookups):
            version = voiding.version
            self._check_contents([version])
            self._check_owner(version)
            if not _repeats(voiding):
                self.lookups.note(version, "it does not repeat what it voids")
                (answer,) = score_again([stored_texts(version)])
                self._check_verdict(version, answer)
                continue
            entry = voiding.reversal
            if entry is not None:
                if _is_just_after(entry.entered_at, version.entered_at):
                    version = version._replace(entered_at=entry.entered_at)
                self._check_author(version, entry, version.played_at)
                self._check_cause(version, entry)


def _has_cause(version: VersionRow) -> bool:
    """Return whether a version has a cause or should have one."""
    return version.cause is not None or version.action != _RECORDED


def _derived_cause(version: VersionRow) -> Mapping[str, int | None] | None:
    """Return the cause that the upgrade derived from a version's reason, if its entry states none.

    None without one.
    """
    if version.action == _FOLLOWED:
        match = _FOLLOWS.match(str(version.reason))
        return {"hand": int(match[1])} if match else None
    return {"undo": None} if version.reason == "undone" and version.action != _RECORDED else None


def _items(mapping: Mapping[str, Any]) -> set[tuple[str, str]]:
    """Return a mapping's items as a set of pairs of key and JSON text."""
    return {(key, json.text(value)) for key, value in mapping.items()}


def _has_sentences(verdict: Mapping[str, Any], steps: int) -> bool:
    """Return whether a verdict is of the older form: no `steps`, but this number of sentences instead."""
    sentences = verdict.get("explanation")
    return (
        "steps" not in verdict
        and isinstance(sentences, list)
        and len(sentences) == steps
        and all(isinstance(sentence, str) and sentence for sentence in sentences)
    )


def _repeats(voiding: Voiding) -> bool:
    """Return whether a voiding has the previous version's record, verdict and seats.

    False if they are unreadable.
    """
    version, *previous, _ = voiding
    own = [version.record, version.verdict, version.seat_ids]
    try:
        return own == previous or [*map(document, own)] == [*map(document, previous)]
    except SPOILED:
        return False


def _is_just_after(entry: Any, version: Any) -> bool:
    """Return whether a voiding was less than a second after its reversal; false for unreadable times.

    Old ledgers read the clock once for each.
    """
    try:
        if isinstance(entry, str):
            entry, version = datetime.fromisoformat(entry), datetime.fromisoformat(version)
        return bool(timedelta() <= version - entry < timedelta(seconds=1))
    except SPOILED:
        return False
