"""Counting each player's chips by value, and comparing them with the ledger.

A count alone moves nothing. If the table agrees, the differences are posted to the session's account of
differences, and the ledger then matches the chips on the table.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any

from sqlalchemy import or_
from sqlmodel import col, select

from engine.words.sentences import later, say
from ledger.books import journal
from ledger.database.models import AccountKind, ChipCount, EntryKind, JournalEntry
from ledger.database.scope import ScopedSession
from ledger.services.chips.bank import must_be_in_chips
from ledger.services.club import clubs
from ledger.services.common import names, reasons
from ledger.services.common.writing import WriteContext, WritePlan, WriteResponse, plans
from ledger.services.hands import posting
from ledger.services.session.load import unclosed
from ledger.services.session.view import SessionView
from ledger.words.problems import Fault, Invalid

Counts = Mapping[str, Mapping[int, int]]
"""The number of pieces of each value, by player."""

MOST_PIECES = 10_000


@dataclass(frozen=True, slots=True)
class CountedChips:
    """One player's chips as counted, and as the ledger expects them."""

    seat_id: int
    player: str
    pieces: Mapping[int, int]
    counted: Annotated[int, "The worth of the pieces."]
    expected: Annotated[int, "The chips in the ledger."]

    @property
    def difference(self) -> int:
        """How many chips too many are on the table or, if negative, too few."""
        return self.counted - self.expected


@dataclass(frozen=True, slots=True)
class Comparison:
    """A count of some or all players, compared with the ledger at a revision of the session."""

    players: Annotated[tuple[CountedChips, ...], "Clockwise."]
    revision: Annotated[int, "The session's revision after it; of a dry run, the one it looked at."]
    session: int

    @property
    def difference(self) -> int:
        """The sum of the differences."""
        return sum(player.difference for player in self.players)

    def to_mapping(self) -> WriteResponse:
        """Return the preview in JSON values.

        ``entry`` is None until a write replaces it, and ``revision`` as well.
        """
        keys = ("player", "counted", "expected", "difference")
        return {
            "session": self.session,
            "revision": self.revision,
            "entry": None,
            "players": [{key: getattr(row, key) for key in keys} for row in self.players],
            "differences": {row.player: row.difference for row in self.players},
            "difference": self.difference,
        }


@plans("count chips")
def record(
    tx: WriteContext,
    session_id: int,
    counts: Counts,
    *,
    post: bool = False,
    reason: str | None = None,
) -> WritePlan[Comparison]:
    """Record a count of chips and, with ``post``, an adjustment that makes the ledger match it.

    Without an adjustment, or if nothing differs, an empty ``count`` entry is written, so that the count can
    be undone, and the response's ``entry`` is None. An adjustment without a reason gets "chips counted".
    Raises ``Invalid`` at ``counts``, ``counts.…`` or (only if it is carried out) ``reason``,
    ``ScoresNotChips``, ``SessionClosed``, ``Stale``.
    """
    session_row, view = unclosed(tx, session_id)
    must_be_in_chips(view)
    comparison = _compare(tx.session, view, counts)

    def carry_out() -> WriteResponse:
        entry_id = _post(tx, view, comparison, reason) if post else None
        rows = [
            ChipCount(
                session_id=session_id,
                seat_id=row.seat_id,
                pieces={str(value): number for value, number in row.pieces.items()},
                counted=row.counted,
                expected=row.expected,
                entry_id=entry_id,
                author=tx.author,
                counted_at=tx.at,
            )
            for row in comparison.players
        ]
        tx.session.add_all(rows)
        tx.session.flush()
        if entry_id is None:
            # No chips moved; an empty entry records the counts, so that they can be undone.
            details = {"counts": [row.id for row in rows]}
            optional = reasons.optional(reason)
            header = tx.header(session_id, EntryKind.COUNT, reason=optional, details=details)
            journal.post(tx.session, header, {})
        session_row.revision += 1
        return {"revision": session_row.revision, "entry": entry_id}

    return WritePlan(comparison, carry_out)


