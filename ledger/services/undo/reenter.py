"""Entering a reversed entry again: chips, money, seats and settings are restored to before the reversal.

The new entry has the amounts and details of the original. The original's number, under ``again``, gives its
place in the evening: later hands were played for a pot with the chips that it moved.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from sqlmodel import col, select

from engine.words.sentences import say
from ledger.books import journal
from ledger.database.kinds.entries import KINDS, Undo
from ledger.database.models import (
    Account,
    EntryKind,
    JournalEntry,
    Player,
    PlaySession,
    Posting,
    Seat,
    SeatState,
)
from ledger.database.scope import ScopedSession
from ledger.services.chips import count
from ledger.services.common.writing import WriteContext, WritePlan, WriteResponse
from ledger.services.hands import posting
from ledger.services.hands import preview as previews
from ledger.services.hands.preview import Preview
from ledger.services.session import seats, snapshot
from ledger.services.session.hand_versions import CAUSE, Cause
from ledger.services.session.reversals import REPEATS, is_reversed, original_number
from ledger.services.session.view import SessionView
from ledger.services.undo import reverse
from ledger.services.undo.reverse import CannotUndo


def prepared(
    tx: WriteContext,
    row: PlaySession,
    view: SessionView,
    reversals: Sequence[JournalEntry],
    cause: Cause,
    reason: str,
) -> WritePlan[Preview]:
    """Plan to write again the entry that the last of these reversals reversed, with its amounts and details.

    If that entry was a player's leaving, the earlier reversals are of the settlements of hands that were
    changed after it; the player leaves again with the sum of all. Raises ``CannotUndo`` if an earlier release
    wrote the reversal without the table's former state, and the errors of ``reverse.prepared``.
    """
    session, reversal = tx.session, reversals[-1]
    originals = session.exec(
        select(JournalEntry).where(
            col(JournalEntry.id).in_([undo.reverses_id for undo in reversals])
        )
    ).all()
    original = next(entry for entry in originals if entry.id == reversal.reverses_id)
    if not _is_complete(original, reversal):
        raise CannotUndo(reverse.why_not(session, reversal) or "")
    reverse.must_mean_the_same(session, reversal)
    converted = _converted(originals)
    amounts, own = Counter[int](), Counter[str]()
    for account_id, key, amount in session.exec(
        select(Account.id, Account.key, Posting.amount)
        .join(Posting, col(Posting.account_id) == Account.id)
        .where(col(Posting.entry_id).in_([entry.id for entry in originals]))
    ):
        amounts[account_id] += amount
        own[key] += amount
    if "joined" not in original.details:
        previews.must_be_open(view, own)
    preview, follow = reverse.foretold(session, view, original, own, {"entry": None})

    def carry_out() -> WriteResponse:
        reverse.write_followed(tx, view, follow, original, reason)
        if "joined" in original.details:
            _seat_again(session, original.details["joined"])
        details: dict[str, Any] = {
            **original.details,
            REPEATS: original_number(original),
            CAUSE: cause,
            **({"converted": converted} if "converted" in original.details else {}),
        }
        counts = count.enter_again(session, reversal)
        if "counts" in details:
            details["counts"] = [counted.id for counted in counts]
        header = tx.header(
            row.id, EntryKind(original.kind), reason=original.reason, details=details
        )._replace(occurred_at=original.occurred_at)
        entry_id = journal.post(session, header, amounts)
        if "counts" not in details:
            for counted in counts:
                counted.entry_id = entry_id
        if KINDS[original.kind].is_advanced:
            for entry in originals:
                reverse.count_on_seats(session, entry, 1)
        posting.add_other_entry(session, original.kind, entry_id)
        snapshot.put_back(session, row, reversal)
        if KINDS[original.kind].undo is Undo.RETURN_TO_SEAT:
            left = session.exec(select(Seat).where(Seat.id == original.details["seat"])).one()
            journal.close_account(session, seats.account(session, left).id, tx.at)
            seats.vacate(session, left)
        row.revision += 1
        return {"entry": entry_id, "revision": row.revision}

    return WritePlan(preview, carry_out)


def _converted(originals: Sequence[JournalEntry]) -> Mapping[str, int]:
    """Return each seat's chips that these entries converted. Raises ``CannotUndo`` if their rates differ."""
    if any(entry.details.get("rate") != originals[0].details.get("rate") for entry in originals):
        raise CannotUndo(
            say(
                "Hands were changed after this player had left, when the table had another rate; let "
                "them leave again instead."
            )
        )
    total = Counter[str]()
    for entry in originals:
        total.update(entry.details.get("converted", {}))
    return {seat: chips for seat, chips in total.items() if chips}


def _is_complete(original: JournalEntry, reversal: JournalEntry) -> bool:
    """Return whether a reversal contains the former table or deleted counts that entering it again needs."""
    return (snapshot.changes_table(reversal) or not snapshot.changes_table(original)) and (
        "counts" not in original.details or count.DELETED_COUNTS in reversal.details
    )


def _seat_again(session: ScopedSession, seat_id: int) -> None:
    """Restore a seat after the undo of its joining: open its account, and bring an archived player back."""
    seat, player = session.exec(
        select(Seat, Player)
        .join(Player, col(Player.id) == Seat.player_id)
        .where(Seat.id == seat_id)
    ).one()
    journal.close_account(session, seats.account(session, seat).id, None)
    seats.take_seat_back(session, seat, SeatState.PLAYING.value, seat.position)
    player.archived = False


def standing(session: ScopedSession, entry: JournalEntry) -> JournalEntry:
    """Return an entry or, if it was undone and then entered again, the newest entry that repeats it."""
    if not is_reversed(session, entry.id):
        return entry
    first = original_number(entry)
    query = select(JournalEntry).where(
        JournalEntry.session_id == entry.session_id,
        JournalEntry.kind == entry.kind,
        col(JournalEntry.hand_id).is_(None),
        JournalEntry.id > entry.id,
    )
    newest_first = session.exec(query.order_by(col(JournalEntry.id).desc()))
    return next((later for later in newest_first if later.details.get(REPEATS) == first), entry)
