"""Counting chips: each player's, by denomination, compared with what the ledger says they hold.

Counting alone changes nothing. The difference is shown per player and in total; if the table agrees, it is
posted to the session's account of differences, and the ledger then matches the chips on the table.
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
"""What was counted: by player, how many pieces of each denomination."""

MOST_PIECES = 10_000


@dataclass(frozen=True, slots=True)
class CountedChips:
    """One player's chips: what was counted, what the ledger expects, and the difference."""

    seat_id: int
    player: str
    pieces: Mapping[int, int]
    counted: Annotated[int, "What the pieces are worth."]
    expected: Annotated[int, "What the ledger says."]

    @property
    def difference(self) -> int:
        """How many chips too many are on the table or, if negative, too few."""
        return self.counted - self.expected


@dataclass(frozen=True, slots=True)
class Comparison:
    """A count of some or all players compared with the ledger, as it was at ``revision`` of the session."""

    players: Annotated[tuple[CountedChips, ...], "Clockwise."]
    revision: Annotated[int, "The session's revision after it; of a dry run, the one it looked at."]
    session: int

    @property
    def difference(self) -> int:
        """The sum of the differences."""
        return sum(each.difference for each in self.players)

    def to_mapping(self) -> WriteResponse:
        """Return it as it is answered; ``entry`` is the adjustment made, if any."""
        shown = ("player", "counted", "expected", "difference")
        return {
            "session": self.session,
            "revision": self.revision,
            "entry": None,
            "players": [{key: getattr(each, key) for key in shown} for each in self.players],
            "differences": {each.player: each.difference for each in self.players},
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
    """Record a count; with ``post`` one adjustment makes the ledger match it.

    Raises ``Invalid`` at ``counts.…`` or ``reason``, ``ScoresNotChips``, ``SessionClosed``, ``Stale``.
    """
    row, view = unclosed(tx, session_id)
    must_be_in_chips(view)
    found = _compare(tx.session, view, counts)

    def carry_out() -> WriteResponse:
        entry_id = _post(tx, view, found, reason) if post else None
        made = [
            ChipCount(
                session_id=session_id,
                seat_id=each.seat_id,
                pieces={str(value): number for value, number in each.pieces.items()},
                counted=each.counted,
                expected=each.expected,
                entry_id=entry_id,
                author=tx.author,
                counted_at=tx.at,
            )
            for each in found.players
        ]
        tx.session.add_all(made)
        tx.session.flush()
        if entry_id is None:
            # Nothing moved: what was counted is noted, so that it can be undone.
            noted = {"counts": [each.id for each in made]}
            why = reasons.optional(reason)
            header = tx.header(row.id, EntryKind.COUNT, reason=why, details=noted)
            journal.post(tx.session, header, {})
        row.revision += 1
        return {"revision": row.revision, "entry": entry_id}

    return WritePlan(found, carry_out)


def _post(tx: WriteContext, view: SessionView, found: Comparison, reason: str | None) -> int | None:
    amounts = {view.seat(each.seat_id).account_id: each.difference for each in found.players}
    if not any(amounts.values()):
        return None
    other = journal.open_account(tx.session, AccountKind.DIFFERENCES, session_id=view.id)
    amounts[other.id] = -found.difference
    header = tx.header(
        view.id, EntryKind.ADJUSTMENT, reason=reasons.optional(reason) or "chips counted"
    )
    return posting.post_other_entry(tx.session, header, amounts)


FORGOTTEN = "forgotten"
"""The key of a reversal's details that holds the counts it deleted."""

_KEPT = ("session_id", "seat_id", "pieces", "counted", "expected", "author")


def forget(session: ScopedSession, entry: JournalEntry) -> dict[str, Any]:
    """Delete the counts that an entry posted or noted; return them as details of its reversal."""
    noted = entry.details.get("counts", [])
    made = or_(col(ChipCount.entry_id) == entry.id, col(ChipCount.id).in_(noted))
    found = session.exec(select(ChipCount).where(made).order_by(col(ChipCount.id))).all()
    for count in found:
        session.delete(count)
    rows = [
        {name: getattr(count, name) for name in _KEPT}
        | {"counted_at": count.counted_at.isoformat()}
        for count in found
    ]
    return {FORGOTTEN: rows} if rows else {}


def enter_again(session: ScopedSession, reversal: JournalEntry) -> list[ChipCount]:
    """Write the counts again that a reversal deleted; return them."""
    made = [
        ChipCount(**{**row, "counted_at": datetime.fromisoformat(row["counted_at"])})
        for row in reversal.details.get(FORGOTTEN, [])
    ]
    session.add_all(made)
    session.flush()
    return made


def _compare(session: ScopedSession, view: SessionView, counts: Counts) -> Comparison:
    here = {names.key(seat.name): seat for seat in view.present}
    values = clubs.row(session).denominations
    faults: list[Fault] = []
    found: dict[int, CountedChips] = {}
    for name, pieces in counts.items():
        seat = here.get(names.key(name))
        if seat is None or seat.id in found:
            gone, twice = later("{name} has no seat here now."), later("{name} was counted twice.")
            said = say(gone if seat is None else twice, name=name)
            faults.append(Fault(f"counts.{name}", "not-at-the-table", said))
            continue
        faults += _wrong(name, pieces, values)
        counted = sum(value * number for value, number in pieces.items())
        found[seat.id] = CountedChips(seat.id, seat.name, dict(pieces), counted, seat.balance)
    if not counts:
        faults.append(
            Fault("counts", "nobody-counted", say("Count the chips of at least one player."))
        )
    if faults:
        raise Invalid(faults[0].message, faults)
    players = tuple(found[seat.id] for seat in view.present if seat.id in found)
    return Comparison(players, view.revision, view.id)


def _wrong(name: str, pieces: Mapping[int, int], values: list[int]) -> list[Fault]:
    shown = ", ".join(map(str, values))
    faults = []
    for value, number in pieces.items():
        where = f"counts.{name}.{value}"
        if value not in values:
            message = say(
                "This club has no chip worth {value}; its chips are {shown}.",
                value=value,
                shown=shown,
            )
            legal = tuple(map(str, values))
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