def _post(
    tx: WriteContext, view: SessionView, comparison: Comparison, reason: str | None
) -> int | None:
    """Write the adjustment by a count's differences; return its number, or None if nothing differs."""
    players = comparison.players
    amounts = {view.seat(row.seat_id).account_id: row.difference for row in players}
    if not any(amounts.values()):
        return None
    other = journal.open_account(tx.session, AccountKind.DIFFERENCES, session_id=view.id)
    amounts[other.id] = -comparison.difference
    header = tx.header(
        view.id, EntryKind.ADJUSTMENT, reason=reasons.optional(reason) or "chips counted"
    )
    return posting.post_other_entry(tx.session, header, amounts)


DELETED_COUNTS = "forgotten"
"""The key of a reversal's details that holds the counts it deleted."""

_COLUMNS = ("session_id", "seat_id", "pieces", "counted", "expected", "author")


def delete(session: ScopedSession, entry: JournalEntry) -> dict[str, Any]:
    """Delete the counts that an entry recorded; return them as details of its reversal, or an empty mapping.

    They are under ``DELETED_COUNTS``, as JSON values, for ``enter_again``.
    """
    ids = entry.details.get("counts", [])
    of_entry = or_(col(ChipCount.entry_id) == entry.id, col(ChipCount.id).in_(ids))
    counts = session.exec(select(ChipCount).where(of_entry).order_by(col(ChipCount.id))).all()
    for count in counts:
        session.delete(count)
    rows = [
        {name: getattr(count, name) for name in _COLUMNS}
        | {"counted_at": count.counted_at.isoformat()}
        for count in counts
    ]
    return {DELETED_COUNTS: rows} if rows else {}


def enter_again(session: ScopedSession, reversal: JournalEntry) -> list[ChipCount]:
    """Insert the counts that a reversal deleted, if any, and return the new rows.

    They belong to no entry yet.
    """
    counts = [
        ChipCount(**{**row, "counted_at": datetime.fromisoformat(row["counted_at"])})
        for row in reversal.details.get(DELETED_COUNTS, [])
    ]
    session.add_all(counts)
    session.flush()
    return counts


def _compare(session: ScopedSession, view: SessionView, counts: Counts) -> Comparison:
    """Return the counts compared with the ledger, in the order of the seats.

    Raises ``Invalid`` with all faults: unknown or repeated players, unknown chips, numbers out of range, no
    count.
    """
    here = {names.key(seat.name): seat for seat in view.present}
    values = clubs.row(session).denominations
    faults: list[Fault] = []
    rows: dict[int, CountedChips] = {}
    for name, pieces in counts.items():
        seat = here.get(names.key(name))
        if seat is None or seat.id in rows:
            absent, twice = (
                later("{name} has no seat here now."),
                later("{name} was counted twice."),
            )
            message = say(absent if seat is None else twice, name=name)
            faults.append(Fault(f"counts.{name}", "not-at-the-table", message))
            continue
        faults += _faults(name, pieces, values)
        counted = sum(value * number for value, number in pieces.items())
        rows[seat.id] = CountedChips(seat.id, seat.name, dict(pieces), counted, seat.balance)
    if not counts:
        faults.append(
            Fault("counts", "nobody-counted", say("Count the chips of at least one player."))
        )
    if faults:
        raise Invalid(faults[0].message, faults)
    players = tuple(rows[seat.id] for seat in view.present if seat.id in rows)
    return Comparison(players, view.revision, view.id)


def _faults(name: str, pieces: Mapping[int, int], values: list[int]) -> list[Fault]:
    """Return the faults in one player's count: unknown values of chips, and numbers out of range."""
    legal = tuple(map(str, values))
    faults = []
    for value, number in pieces.items():
        where = f"counts.{name}.{value}"
        if value not in values:
            message = say(
                "This club has no chip worth {value}; its chips are {shown}.",
                value=value,
                shown=", ".join(legal),
            )
            faults.append(Fault(where, "no-such-chip", message, legal=legal))
        if not 0 <= number <= MOST_PIECES:
            message = say(
                "{name} can't hold {number} chips worth {value}: 0 to {most_pieces:,}.",
                name=name,
                number=number,
                value=value,
                most_pieces=MOST_PIECES,
            )
            faults.append(Fault(where, "pieces-out-of-range", message))
    return faults
