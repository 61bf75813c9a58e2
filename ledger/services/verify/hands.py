"""Hands and their versions: each verdict scored anew, each entry what the verdict comes to."""

import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy import Connection

from engine.errors import Refused
from engine.record import HandRecord
from engine.scoring import score
from engine.verdict import Verdict
from ledger.models import EntryKind, HandAction, HandState, metadata
from ledger.services import payout
from ledger.services.payout import Amounts, Written
from ledger.services.verify import pots
from ledger.services.verify.pots import Apart, Played
from ledger.services.verify.shelf import (
    Chunk,
    Difference,
    EntryRow,
    HandRow,
    PostingRow,
    Shelf,
    VersionRow,
    columns,
    document,
    rows,
    versions_query,
)

_HAND, _STANDING = EntryKind.HAND.value, HandState.STANDING.value
_RECORDED, _VOIDED = HandAction.RECORDED.value, HandAction.VOIDED.value

Turn = tuple[int, str, int | None]
"""A version's number, its action and its entry."""

MOST_SENTENCES = 20_000

SPOILED = (LookupError, TypeError, ValueError, AttributeError)
"""What reading a document that was changed by hand can end in."""


class Hands:
    """Checks hands, chunk by chunk; ``stood`` are those of the chunk that count, as they hold now."""

    def __init__(self, shelf: Shelf) -> None:
        self.shelf = shelf
        self.stood: list[tuple[HandRow, Written]] = []
        self._turns: dict[int, list[Turn]] = defaultdict(list)
        self._played: list[tuple[HandRow, Written]] = []
        self._past_the_pots: set[int] = set()
        self._said: dict[tuple[Any, ...], str] = {}

    def check(self, chunk: Chunk) -> Iterator[Difference]:
        """Check the hands' versions that have an entry in this chunk."""
        self.stood = []
        known = set()
        for entry in chunk.entries:
            versions = chunk.versions.get(entry.id, [])
            known.add(entry.id)
            if (entry.kind == _HAND) != (len(versions) == 1):
                yield self.shelf.differs(
                    entry.club_id, f"entry {entry.id}", "no hand, or more than one, is paid by it"
                )
            for version in versions:
                postings = chunk.postings.get(entry.id, [])
                yield from self._paid(entry, version, postings)
        for entry_id in chunk.versions.keys() - known:
            for version in chunk.versions[entry_id]:
                yield self._differs(version, f"its entry {entry_id} is gone")
                yield from self._unpaid(version)

    def finish(
        self, connection: Connection, reversed_: set[int], apart: Sequence[Apart]
    ) -> Iterator[Difference]:
        """Check the void ones, each hand's versions one after another, numbers, and pots."""
        yield from self._voided(connection)
        played = [Played(hand, self._first_entry(hand), written) for hand, written in self._played]
        yield from pots.check(self.shelf, played, apart)
        for hand in self.shelf.hands.values():
            problem = _sequence(hand, sorted(self._turns.get(hand.id, [])), reversed_)
            if problem:
                yield self.shelf.differs(hand.club_id, hand.place, problem)
        yield from self._numbered(connection)

    def _paid(
        self, entry: EntryRow, version: VersionRow, postings: list[PostingRow]
    ) -> Iterator[Difference]:
        """Check a version's verdict, and that its entry moves what the verdict says."""
        if entry.hand_id != version.hand_id or entry.session_id != version.session_id:
            yield self._differs(version, f"its entry {entry.id} is another hand's")
        if entry.club_id != version.club_id:
            yield self._differs(version, f"its entry {entry.id} is another club's")
        written: Written | None = None
        for found in self._scored(version):
            if isinstance(found, Written):
                written = found
            else:
                yield found
        if written is None:
            return
        hand = self.shelf.hands.get(version.hand_id)
        moved = {row[1]: row[2] for row in postings}
        try:
            fits = moved == self._accounts(version, payout.amounts(version.session_id, written))
            if not fits and hand and version.version < hand.version and written.into_pots:
                # The first books' own way, all of it taken back when the pots got their accounts.
                before = payout.without_pots(version.session_id, written)
                fits = moved == self._accounts(version, before)
                self._past_the_pots.add(entry.id)
        except SPOILED as error:
            yield self._differs(version, f"it can't be read ({error!r})")
            return
        if not fits:
            yield self._differs(version, f"entry {entry.id} does not move what its verdict says")
        if hand and hand.version == version.version and hand.state == _STANDING:
            self.stood.append((hand, written))
            if "pots" in written.record:
                self._played.append((hand, written))

    def _scored(self, version: VersionRow) -> Iterator[Difference | Written]:
        """Score a version anew; yield what differs, and what the engine makes of its record."""
        hand = self.shelf.hands.get(version.hand_id)
        if hand is None:
            yield self._differs(version, "its hand is gone")
            return
        if not (hand.club_id == version.club_id and hand.session_id == version.session_id):
            yield self._differs(version, "it is of another club or session than its hand")
        self._turns[hand.id].append((version.version, version.action, version.entry_id))
        try:
            record, seat_ids = document(version.record), document(version.seat_ids)
            again = self._answer(score(HandRecord.from_mapping(record)))
            # Mostly it is the same text, which is told faster than it is read.
            verdict = None if version.verdict == json.dumps(again) else document(version.verdict)
            if verdict is not None and again != verdict:
                differing = sorted(
                    key for key in {*again, *verdict} if again.get(key) != verdict.get(key)
                )
                yield self._differs(
                    version, f"its verdict is not the engine's (in {', '.join(differing)})"
                )
            yield Written(record, again, seat_ids)
        except Refused as refused:
            yield self._differs(version, f"its record is refused: {refused.violations[0].message}")
        except SPOILED as error:
            yield self._differs(version, f"it can't be read ({error!r})")

    def _answer(self, verdict: Verdict) -> dict[str, Any]:
        """Write a verdict as it is kept. The same few sentences are said of many hands: once is enough."""
        answer = verdict._replace(steps=()).to_mapping()
        said = self._said
        explanation = []
        for step in verdict.steps:
            try:
                key = (step.key, *step.values.values())
                text = said.get(key)
                if text is None:
                    text = said[key] = step.text
            except TypeError:  # a value that is no key, such as a list
                text = step.text
            explanation.append(text)
        if len(said) > MOST_SENTENCES:
            said.clear()
        return {**answer, "explanation": explanation}

    def _accounts(self, version: VersionRow, moved: Amounts) -> dict[int | str, int]:
        """Find the accounts of amounts by their keys."""
        keys, club_id = self.shelf.keys, version.club_id
        return {keys.get((club_id, key), key): amount for key, amount in moved.items()}

    def _first_entry(self, hand: HandRow) -> int:
        """Return the entry by which a hand was first paid into the pots."""
        for _, _, entry_id in sorted(self._turns[hand.id]):
            if entry_id is not None and entry_id not in self._past_the_pots:
                return entry_id
        return 0

    def _unpaid(self, version: VersionRow) -> Iterator[Difference]:
        """Score a version that pays nothing."""
        return (each for each in self._scored(version) if isinstance(each, Difference))

    def _voided(self, connection: Connection) -> Iterator[Difference]:
        """Check versions without an entry: only voidings, which repeat what they void."""
        version = metadata.tables["hand_version"]
        query = versions_query().where(version.c.entry_id.is_(None)).order_by(version.c.id)
        for row in map(VersionRow._make, rows(connection, query)):
            yield from self._unpaid(row)
            before = rows(
                connection,
                versions_query()
                .where(version.c.hand_id == row.hand_id)
                .where(version.c.version == row.version - 1),
            )
            if not before or not _repeats(row, VersionRow(*before[0])):
                yield self._differs(row, "it does not repeat what it voids")

    def _numbered(self, connection: Connection) -> Iterator[Difference]:
        """Check that a session's hands are numbered from 1 without a gap, as many as it says."""
        numbers: dict[int, set[int]] = defaultdict(set)
        for hand in self.shelf.hands.values():
            numbers[hand.session_id].add(hand.number)
        query = columns("play_session", "id", "club_id", "hands_dealt")
        for session_id, club_id, dealt in rows(connection, query):
            if numbers[session_id] != set(range(1, dealt + 1)):
                message = f"it says {dealt} hands, and has others"
                yield self.shelf.differs(club_id, f"session {session_id}", message)

    def _differs(self, version: VersionRow, message: str) -> Difference:
        hand = self.shelf.hands.get(version.hand_id)
        place = hand.place if hand else f"hand {version.hand_id}"
        return self.shelf.differs(version.club_id, f"{place}, version {version.version}", message)


def _repeats(now: VersionRow, then: VersionRow) -> bool:
    """Whether a version says word for word what another said; both were read before."""
    try:
        return all(
            document(getattr(now, name)) == document(getattr(then, name))
            for name in ("record", "verdict", "seat_ids")
        )
    except SPOILED:
        return False


def _sequence(hand: HandRow, turns: list[Turn], reversed_: set[int]) -> str | None:
    """Say what is wrong with a hand's versions, one after another."""
    if [number for number, _, _ in turns] != list(range(1, hand.version + 1)):
        return f"it says {hand.version} versions, and has others"
    if [action for _, action, _ in turns].count(_RECORDED) != 1 or turns[0][1] != _RECORDED:
        return "it was not recorded once, and first"
    for number, action, entry_id in turns:
        if (action == _VOIDED) != (entry_id is None):
            return f"version {number} is {action}, and should {'not ' if entry_id else ''}be paid"
        if entry_id is not None and (entry_id in reversed_) != (number < hand.version):
            return f"entry {entry_id} of version {number} was reversed, or not, against its version"
    if (turns[-1][1] == _VOIDED) == (hand.state == _STANDING):
        return f"it says {hand.state}, its last version was {turns[-1][1]}"
    return None
