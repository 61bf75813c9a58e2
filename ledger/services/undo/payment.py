"""Undoing a payment: it was not made after all."""

from ledger.scope import ScopedSession
from ledger.services.common import reasons
from ledger.services.common.writing import Answer, Writing, writes
from ledger.services.hands import preview as previews
from ledger.services.hands.preview import Move
from ledger.services.money import payments
from ledger.services.undo import reverse


@writes("take payment back")
def take_back(tx: Writing, entry_id: int, *, reason: str) -> Answer:
    """Undo a payment: it was not made after all. Raises ``NotFound``, ``AlreadyUndone``."""
    session = tx.session
    entry = payments.find(session, entry_id)
    why = reasons.clean(reason)
    taking = reverse.plan(session, None, entry)
    reversal = reverse.carry_out(tx, None, taking, why)
    return {"entry": reversal.id, "takes_back": entry_id}


def preview(session: ScopedSession, entry_id: int) -> tuple[Move, ...]:
    """Show every balance that undoing a payment would move. Raises what ``take_back`` raises."""
    taking = reverse.plan(session, None, payments.find(session, entry_id))
    return previews.moves(session, None, taking.moved)
