"""The entries of a session that are not a hand's: listed, and undone in any order.

Undo reverses the last step only. An older entry that moved chips or money (a loan, an adjustment, a share-out
of a pot, a leaving, a conversion) is undone here, with a reason, if no later entry depends on it. An older
change of the table is not undone: the table is changed again.
"""

from dataclasses import dataclass

from sqlalchemy import ColumnElement, and_
from sqlmodel import col, select

from engine.words.sentences import say
from ledger.database.kinds.entries import KINDS, ChipOwners, Undo, kinds
from ledger.database.models import Account, Hand, JournalEntry, Player, PlaySession, Posting, Seat
from ledger.database.scope import ScopedSession, asked_once
from ledger.services.common.writing import WriteContext, WritePlan, plans
from ledger.services.hands.preview import Preview
from ledger.services.money import till
from ledger.services.reads.accounts import EntryView, entries, views
from ledger.services.session import reversals
from ledger.services.session.load import unclosed
from ledger.services.undo import reverse
from ledger.services.undo.reverse import CannotUndo
from ledger.words.problems import NotFound

_CONVERSIONS = kinds(lambda kind: kind.converts is ChipOwners.ALL)


@dataclass(frozen=True, slots=True)
class OtherEntryLine:
    """An entry that is not a hand's, and whether it was undone."""

    entry: EntryView
    taken_back: bool

    @property
    def has_own_way(self) -> bool:
        """Whether the entry can be undone after later actions: by its kind, and if it was not undone yet."""
        return not self.taken_back and KINDS[self.entry.kind].undo is not Undo.LAST


def page(
    session: ScopedSession, session_id: int, *, offset: int = 0, limit: int = 30
) -> tuple[list[OtherEntryLine], int]:
    """Return a page of the other entries, newest first, and their total number. Raises ``NotFound``."""
    visible, total = entries(session, session_id, offset=offset, limit=limit, others=True)
    undone = select(JournalEntry.reverses_id).where(
        col(JournalEntry.reverses_id).in_([entry.id for entry in visible])
    )
    undone_ids = set(session.exec(undone))
    return [OtherEntryLine(entry, entry.id in undone_ids) for entry in visible], total


def last_conversion(session: ScopedSession, session_id: int) -> int | None:
    """Return the id of the last entry in force that cashed in a session's chips; None if there is none."""
    return session.exec(
        select(JournalEntry.id)
        .where(_others(session_id), col(JournalEntry.kind).in_(_CONVERSIONS))
        .where(reversals.in_force())
        .order_by(col(JournalEntry.id).desc())
        .limit(1)
    ).first()


@plans("take entry back")
def take_back(
    tx: WriteContext, session_id: int, entry: int, *, reason: str = ""
) -> WritePlan[Preview]:
    """Undo an entry that is not a hand's, and recalculate the hands played for a pot that it moved.

    Raises ``NotFound``, ``Invalid`` at ``reason``, ``AlreadyUndone``, ``CannotUndo`` if a later entry depends
    on it, ``AccountClosed``, ``PotsSpent``, ``PotTooFull``, ``SessionClosed``, ``SessionPaused`` or
    ``CannotStand`` if hands follow, ``Stale``.
    """
    row, view = unclosed(tx, session_id)
    undone = _undoable(tx.session, row, entry)
    return reverse.prepared(tx, row, view, undone, reason, takes_back=entry)


def show(session: ScopedSession, session_id: int, entry_id: int) -> OtherEntryLine:
    """Return an entry of a session that is not a hand's, and whether it was undone.

    Raises ``NotFound``, and ``CannotUndo`` for a hand's entry.
    """
    entry = _entry(session, session_id, entry_id)
    (view,) = views(session, session_id, [(entry, None)])
    return OtherEntryLine(view, reversals.is_reversed(session, entry_id))


@asked_once
def find(session: ScopedSession, session_id: int, entry_id: int) -> JournalEntry:
    """Return an entry of a session, of any kind. Raises ``NotFound``, also for another session's."""
    entry = session.exec(
        select(JournalEntry)
        .where(JournalEntry.id == entry_id)
        .where(JournalEntry.session_id == session_id)
    ).one_or_none()
    if entry is None:
        raise NotFound(say("There is no such entry in this session."))
    return entry


def _others(session_id: int) -> ColumnElement[bool]:
    return and_(col(JournalEntry.session_id) == session_id, col(JournalEntry.hand_id).is_(None))


def _entry(session: ScopedSession, session_id: int, entry_id: int) -> JournalEntry:
    """Return an entry of a session, but not a hand's.

    Raises ``NotFound``, and ``CannotUndo`` for a hand's.
    """
    entry = find(session, session_id, entry_id)
    if entry.hand_id is not None:
        number = session.exec(select(Hand.number).where(Hand.id == entry.hand_id)).one()
        raise CannotUndo(
            say(
                "This is an entry of hand {number}; correct or void that hand instead.",
                number=number,
            )
        )
    return entry


def _undoable(session: ScopedSession, row: PlaySession, entry_id: int) -> JournalEntry:
    """Return an entry to undo. Raises ``NotFound``, and ``CannotUndo`` if a later entry depends on it.

    An entry that was undone already, or can never be, is returned: the reversal refuses it.
    """
    entry = _entry(session, row.id, entry_id)
    undo = KINDS[entry.kind].undo
    if reversals.is_reversed(session, entry_id) or reverse.why_not(session, entry):
        return entry  # ``reverse`` refuses it with a better message
    if undo is Undo.LAST:
        raise CannotUndo(
            say(
                "Nothing was won or lost by this. It can be undone only while it is the last "
                "thing done; after that, change the table, the rate or the rules instead."
            )
        )
    if undo in _CHECKS:
        _CHECKS[undo](session, entry)
    if "rate_chips" in entry.details.get("before", {}) and till.paid_alone(session, row.id):
        raise CannotUndo(
            say(
                "Somebody has since cashed out at the rate agreed on here; undo that leaving first."
            )
        )
    return entry


def _must_be_chips_still(session: ScopedSession, entry: JournalEntry) -> None:
    if (last_conversion(session, entry.session_id or 0) or 0) > entry.id:
        raise CannotUndo(say("The chips have been cashed in since; undo that first."))


def _must_not_be_repaid(session: ScopedSession, entry: JournalEntry) -> None:
    _must_be_chips_still(session, entry)
    for seat, name, amount in session.exec(
        select(Seat, Player.name, Posting.amount)
        .join(Player, col(Player.id) == Seat.player_id)
        .join(Account, col(Account.seat_id) == Seat.id)
        .join(Posting, col(Posting.account_id) == Account.id)
        .where(Posting.entry_id == entry.id)
    ):
        if seat.advanced + seat.converted < amount:
            raise CannotUndo(
                say("{name} has repaid the bank since; undo that repayment first.", name=name)
            )


_CHECKS = {
    Undo.UNTIL_CONVERTED: _must_be_chips_still,
    Undo.UNTIL_REPAID: _must_not_be_repaid,
}
