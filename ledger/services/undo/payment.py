"""Taking a payment back: it was not made after all."""

from ledger.access import Access
from ledger.db import Database
from ledger.scope import ScopedSession
from ledger.services.common import reasons
from ledger.services.common.idempotency import Answer, once
from ledger.services.hands import preview as previews
from ledger.services.hands.preview import Move
from ledger.services.money import payments
from ledger.services.undo import reverse


def take_back(db: Database, access: Access, key: str, entry_id: int, *, reason: str) -> Answer:
    """Take a payment back: it was not made after all. Raises ``NotFound``, ``TakenBackAlready``."""
    with db.write(access) as session:

        def act() -> Answer:
            entry = payments.find(session, entry_id)
            why = reasons.clean(reason)
            taking = reverse.plan(session, None, entry)
            reversal = reverse.carry_out(session, access, None, taking, why)
            return {"entry": reversal.id, "takes_back": entry_id}

        return once(session, key, ("take payment back", {"id": entry_id, "reason": reason}), act)


def preview(session: ScopedSession, entry_id: int) -> tuple[Move, ...]:
    """Show every balance that taking a payment back would move. Raises what ``take_back`` raises."""
    taking = reverse.plan(session, None, payments.find(session, entry_id))
    return previews.moves(session, None, taking.moved)
