"""The entries other than hands that moved a session's chips, so that a paper sheet can be reconciled.

Players win or lose by adjustments, shared differences and shared pots. Stacks, loans and cash-outs are
between a player and the bank and change no standings. An undo is a line of its own.
"""

from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import bindparam, or_
from sqlalchemy.orm import aliased
from sqlmodel import col, select

from ledger.database.kinds.entries import KINDS, EntryDefinition
from ledger.database.models import Account, JournalEntry, Posting
from ledger.database.scope import Built, ScopedSession, asked_once
from ledger.services.common.values import of_row
from ledger.services.reads.hand_line import PlayerColumns
from ledger.services.reads.summary import OtherEntry
from ledger.services.session.view import SessionView

_original = aliased(JournalEntry)
_COLUMNS: tuple[Any, ...] = (
    JournalEntry.id,
    JournalEntry.kind,
    _original.kind,
    JournalEntry.author,
    JournalEntry.reason,
    JournalEntry.entered_at,
    Account.seat_id,
    Account.player_id,
    Posting.amount,
)
_POSTINGS: Built[tuple[Any, ...]] = Built(
    lambda *row: row,
    select(*_COLUMNS)
    .outerjoin(_original, col(_original.id) == JournalEntry.reverses_id)
    .join(Posting, col(Posting.entry_id) == JournalEntry.id)
    .join(Account, col(Account.id) == Posting.account_id)
    .where(JournalEntry.session_id == bindparam("session"), col(JournalEntry.hand_id).is_(None))
    .where(JournalEntry.id > bindparam("since"), JournalEntry.id < bindparam("until"))
    .where(or_(col(Account.seat_id).is_not(None), col(Account.player_id).is_not(None)))
    .order_by(col(JournalEntry.id), col(Posting.id)),
)
"""The postings of a session's other entries to seats, in chips, and to players, in money."""

_NO_ENTRY_YET = 2**63 - 1
"""A number above those of all entries."""


@dataclass(frozen=True, slots=True)
class _Entry:
    """An entry with its chips by seat and its money by player; ``original`` is the kind that it reverses."""

    id: int
    kind: str
    original: str | None
    author: str
    reason: str | None
    entered_at: datetime
    chips: dict[int, int] = field(default_factory=dict)
    money: dict[int, int] = field(default_factory=dict)


def of_session(
    session: ScopedSession, view: SessionView, *, since: int = 0, until: int | None = None
) -> tuple[OtherEntry, ...]:
    """Return the entries other than hands that moved chips of a seat, oldest first, undos among them.

    Only those after entry ``since`` and before entry ``until``, both ids.
    """
    columns = PlayerColumns.of(view)
    entries = _entries(session, view.id, since, _NO_ENTRY_YET if until is None else until)
    return tuple(_in_columns(entry, columns) for entry in entries if entry.chips)


def money(session: ScopedSession, view: SessionView) -> Counter[int]:
    """Return the net money paid to each player, by player id, for the session's chips.

    Undone entries cancel out.
    """
    paid = Counter[int]()
    for entry in _entries(session, view.id, 0, _NO_ENTRY_YET):
        paid.update(entry.money)
    return paid


@asked_once
def _entries(session: ScopedSession, session_id: int, since: int, until: int) -> list[_Entry]:
    """Return the entries with ids above ``since`` and below ``until`` that moved chips or money, in order."""
    entries: dict[int, _Entry] = {}
    for *header, seat_id, player_id, amount in session.ask(
        _POSTINGS, session=session_id, since=since, until=until
    ):
        entry = entries.setdefault(header[0], _Entry(*header))
        if seat_id is not None:
            entry.chips[seat_id] = amount
        else:
            entry.money[player_id] = amount
    return list(entries.values())


def _in_columns(entry: _Entry, columns: PlayerColumns) -> OtherEntry:
    kind = KINDS[entry.original or entry.kind]
    amounts = columns.figures(entry.chips)
    title = _title(entry, kind, amounts)
    title = title if entry.original is None else f"{title}, undone"
    return of_row(
        OtherEntry, entry, entry=entry.id, title=title, counts=kind.is_won, amounts=amounts
    )


def _title(entry: _Entry, kind: EntryDefinition, amounts: tuple[int, ...]) -> str:
    if entry.reason is None and kind.title_unexplained:
        return kind.title_unexplained
    of_one = sum(map(bool, amounts)) == 1
    return (kind.title_of_one if of_one else "") or kind.title
