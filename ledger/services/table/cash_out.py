"""Leaving early: a player hands all chips to the bank, and with a rate is owed (or owes) money for them.

The till of the session holds the other side of that money until the others are converted. A seat that
was left takes no chips any more; the leaving can be undone.
"""

from ledger import journal
from ledger.models import EntryKind
from ledger.services.chips import bank
from ledger.services.common import reasons
from ledger.services.common.writing import Answer, Writing, writes
from ledger.services.money import convert
from ledger.services.session import seats
from ledger.services.session.load import unclosed_row
from ledger.services.session.view import rate_of, view


@writes("leave")
def leave(tx: Writing, session_id: int, *, player: str, reason: str | None = None) -> Answer:
    """Cash a player out: all chips to the bank; with a rate the money too, to the nearest minor unit.

    Raises ``Invalid`` at ``player`` or ``reason``, ``NotReady`` where scores are not paid by anybody,
    ``SessionClosed``, ``Stale``, ``KeyReused``.
    """
    session = tx.session
    row = unclosed_row(session, session_id, tx.revision)
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
    header = tx.header(
        session_id, EntryKind.CASH_OUT, reason=reasons.optional(reason), details=details
    )
    entry = bank.move(session, header, [(seat, -mine.balance)], paid)
    journal.close_account(session, mine.account_id, tx.at)
    seats.vacate(session, seat)
    row.revision += 1
    return seats.answer(session, row, entry)
