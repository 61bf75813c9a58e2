"""The versions of hands as stored, and changes from one version to the next."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import bindparam
from sqlmodel import col, select
from sqlmodel.sql.expression import Select

from engine import games
from engine.rules import changes
from engine.rules.sheet import Rules
from engine.rules.verdict import verdict_in_words
from ledger.books.hand_effects import HandEffects, hand_effects
from ledger.database.models import Hand, HandState, HandVersionTable
from ledger.database.scope import Built, ScopedSession
from ledger.words.translation import reader

Cause = Mapping[str, int | None]
"""The cause of an entry: one of the keys below, with the number of a step, an entry or a hand."""

CAUSE = "cause"
"""The key of an entry's details that contains its cause."""

UNDO, REDO, AFTER_HAND, AFTER_ENTRY = "undo", "redo", "hand", "entry"

BY_HAND: Cause = {}
"""The cause of a change that somebody made and gave a reason for."""


class HandVersion(NamedTuple):
    """One version of a hand, with the hand's number and its state now.

    ``seat_ids`` are the players' seats in the record's order. ``engine_version`` names the rules that scored
    the version; a correction keeps it. ``entry_id`` is the entry that paid it, None for a voiding. ``cause``
    is None for a hand's first version. ``unconfirmed_from`` is the hand's (``services.hands.confirm``).
    """

    hand_id: int
    session_id: int
    number: int
    state: str
    version: int
    action: str
    record: Mapping[str, Any]
    verdict: Mapping[str, Any]
    seat_ids: Sequence[int]
    engine_version: str
    entry_id: int | None
    reason: str | None
    cause: Cause | None
    author: str
    played_at: datetime
    entered_at: datetime
    unconfirmed_from: str | None = None

    @property
    def localized_verdict(self) -> Mapping[str, Any]:
        """The verdict with its explanation in the reader's language."""
        return verdict_in_words(self.verdict, reader())

    @property
    def rules_version(self) -> str:
        """The engine version to score the hand again by: its own, or this engine's if that is older."""
        return changes.supported_version(self.engine_version)

    @property
    def rules(self) -> Rules:
        """The rules by which the hand is scored again, in its variant and with its house rules."""
        record, seats = self.record, len(self.record["players"])
        variant, options = record.get("rules"), record.get("options", {})
        return games.find(record["game"]).rules(variant, options, seats, self.rules_version)

    @property
    def unit(self) -> str:
        """The unit of the game: chips, or points that nobody pays."""
        return games.find(self.record["game"]).unit

    @property
    def deltas(self) -> dict[int, int]:
        """Maps each seat's id to the amount it won or, negative, paid.

        Ids, as players may be renamed later.
        """
        paid = map(self.verdict["deltas"].__getitem__, self.record["players"])
        return dict(zip(self.seat_ids, paid, strict=True))

    @property
    def effects(self) -> HandEffects:
        """The effects of the hand on accounts and sums, computed at each call."""
        return hand_effects(self.record, self.verdict)


class HandChange(NamedTuple):
    """A change of one hand, from its current version (None for a new hand) to the next.

    A voiding has a ``new`` version, too, which repeats the record of the old one. ``new_effects`` are the
    effects of the new version, if they are computed already.
    """

    old: HandVersion | None
    new: HandVersion
    new_effects: HandEffects | None = None

    @property
    def before(self) -> HandVersion | None:
        """The version that the balances include now; None for a void or new hand."""
        return self.old if self.old and self.old.entry_id is not None else None

    @property
    def after(self) -> HandVersion | None:
        """The version that the balances include after the change; None for a voiding."""
        return None if self.new.state == HandState.VOID else self.new

    @property
    def gains(self) -> dict[int, int]:
        """Maps the id of each seat in the hand to the difference that the change makes to its balance."""
        after = self.after.deltas if self.after else {}
        before = self.before.deltas if self.before else {}
        return {seat: after.get(seat, 0) - before.get(seat, 0) for seat in self.new.seat_ids}

    @property
    def pot_gains(self) -> dict[str, int]:
        """Maps each pot's name to the difference that the change makes to it; empty without pots."""
        after = self.after.effects.pot_gains if self.after else {}
        before = self.before.effects.pot_gains if self.before else {}
        return {name: after.get(name, 0) - before.get(name, 0) for name in {**before, **after}}

    def because(self, reason: str, cause: Cause) -> "HandChange":
        """Return a copy of the change with this reason and cause."""
        return self._replace(new=self.new._replace(reason=reason, cause=cause))


VERSION_COLUMNS: Sequence[Any] = [
    *(Hand.id, Hand.session_id, Hand.number, Hand.state),
    *(getattr(HandVersionTable, name) for name in HandVersion._fields[4:-1]),
    Hand.unconfirmed_from,
]
"""The columns of a ``HandVersion``, in the order of its fields."""

ALL_VERSIONS: Select[*tuple[Any, ...]] = select(*VERSION_COLUMNS).where(
    HandVersionTable.hand_id == Hand.id
)

CURRENT_VERSIONS = ALL_VERSIONS.where(HandVersionTable.version == Hand.version)
"""The last version of each hand."""

_VERSIONS_OF = Built(
    HandVersion,
    ALL_VERSIONS.where(HandVersionTable.hand_id == bindparam("hand")).order_by(
        col(HandVersionTable.version)
    ),
)


def versions_of(session: ScopedSession, hand_id: int) -> tuple[HandVersion, ...]:
    """Return every version of a hand, oldest first."""
    return tuple(session.ask(_VERSIONS_OF, hand=hand_id))
