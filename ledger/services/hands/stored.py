"""A hand as the books have it: what its version says, and what that comes to a seat and a pot."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Self

from engine.reasoning.verdict import Verdict
from engine.record import HandRecord
from ledger.services.session.stored import StoredVersion

POTS = ("frog", "solo")
"""The pots of a session, by their names in a record."""


class Written(NamedTuple):
    """A hand as it is recorded: its record, its verdict as it is kept, its players' seats in order."""

    record: Mapping[str, Any]
    verdict: Mapping[str, Any]
    seat_ids: Sequence[int]

    @classmethod
    def scored(cls, record: HandRecord, verdict: Verdict, seat_ids: Sequence[int]) -> Self:
        """Take over what the engine was given and what it answered."""
        return cls(record.to_mapping(), verdict.to_kept(), seat_ids)

    @classmethod
    def of(cls, version: StoredVersion) -> Self:
        """Take over what a version says."""
        return cls(version.record, version.verdict, version.seat_ids)

    @property
    def deltas(self) -> dict[int, int]:
        """What each seat got, by its id: players may have been renamed since."""
        got = map(self.verdict["deltas"].__getitem__, self.record["players"])
        return dict(zip(self.seat_ids, got, strict=True))

    @property
    def into_pots(self) -> dict[str, int]:
        """What each pot got; nothing at a table without pots."""
        after = self.verdict.get("pots")
        if after is None:
            return {}
        before = self.record["pots"]
        return {name: after[name] - before[name] for name in POTS}
