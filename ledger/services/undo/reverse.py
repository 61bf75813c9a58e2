"""Plans to undo an entry that is not a hand's: its reversal, and the former state of table and seats.

The undo of the last step, of a leaving, of a payment and of any older entry share this code. Undoing an entry
that moved a pot recalculates the hands played for it since.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlmodel import col, select

from engine.words.sentences import say
from ledger.books import journal
from ledger.books.balances import CHIPS
from ledger.database.kinds.accounts import Amounts, read_key
from ledger.database.kinds.entries import KINDS, Undo
from ledger.database.models import Account, JournalEntry, PlaySession, Posting, Seat
from ledger.database.scope import ScopedSession
from ledger.services.chips import count
from ledger.services.common import reasons
from ledger.services.common.writing import WriteContext, WritePlan, WriteResponse
from ledger.services.hands import after_leaving, correct, posting, recalculate
from ledger.services.hands import preview as previews
from ledger.services.hands.preview import Preview
from ledger.services.money import convert
from ledger.services.session import activity, reversals, seats, snapshot
from ledger.services.session.hand_versions import AFTER_ENTRY, BY_HAND, CAUSE, Cause, HandChange
from ledger.services.session.load import must_be_open
from ledger.services.session.steps import PART
from ledger.services.session.view import Rate, SessionView, rate_of
from ledger.words import currencies
from ledger.words.problems import Conflict


class AlreadyUndone(Conflict):
    """Raised if an entry was undone already."""

    code = "taken-back-already"

    def __init__(self, kind: str) -> None:
        super().__init__(
            say("This was already undone: {short}.", short=say(KINDS[kind].words.short))
        )


class CannotUndo(Conflict):
    """Raised if an entry can't be undone: by its kind, or because of later changes.

    The message says which.
    """

    code = "cannot-take-back"


def why_not(session: ScopedSession, entry: JournalEntry) -> str | None:
    """Return the sentence that refuses the undo of an entry by its kind; None if it can be undone.

    The starting stacks of a session can't: no write could deal them out again. Those of a late player can.
    """
    refusal = KINDS[entry.kind].refusal
    if not refusal or "joined" in entry.details:
        return None
    return say(refusal, last=activity.in_words(activity.of_entry(session, entry)))


def prepared(
    tx: WriteContext,
    row: PlaySession | None,
    view: SessionView | None,
    entry: JournalEntry,
    reason: str,
    cause: Cause = BY_HAND,
    **extra: Any,
) -> WritePlan[Preview]:
    """Plan the undo of an entry that is not a hand's; ``extra`` is added to the response.

    ``row`` and ``view`` are its session, None for a payment. Carrying it out writes the reversal, and
    restores seats, settings and the chips advanced and converted; a leaving is undone with the later
    settlements of changed hands. Raises ``AlreadyUndone``, ``CannotUndo``, ``AccountClosed``, ``PotsSpent``,
    ``PotTooFull``, and ``SessionPaused`` or ``CannotStand`` if hands have to follow; ``Invalid`` without a
    ``reason``, only when it is carried out.
    """
    session = tx.session
    left = _seat_left(session, row, entry)
    undone = [] if left is None else after_leaving.entries_since(session, entry)
    undone.append(entry)
    posted = session.exec(
        select(Account.key, Posting.amount)
        .join(Posting, col(Posting.account_id) == Account.id)
        .where(col(Posting.entry_id).in_([other.id for other in undone]))
    ).all()
    moved: Amounts = posting.together(*({key: -amount} for key, amount in posted))
    follow: tuple[HandChange, ...] = ()
    extra["entry"] = None
    if view is None:
        preview = Preview(None, None, {}, None, previews.moves(session, None, moved), extra=extra)
    else:
        if left is None:
            previews.must_be_open(view, moved)
        preview, follow = foretold(session, view, entry, moved, extra)

    def carry_out() -> WriteResponse:
        why = reasons.clean(reason)
        if view is not None:
            write_followed(tx, view, follow, entry, why)
        if left is not None:
            journal.close_account(session, seats.account(session, left).id, None)
        details: dict[str, Any] = {CAUSE: cause}
        if row is not None:
            details |= snapshot.put_back(session, row, entry) | count.delete(session, entry)
        for other in undone:
            its_details = details if other is entry else {**details, PART: True}
            reversal = journal.reverse(
                session, other.id, author=tx.author, at=tx.at, reason=why, details=its_details
            )
            if KINDS[other.kind].is_advanced:
                count_on_seats(session, other, -1)
        posting.add_other_entry(session, entry.kind, reversal)
        if row is None:
            return {"entry": reversal}
        if left is not None:
            seats.take_seat_back(session, left, entry.details["state"], entry.details["position"])
        if "joined" in entry.details:
            _unseat(tx, entry.details["joined"])
        row.revision += 1
        return {"entry": reversal, "revision": row.revision}

    return WritePlan(preview, carry_out)


def _seat_left(session: ScopedSession, row: PlaySession | None, entry: JournalEntry) -> Seat | None:
    """Return the seat that the undo of a leaving gives back; None for any other entry.

    Raises ``AlreadyUndone``, and ``CannotUndo``, also if the player has taken another seat since.
    """
    if refusal := why_not(session, entry):
        raise CannotUndo(refusal)
    if reversals.is_reversed(session, entry.id):
        raise AlreadyUndone(entry.kind)
    if row is not None:
        _same_rate(session, row, entry)
        must_mean_the_same(session, entry)
    if KINDS[entry.kind].undo is not Undo.RETURN_TO_SEAT:
        return None
    left = session.exec(select(Seat).where(Seat.id == entry.details["seat"])).one()
    for seat, name in seats.present(session, left.session_id):
        if seat.player_id == left.player_id:
            raise CannotUndo(
                say(
                    "{name} has come back to another seat; {name} has to leave that one first.",
                    name=name,
                )
            )
    return left


def foretold(
    session: ScopedSession,
    view: SessionView,
    entry: JournalEntry,
    own: Amounts,
    extra: Mapping[str, Any],
) -> tuple[Preview, tuple[HandChange, ...]]:
    """Return the preview of an entry that moves ``own``, by account key, and the changes of hands it causes.

    These hands were played since for pots that the entry moves; they are settled with players who have left.
    """
    follow = _followed(session, view, entry, own)
    settlings = after_leaving.plan(session, view, follow)
    moved = posting.together(own, posting.net_amounts(follow), after_leaving.chips(view, settlings))
    preview = Preview(
        None,
        None,
        previews.balances(view, moved, CHIPS if moved else view.unit),
        view.revision,
        previews.moves(session, view, moved) + after_leaving.money(session, view, settlings),
        tuple(correct.recalculated(view, change) for change in follow),
        {"session": view.id, **extra},
        tuple(settling.sums for settling in settlings),
    )
    return preview, follow


def _followed(
    session: ScopedSession, view: SessionView, entry: JournalEntry, moved: Amounts
) -> tuple[HandChange, ...]:
    """Return the changes of hands played since an entry for pots that ``moved`` changes.

    Empty if it changes none. Raises as ``recalculate.followers_of`` does, and ``SessionClosed`` or
    ``SessionPaused`` if hands follow.
    """
    shift = {name: amount for key, amount in moved.items() if (name := read_key(key)[1])}
    if not shift:
        return ()
    follow = recalculate.followers_of(session, view, reversals.original_number(entry), shift)
    if follow:
        must_be_open(view)
    return follow


def write_followed(
    tx: WriteContext,
    view: SessionView,
    follow: Sequence[HandChange],
    entry: JournalEntry,
    reason: str,
) -> None:
    """Write these changes of hands, if any; their reason and cause name the entry, which moved pots."""
    if follow:
        because, cause = f"{entry.kind} of the pots undone: {reason}", {AFTER_ENTRY: entry.id}
        posting.write(tx, view, [change.because(because, cause) for change in follow])


def count_on_seats(session: ScopedSession, entry: JournalEntry, sign: int) -> None:
    """Add the chips that an entry advanced and converted to its seats, or subtract them with sign -1."""
    moved = session.exec(
        select(Seat, Posting.amount)
        .join(Account, col(Account.seat_id) == Seat.id)
        .join(Posting, col(Posting.account_id) == Account.id)
        .where(Posting.entry_id == entry.id)
    ).all()
    for seat, amount in moved:
        seat.advanced += sign * amount
    converted: dict[str, int] = entry.details.get("converted", {})
    for seat in session.exec(select(Seat).where(col(Seat.id).in_(map(int, converted)))):
        seat.converted += sign * converted[str(seat.id)]


def _same_rate(session: ScopedSession, row: PlaySession, entry: JournalEntry) -> None:
    """Raise ``CannotUndo`` for a conversion at another rate than the session's: it could not be repeated."""
    if "rate" not in entry.details:
        return
    then = Rate(**entry.details["rate"])
    if rate_of(row) != then:
        rate = convert.in_words(then, convert.currency_of(session))
        raise CannotUndo(
            say("This was converted at {said}; set the session's rate to that first.", said=rate)
        )


def _unseat(tx: WriteContext, seat_id: int) -> None:
    """Vacate a seat and close its account, to undo its joining; hands played on it are void already."""
    seat = tx.session.exec(select(Seat).where(Seat.id == seat_id)).one()
    journal.close_account(tx.session, seats.account(tx.session, seat).id, tx.at)
    seats.vacate(tx.session, seat)


def must_mean_the_same(session: ScopedSession, entry: JournalEntry) -> None:
    """Raise ``CannotUndo`` if a rate would be restored in a currency with other minor units."""
    then, present = snapshot.currency_before(entry), convert.currency_of(session)
    if then is not None and currencies.decimals(then) != currencies.decimals(present):
        raise CannotUndo(
            say(
                "The rate before was in {then}, and the club counts in {present} now; agree on a "
                "rate in {present} instead.",
                then=then,
                present=present,
            )
        )
