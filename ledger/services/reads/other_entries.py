"""The entries other than hands that moved a session's chips, so that a paper sheet can be reconciled.

Players win or lose by adjustments, shared differences and shared pots. Stacks, loans and cash-outs are
between a player and the bank and change no standings. An undo is a line of its own.
"""

from collections import defaultdict
from collections.abc import Mapping

from sqlalchemy import bindparam
from sqlalchemy.orm import aliased
from sqlmodel import col, select

from ledger.database.kinds.entries import KINDS, EntryDefinition
from ledger.database.models import Account, JournalEntry, Posting
from ledger.database.scope import ScopedSession, asked_once
from ledger.services.common.values import of_row
from ledger.services.reads.hand_line import PlayerColumns
from ledger.services.reads.summary import OtherEntry
from ledger.services.session.view import SessionView

_original = aliased(JournalEntry)
_ENTRIES = (
    select(JournalEntry, _original.kind, Account.seat_id, Posting.amount)
    .outerjoin(_original, col(_original.id) == JournalEntry.reverses_id)
    .join(Posting, col(Posting.entry_id) == JournalEntry.id)
    .join(Account, col(Account.id) == Posting.account_id)
    .where(JournalEntry.session_id == bindparam("session_id"), JournalEntry.id > bindparam("since"))
    .where(col(JournalEntry.hand_id).is_(None), col(Account.seat_id).is_not(None))
    .order_by(col(JournalEntry.id), col(Posting.id))
)


def of_session(
    session: ScopedSession, view: SessionView, *, since: int = 0, until: int | None = None
) -> tuple[OtherEntry, ...]:
    """Return the entries other than hands that moved chips of a seat, oldest first.

    Only those after entry ``since`` and before entry ``until``.
    """
    columns = PlayerColumns.of(view)
    return tuple(
        _entry(entry, original, columns.figures(amounts))
        for entry, original, amounts in _rows(session, view.id, since, until)
    )


@asked_once
def _rows(
    session: ScopedSession, session_id: int, since: int, until: int | None
) -> list[tuple[JournalEntry, str | None, Mapping[int, int]]]:
    """Return each entry between two entries, the kind of the entry it reverses, and its amounts by seat."""
    query = _ENTRIES if until is None else _ENTRIES.where(col(JournalEntry.id) < until)
    entries: dict[int, tuple[JournalEntry, str | None]] = {}
    amounts: defaultdict[int, dict[int, int]] = defaultdict(dict)
    for entry, original, seat_id, amount in session.exec(
        query, params={"session_id": session_id, "since": since}
    ).all():
        entries[entry.id] = (entry, original)
        amounts[entry.id][seat_id or 0] = amount
    return [(entry, original, amounts[entry.id]) for entry, original in entries.values()]


def _entry(entry: JournalEntry, original: str | None, amounts: tuple[int, ...]) -> OtherEntry:
    kind = KINDS[original or entry.kind]
    title = _title(entry, kind, amounts)
    title = title if original is None else f"{title}, undone"
    return of_row(
        OtherEntry, entry, entry=entry.id, title=title, counts=kind.is_won, amounts=amounts
    )


def _title(entry: JournalEntry, kind: EntryDefinition, amounts: tuple[int, ...]) -> str:
    if entry.reason is None and kind.title_unexplained:
        return kind.title_unexplained
    of_one = sum(map(bool, amounts)) == 1
    return (kind.title_of_one if of_one else "") or kind.title
