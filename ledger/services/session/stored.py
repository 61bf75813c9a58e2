"""A hand and what a version of it says, as they are read: plain values, which nothing is written by."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from sqlmodel import select
from sqlmodel.sql.expression import Select

from engine import games
from engine.rules import changes
from engine.rules.sheet import Rules
from engine.rules.verdict import in_words
from ledger.database.models import Hand, HandVersionTable
from ledger.words.translation import reader


class StoredHand(NamedTuple):
    """A hand's row; see ``models.Hand``."""

    id: int
    session_id: int
    number: int
    state: str
    version: int


class StoredVersion(NamedTuple):
    """A version's row; see ``models.HandVersionTable``."""

    id: int
    session_id: int
    hand_id: int
    version: int
    action: str
    record: Mapping[str, Any]
    verdict: Mapping[str, Any]
    seat_ids: Sequence[int]
    engine_version: str
    entry_id: int | None
    reason: str | None
    cause: Mapping[str, int | None] | None
    author: str
    played_at: datetime
    entered_at: datetime

    @property
    def answer(self) -> Mapping[str, Any]:
        """The verdict as it is answered: its reasoning in the words of who reads it."""
        return in_words(self.verdict, reader())

    @property
    def rules_version(self) -> str:
        """The engine version with the rules by which the hand is scored again."""
        return changes.known(self.engine_version)

    @property
    def rules(self) -> Rules:
        """The rules that the hand was scored by."""
        record, seats = self.record, len(self.record["players"])
        variant, options = record.get("rules"), record.get("options", {})
        return games.find(record["game"]).rules(variant, options, seats, self.rules_version)


Pair = tuple[StoredHand, StoredVersion]
_WIDTH = len(StoredHand._fields)


def pair(*row: Any) -> Pair:
    """Make of a row of ``EVERY_VERSION`` a hand and a version of it."""
    return StoredHand(*row[:_WIDTH]), StoredVersion(*row[_WIDTH:])


OF_A_VERSION: Sequence[Any] = (
    *(getattr(Hand, name) for name in StoredHand._fields),
    *(getattr(HandVersionTable, name) for name in StoredVersion._fields),
)
"""What ``pair`` takes, column by column."""

EVERY_VERSION: Select[*tuple[Any, ...]] = select(*OF_A_VERSION).where(
    HandVersionTable.hand_id == Hand.id
)
"""Hands beside each of their versions."""

AS_IT_HOLDS = EVERY_VERSION.where(HandVersionTable.version == Hand.version)
"""Hands beside the version that holds now."""
