"""Leaving early: a player hands all chips to the bank, and with a rate is owed (or owes) money for them.

The till of the session holds the other side of that money until the others are converted. A seat that
was left takes no chips any more; the leaving can be taken back.
"""

from ledger import journal
from ledger.access import Access
from ledger.clock import now
from ledger.db import Database
from ledger.journal import EntryHeader
from ledger.models import EntryKind
from ledger.services.chips import bank
from ledger.services.common import reasons
from ledger.services.common.idempotency import Answer, once
from ledger.services.money import convert
from ledger.services.session import seats
from ledger.services.session.load import unclosed_row
from ledger.services.session.view import rate_of, view


def leave(
    db: Database,
    access: Access,
    key: str,
    session_id: int,
    *,
    player: str,
    reason: str | None = None,
    revision: int | None = None,
) -> Answer:
    """Cash a player out: all chips to the bank; with a rate the money too, to the nearest minor unit.

    Raises ``Invalid`` at ``player`` or ``reason``, ``NotReady`` where scores are not paid by anybody,
    ``SessionClosed``, ``Stale``, ``KeyReused``.
    """
    said = {"id": session_id, "player": player, "reason": reason}
    with db.write(access) as session:

        def act() -> Answer:
            row = unclosed_row(session, session_id, revision)
            seat, _ = seats.here(session, row, player)
            mine = view(session, row).seat(seat.id)
            details: dict[str, object] = {
                "seat": seat.id,
                "state": seat.state,
                "position": seat.position,
                "successor": seats.left_of(session, seat),
            }
            paid: dict[int, int] = {}
            won = mine.unpaid
            rate, amount = rate_of(row), convert.cashed_out(session, row, won)
            if rate is not None and amount is not None:
                currency = convert.currency_of(session)
                paid = {
                    convert.account_of(session, seat.player_id, currency).id: amount,
                    convert.till_of(session, row, currency).id: -amount,
                }
                details |= convert.terms(rate, [(seat, won)])
                seat.converted += won
            at = now()
            header = EntryHeader(
                session_id,
                EntryKind.CASH_OUT,
                access.author,
                at,
                at,
                reason=reasons.optional(reason),
                details=details,
            )
            entry = bank.move(session, header, [(seat, -mine.balance)], paid)
            journal.close_account(session, mine.account_id, at)
            seats.vacate(session, seat)
            row.revision += 1
            return seats.answer(session, row, entry)

        return once(session, key, ("leave", said), act)
