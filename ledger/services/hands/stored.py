"""A hand as the books have it: what its version says, and what that comes to a seat and a pot."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple, Self

from engine import games
from engine.record import HandRecord
from engine.rules.verdict import Verdict
from ledger.books.hand_effects import POTS, into_pots
from ledger.database.models import HandAction
from ledger.services.session.steps import Cause
from ledger.services.session.stored import StoredHand, StoredVersion


class Written(NamedTuple):
    """A hand as it is recorded: its record, its verdict as it is kept, its players' seats in order.

    ``engine_version`` is the engine version whose rules scored it: a corrected hand keeps that of the hand
    before, so that it can be scored again by the same rules.
    """

    record: Mapping[str, Any]
    verdict: Mapping[str, Any]
    seat_ids: Sequence[int]
    engine_version: str

    @classmethod
    def scored(
        cls, record: HandRecord, verdict: Verdict, seat_ids: Sequence[int], version: str
    ) -> Self:
        """Return a record that was scored by the rules of an engine version, with its verdict."""
        return cls(record.to_mapping(), verdict.to_kept(), seat_ids, version)

    @classmethod
    def of(cls, version: StoredVersion) -> Self:
        """Return the content of a stored version."""
        return cls(version.record, version.verdict, version.seat_ids, version.engine_version)

    @property
    def deltas(self) -> dict[int, int]:
        """What each seat got, by its id: players may have been renamed since."""
        got = map(self.verdict["deltas"].__getitem__, self.record["players"])
        return dict(zip(self.seat_ids, got, strict=True))

    @property
    def unit(self) -> str:
        """What its game counts in: chips, or a score that nobody pays."""
        return games.find(self.record["game"]).unit

    @property
    def into_pots(self) -> dict[str, int]:
        """What each pot got; nothing at a table without pots."""
        return into_pots(self.record, self.verdict)


class HandChange(NamedTuple):
    """One hand's turn from what it says now (``old``; None: nothing yet) to what it is to say.

    ``new`` is None where it is to be void. ``cause`` is None where a hand is first recorded.
    """

    hand: StoredHand
    old: StoredVersion | None
    new: Written | None
    action: HandAction
    cause: Cause | None = None

    @property
    def reverses(self) -> int | None:
        """The entry that is reversed: what the hand was paid by, while it counts."""
        return self.old and self.old.entry_id

    @property
    def counted(self) -> Written | None:
        """What counts of the hand now; None: it is void, or only dealt."""
        return Written.of(self.old) if self.old and self.reverses is not None else None

    @property
    def says(self) -> Written:
        """What the hand says then; a voiding repeats what it voids."""
        if self.new is not None:
            return self.new
        assert self.old is not None
        return Written.of(self.old)

    @property
    def more(self) -> dict[int, int]:
        """How much more each seat gets by the hand after the change than before it, by seat id."""
        after = self.new.deltas if self.new else {}
        before = self.counted.deltas if self.counted else {}
        return {
            seat_id: after.get(seat_id, 0) - before.get(seat_id, 0)
            for seat_id in self.says.seat_ids
        }

    @property
    def played_at(self) -> datetime | None:
        """When the hand was played: as its record says, or as it was known before."""
        stated = self.new and self.new.record.get("played_at")
        return datetime.fromisoformat(stated) if stated else self.old and self.old.played_at

    @property
    def into_pots(self) -> dict[str, int]:
        """What the pots would hold more after this hand than they do now."""
        after = self.new.into_pots if self.new else {}
        before = self.counted.into_pots if self.counted else {}
        return {name: after.get(name, 0) - before.get(name, 0) for name in POTS}
